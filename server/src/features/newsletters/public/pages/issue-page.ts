import { html } from '#platform/html/html.ts';
import { pageHeaders } from '#platform/http/page.ts';
import { Answer } from '#platform/http/route.ts';
import { ARCHIVE_CACHE, feedLinks, sentOn } from './archive-page.ts';
import { show } from './show.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';
import { shareHead } from './share-head.ts';

/** An issue in the archive: our page around a frame, in which the issue is a document that may do nothing. */
export function issuePage(context: PageContext, issue: ArchivedIssue): Answer {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  const links = pageLinks(context);
  return show(context, {
    title: issue.subject,
    isReader: true,
    head: html`${shareHead(context, { title: issue.subject, description: issue.preheader, address: links.issue(issue.slug), type: 'article' })}${feedLinks(context)}`,
    rights: { indexed: true, framesOwn: true, cacheControl: ARCHIVE_CACHE },
    content: html`<p class="quiet">${sentOn(context, issue)}</p>
<iframe title="${pages.issueLabel}" src="${links.issueContent(issue.slug)}" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>
<nav aria-label="${newsletter.name}">
<a class="row" href="${links.archive}">${pages.archiveTitle}</a>
${newsletter.signupEnabled ? html`<a class="row" href="${links.subscribe}">${pages.subscribeLink}</a>\n` : null}</nav>`,
  });
}

/**
 * The issue itself, with `body` as nobody in particular reads it. The policy makes it a document of no origin, in which
 * nothing runs, posts or opens in our window, whether it is framed or opened by itself.
 */
export function issueContentPage({ locale }: PageContext, issue: ArchivedIssue, body: string): Answer {
  const document = html`<!doctype html>
<html lang="${locale.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${issue.subject}</title>
<base target="_blank">
<style>body{margin:1.25rem;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere;background:#fff;color:#1b1f24}img{max-width:100%;height:auto}</style>
</head>
<body>
`;
  return new Answer(`${document.text}${body}\n</body>\n</html>\n`, {
    headers: {
      ...pageHeaders({
        sandboxed: true,
        framedBy: 'us',
        imagesFrom: ['https:', 'http:', 'data:'],
        cacheControl: ARCHIVE_CACHE,
      }),
      'content-language': locale.language,
    },
  });
}
