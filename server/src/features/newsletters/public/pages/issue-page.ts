import { show } from '#features/reader-pages';
import { html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { foreignPage } from '#platform/pages/foreign-page.ts';
import { ARCHIVE_CACHE, feedLinks, sentOn } from './archive-page.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';
import { shareHead } from '#platform/pages/share-head.ts';

/** An issue in the archive: our page around a frame, in which the issue is a document that may do nothing. */
export function issuePage(context: PageContext, issue: ArchivedIssue): Answer {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  const links = pageLinks(context);
  return show(context, {
    title: issue.subject,
    isReader: true,
    head: html`${shareHead({ site: context.newsletter.name, title: issue.subject, description: issue.preheader, address: links.issue(issue.slug), type: 'article' })}${feedLinks(context)}`,
    rights: { indexed: true, framesOwn: true, cacheControl: ARCHIVE_CACHE },
    content: html`<p class="quiet">${sentOn(context, issue)}</p>
<iframe title="${pages.issueLabel}" src="${links.issueContent(issue.slug)}" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>
<nav aria-label="${newsletter.name}">
<a class="row" href="${links.archive}">${pages.archiveTitle}</a>
${newsletter.signupEnabled ? html`<a class="row" href="${links.subscribe}">${pages.subscribeLink}</a>\n` : null}</nav>`,
  });
}

/** The issue itself, with `body` as nobody in particular reads it. */
export const issueContentPage = ({ locale }: PageContext, { subject }: ArchivedIssue, body: string): Answer =>
  foreignPage({ title: subject, language: locale.language, body, cacheControl: ARCHIVE_CACHE });
