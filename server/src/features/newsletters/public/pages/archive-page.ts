import { show } from '#features/reader-pages';
import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { isolated } from '#platform/pages/layout.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';

/** A sent issue stays as it is; a name or a colour that changes may be seen five minutes later. */
export const ARCHIVE_CACHE = 'public, max-age=300';

/** The issues that were sent, newest first. `page` begins with 1. */
export function archivePage(
  context: PageContext,
  archive: { issues: readonly ArchivedIssue[]; page: number; hasMore: boolean },
): Answer {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  const links = pageLinks(context);
  return show(context, {
    title: pages.archiveTitle,
    isWide: true,
    head: feedLinks(context),
    rights: { indexed: true, cacheControl: ARCHIVE_CACHE },
    content: html`${
      archive.issues.length === 0
        ? html`<p>${pages.archiveEmpty}</p>`
        : html`<ul class="issues">
${archive.issues.map((issue) => entry(context, issue))}</ul>`
    }
${paging(context, archive)}<nav aria-label="${newsletter.name}">
${newsletter.signupEnabled ? html`<a class="row" href="${links.subscribe}">${pages.subscribeLink}</a>\n` : null}<a class="row" href="${links.rss}">${pages.feedLink}</a>
</nav>`,
  });
}

/** For readers' programs, in the head of a page. */
export function feedLinks(context: PageContext): Html {
  const { rss, jsonFeed } = pageLinks(context);
  const { name } = context.newsletter;
  return html`<link rel="alternate" type="application/rss+xml" title="${name}" href="${rss}">
<link rel="alternate" type="application/feed+json" title="${name}" href="${jsonFeed}">
`;
}

const entry = (context: PageContext, issue: ArchivedIssue): Html => html`<li>
<h2><a class="row" href="${pageLinks(context).issue(issue.slug)}">${isolated(issue.subject)}</a></h2>
${issue.preheader ? html`<p>${isolated(issue.preheader)}</p>\n` : null}<p class="quiet">${sentOn(context, issue)}</p>
</li>
`;

/** The day in the newsletter's language and zone. */
export function sentOn({ newsletter, locale }: PageContext, { sentAt }: Pick<ArchivedIssue, 'sentAt'>): Html {
  const day = new Intl.DateTimeFormat(locale.language, { dateStyle: 'long', timeZone: newsletter.timezone });
  return html`<time datetime="${sentAt.toISOString()}">${day.format(sentAt)}</time>`;
}

function paging(context: PageContext, { page, hasMore }: { page: number; hasMore: boolean }): Html | null {
  const { pages } = context.locale.messages;
  const { archive } = pageLinks(context);
  if (page === 1 && !hasMore) return null;
  const newer = page === 2 ? archive : `${archive}?page=${page - 1}`;
  return html`<nav aria-label="${pages.pagingLabel}">
${page > 1 ? html`<a class="row" rel="prev" href="${newer}">${pages.newerLink}</a>\n` : null}${hasMore ? html`<a class="row" rel="next" href="${archive}?page=${page + 1}">${pages.olderLink}</a>\n` : null}</nav>
`;
}
