import { show } from '#features/reader-pages';
import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { isolated } from '#platform/pages/layout.ts';
import { shareHead } from '#platform/pages/share-head.ts';
import { feedLinks } from './feed-links.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';
import { signUpBox } from './subscribe-page.ts';

/** A sent issue stays as it is; a name or a colour that changes may be seen five minutes later. */
export const ARCHIVE_CACHE = 'public, max-age=300';

/** The issues that were sent, newest first. `page` begins with 1. */
export function archivePage(
  context: PageContext,
  archive: { issues: readonly ArchivedIssue[]; page: number; hasMore: boolean },
): Answer {
  const { newsletter, locale, origin } = context;
  const { pages } = locale.messages;
  const links = pageLinks(context);
  const { name: site, description, logoUrl: image } = newsletter;
  const address = `${origin}${links.archive}${archive.page > 1 ? `?page=${archive.page}` : ''}`;
  const title = `${pages.archiveTitle} · ${site}`;
  return show(context, {
    title: pages.archiveTitle,
    isWide: true,
    homeAt: links.subscribe,
    head: html`${shareHead({ site, title, description, address, type: 'website', image })}${feedLinks(context)}`,
    rights: { ...indexing(context), cacheControl: ARCHIVE_CACHE },
    content: html`${description === null || archive.page > 1 ? null : html`<p class="lead">${isolated(description)}</p>\n`}${
      archive.issues.length === 0
        ? html`<p class="quiet">${pages.archiveEmpty}${newsletter.signupEnabled ? ` ${pages.archiveEmptyHint}` : null}</p>`
        : html`<ul class="issues">
${archive.issues.map((issue) => entry(context, issue))}</ul>`
    }
${paging(context, archive)}${signUpBox(context, 'archive')}
<nav aria-label="${site}">
<a class="row" href="${links.rss}">${pages.feedLink}</a>
</nav>`,
  });
}

/** The archive is read by everybody; whether search engines list it is for its owner to say. */
export const indexing = ({ newsletter }: PageContext): { indexed?: true } =>
  newsletter.archiveIndexable ? { indexed: true } : {};

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
