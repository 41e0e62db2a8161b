import { type Html, html } from '#platform/html/html.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';

export const SEARCH_CHARS_MAX = 200;

/** Asks the archive for the issues with some words, without a script. */
export function searchBox(context: PageContext, words = ''): Html {
  const { pages } = context.locale.messages;
  return html`<form class="line search" role="search" method="get" action="${pageLinks(context).archive}" accept-charset="utf-8">
<div class="field">
<label class="seen-by-ear" for="q">${pages.searchLabel}</label>
<input id="q" name="q" type="search" value="${words}" placeholder="${pages.searchLabel}" required maxlength="${String(SEARCH_CHARS_MAX)}" enterkeyhint="search">
</div>
<button type="submit" class="second">${pages.searchButton}</button>
</form>`;
}
