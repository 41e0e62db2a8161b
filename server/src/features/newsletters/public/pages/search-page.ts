import { show } from '#features/reader-pages';
import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { sayHtml } from '#platform/pages/say-html.ts';
import { say } from '#platform/pages/say-text.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import { issueList } from './past-issues.ts';
import type { ArchivedIssue } from './queries.ts';
import { SEARCH_CHARS_MAX, searchBox } from './search-box.ts';

/** Some of the issues with certain words, and whether there are more of them on either side. */
export interface Found {
  issues: readonly ArchivedIssue[];
  hasNewer: boolean;
  hasOlder: boolean;
}

/** The words as they are searched for and shown again: no letter that breaks a line or ends a page. */
export const typedWords = (typed: string | undefined): string =>
  (typed ?? '')
    .slice(0, SEARCH_CHARS_MAX)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();

/** The issues that were found, newest first. It is listed and kept nowhere: there are as many such pages as words. */
export function searchPage(context: PageContext, words: string, found: Found): Answer {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  const links = pageLinks(context);
  const { name: site } = newsletter;
  return show(context, {
    title: say(pages.searchTitle, { words }),
    isWide: true,
    isFront: true,
    isShort: true,
    content: html`<section class="past" aria-labelledby="past">
${searchBox(context, words)}
<h2 id="past">${sayHtml(pages.searchTitle, { words })}</h2>
${found.issues.length === 0 ? html`<p class="quiet" role="status">${sayHtml(pages.searchNone, { words })}</p>` : issueList(context, found.issues)}
</section>
${paging(context, words, found)}<nav aria-label="${site}">
<a class="row" href="${links.archive}">${pages.archiveLink}</a>
<a class="row" href="${links.subscribe}">${site}</a>
</nav>`,
  });
}

function paging(context: PageContext, q: string, { issues, hasNewer, hasOlder }: Found): Html | null {
  const { pages } = context.locale.messages;
  const to = (name: 'after' | 'before', id = ''): string =>
    `${pageLinks(context).archive}?${new URLSearchParams({ q, [name]: id })}`;
  if (!hasNewer && !hasOlder) return null;
  return html`<nav aria-label="${pages.pagingLabel}">
${hasNewer ? html`<a class="row" rel="prev" href="${to('after', issues[0]?.id)}">${pages.newerLink}</a>\n` : null}${hasOlder ? html`<a class="row" rel="next" href="${to('before', issues.at(-1)?.id)}">${pages.olderLink}</a>\n` : null}</nav>
`;
}
