import { show } from '#features/reader-pages';
import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { shareHead } from '#platform/pages/share-head.ts';
import { feedLinks } from './feed-links.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';
import { pastIssues } from './past-issues.ts';
import { searchBox } from './search-box.ts';
import { signUpBox } from './subscribe-page.ts';

/** A sent issue stays as it is; a name or a colour that changes may be seen five minutes later. */
export const ARCHIVE_CACHE = 'public, max-age=300';

/** Fewer are seen at a glance. */
const SEARCHED_MIN = 8;

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
  const isLong = archive.page > 1 || archive.issues.length >= SEARCHED_MIN;
  const title = `${pages.archiveTitle} · ${site}`;
  return show(context, {
    title: pages.archiveTitle,
    isWide: true,
    isFront: true,
    isShort: archive.page > 1,
    head: html`${shareHead({ site, title, description, address, type: 'website', image })}${feedLinks(context)}`,
    rights: { ...indexing(context), cacheControl: ARCHIVE_CACHE },
    content: html`${signUpBox(context, 'archive', { isOpen: true })}
${pastIssues(context, archive.issues, isLong ? html`${searchBox(context)}\n` : null)}
${paging(context, archive)}<nav aria-label="${site}">
<a class="row" href="${links.subscribe}">${site}</a>
<a class="row" href="${links.rss}">${pages.feedLink}</a>
</nav>`,
  });
}

/** The archive is read by everybody; whether search engines list it is for its owner to say. */
export const indexing = ({ newsletter }: PageContext): { indexed?: true } =>
  newsletter.archiveIndexable ? { indexed: true } : {};

function paging(context: PageContext, { page, hasMore }: { page: number; hasMore: boolean }): Html | null {
  const { pages } = context.locale.messages;
  const { archive } = pageLinks(context);
  if (page === 1 && !hasMore) return null;
  const newer = page === 2 ? archive : `${archive}?page=${page - 1}`;
  return html`<nav aria-label="${pages.pagingLabel}">
${page > 1 ? html`<a class="row" rel="prev" href="${newer}">${pages.newerLink}</a>\n` : null}${hasMore ? html`<a class="row" rel="next" href="${archive}?page=${page + 1}">${pages.olderLink}</a>\n` : null}</nav>
`;
}
