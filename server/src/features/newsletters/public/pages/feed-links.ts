import { type Html, html } from '#platform/html/html.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';

/** For readers' programs, in the head of a page. */
export function feedLinks(context: PageContext): Html {
  const { rss, jsonFeed } = pageLinks(context);
  const { name } = context.newsletter;
  return html`<link rel="alternate" type="application/rss+xml" title="${name}" href="${rss}">
<link rel="alternate" type="application/feed+json" title="${name}" href="${jsonFeed}">
`;
}
