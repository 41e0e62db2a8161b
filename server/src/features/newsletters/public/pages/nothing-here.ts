import { notFoundPage } from '#features/reader-pages';
import { html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';

/** 404 of a newsletter, with links to what it has. A newsletter without an archive names none. */
export function nothingHere(context: PageContext): Answer {
  const { newsletter, locale } = context;
  const { archiveLink, subscribeLink } = locale.messages.pages;
  const { archive, subscribe } = pageLinks(context);
  const ways = [
    ...(newsletter.archiveEnabled ? [html`<a class="row" href="${archive}">${archiveLink}</a>\n`] : []),
    ...(newsletter.signupEnabled ? [html`<a class="row" href="${subscribe}">${subscribeLink}</a>\n`] : []),
  ];
  return notFoundPage(context, ways.length === 0 ? null : html`<nav aria-label="${newsletter.name}">\n${ways}</nav>`);
}
