import { type Html, html } from '../html/html.ts';

/** The description of a page for search engines and link previews. */
export interface Shared {
  /** Of the newsletter or the like that the page belongs to. */
  site: string;
  title: string;
  /** One or two sentences; null when there is none. */
  description: string | null;
  /** The one address of the page, as a path: others lead there, too. */
  address: string;
  type: 'website' | 'article';
}

/** Search engines keep about this much, and a preview of a link less. */
const DESCRIPTION_CHARS_MAX = 300;

/** For the head: the address that counts (RFC 6596), and what a preview of the link shows (Open Graph). */
export function shareHead({ site, title, description, address, type }: Shared): Html {
  const text = Array.from((description ?? '').replace(/\s+/g, ' ').trim())
    .slice(0, DESCRIPTION_CHARS_MAX)
    .join('');
  const said = html`<meta name="description" content="${text}">
<meta property="og:description" content="${text}">
`;
  return html`<link rel="canonical" href="${address}">
<meta property="og:type" content="${type}">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${site}">
${text === '' ? null : said}`;
}
