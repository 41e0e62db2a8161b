import { type Html, html } from '../html/html.ts';

/** The description of a page for search engines and link previews. */
export interface Shared {
  /** Of the newsletter or the like that the page belongs to. */
  site: string;
  title: string;
  /** One or two sentences; null when there is none. */
  description: string | null;
  /** The one address of the page, whole: others lead there, too. */
  address: string;
  type: 'website' | 'article';
  /** The whole address of a picture; null when there is none. Left out unless it is https. */
  image: string | null;
  /** `image` is a picture of the page, and no mark. */
  isLargeImage?: boolean;
  publishedAt?: Date;
}

/** Search engines keep about this much, and a preview of a link less. */
const DESCRIPTION_CHARS_MAX = 300;

/** A description in the length that is shown: one line, and empty when there is none. */
export const describing = (description: string | null): string =>
  Array.from((description ?? '').replace(/\s+/g, ' ').trim())
    .slice(0, DESCRIPTION_CHARS_MAX)
    .join('');

/** For the head: the address that counts (RFC 6596), and what a preview of the link shows (Open Graph). */
export function shareHead(shared: Shared): Html {
  const { site, title, description, address, type, publishedAt } = shared;
  const url = shared.image === null ? null : URL.parse(shared.image);
  const image = url?.protocol === 'https:' ? url.href : null;
  const text = describing(description);
  const meta = (property: string, content: string | null): Html | null =>
    content === null || content === '' ? null : html`<meta property="${property}" content="${content}">\n`;
  const card = image !== null && shared.isLargeImage === true ? 'summary_large_image' : 'summary';
  return html`<link rel="canonical" href="${address}">
${text === '' ? null : html`<meta name="description" content="${text}">\n`}${meta('og:type', type)}${meta('og:url', address)}${meta('og:title', title)}${meta('og:site_name', site)}${meta('og:description', text)}${meta('og:image', image)}${meta('article:published_time', publishedAt?.toISOString() ?? null)}<meta name="twitter:card" content="${card}">
`;
}
