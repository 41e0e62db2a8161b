/**
 * Html that somebody else wrote for mail, as an article for our pages and for feeds: its text, structure, links and
 * pictures. Its style sheets, colours, fonts, sizes and positions are left out, so that an article is readable in the
 * dark, on a phone and on paper, and lies over nothing of ours. A kept library decides which tags and attributes pass,
 * by a list; the rest of a document is text or nothing.
 */
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { Attributes } from 'sanitize-html';
import { libraryOnFirstUse } from '../library.ts';
import { ownEntry } from '../own-entry.ts';

/** With its parser and PostCSS it takes 6 MB, and only pages and feeds of newsletters need it. */
const sanitizeHtml = libraryOnFirstUse<typeof import('sanitize-html')>('sanitize-html');

export interface Article {
  html: string;
  /** The first picture, for previews of the link. */
  image: string | null;
  /** The beginning of the text, without marks. */
  summary: string;
  /** How long it takes to read, at least one. */
  minutes: number;
}

/** The text of these is no text for readers. */
// biome-ignore format: a list of words
const DROPPED_WHOLE = [
  'script', 'style', 'title', 'template', 'noscript', 'noembed', 'noframes', 'xmp', 'plaintext', 'iframe', 'object',
  'embed', 'applet', 'video', 'audio', 'canvas', 'svg', 'math', 'select', 'option', 'textarea', 'button', 'dialog',
];
// biome-ignore format: a list of words
const TAGS = [
  'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'hr', 'br', 'wbr', 'ul', 'ol', 'li', 'dl', 'dt', 'dd',
  'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'figure', 'figcaption', 'img', 'a', 'span', 'b',
  'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'code', 'kbd', 'samp', 'var', 'abbr',
  'cite', 'q', 'time', 'bdi', 'bdo', 'details', 'summary',
];
const ALIGNED = ['p', 'div', 'td', 'th', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** Marks what is left out with everything in it. */
const GONE = 'data-gone';
/** Marks a link that its author drew as a button. An author cannot write it. */
const BUTTON = 'data-button';
/** Marks a picture that takes the whole width of its mail, as it then does here. */
const WIDE = 'data-wide';
const ATTRIBUTES = {
  '*': ['id', 'lang', 'dir', GONE],
  a: ['href', 'rel', BUTTON],
  img: ['src', 'alt', 'width', 'height', 'loading', WIDE],
  td: ['colspan', 'rowspan', 'width'],
  th: ['colspan', 'rowspan', 'scope', 'width'],
  table: ['role'],
  details: ['open'],
  ol: ['start', 'type', 'reversed'],
  li: ['value'],
  time: ['datetime'],
  abbr: ['title'],
};
/** As deep as mail may be; beyond it tags are dropped, and their text stays. */
const DEPTH_MAX = 300;
/** Twice the elements that a mail may have. The rest of a longer one is left out. */
const TAGS_MAX = 40_000;
const SUMMARY_CHARS = 300;
/** Of a language with spaces, and of one without. */
const WORDS_A_MINUTE = 240;
const SIGNS_A_MINUTE = 500;
const LINK_SCHEMES = new Set(['https:', 'http:', 'mailto:', 'tel:']);
/** Mail is about 600 pixels wide, and its frame takes up to 80 of them. */
const WIDE_PX = 520;
/** Smaller than this it is a pixel that counts its readers, or a spacer. */
const PICTURE_PX_MIN = 3;

/** Sanitising takes about 50 ms a megabyte, and everybody reads the newest issue. */
const made = new LRUCache<string, Article>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ html }) => html.length + 1_000,
});

/** `address`: the whole address of the article's page, for links within it. */
export function articleOf(html: string, address: string): Article {
  const key = createHash('sha256').update(`${address}\n`).update(html).digest('base64');
  const known = made.get(key);
  if (known !== undefined) return known;
  const article = sanitize(html, address);
  made.set(key, article);
  return article;
}

function sanitize(written: string, address: string): Article {
  const html = withinBounds(written);
  let image: string | null = null;
  // Our page has the one heading of the first level.
  const shift = /<h1[\s>]/i.test(html) ? 1 : 0;
  const clean = sanitizeHtml()(html, {
    allowedTags: TAGS,
    nonTextTags: DROPPED_WHOLE,
    allowedAttributes: { ...ATTRIBUTES, ...Object.fromEntries(ALIGNED.map((tag) => [tag, alignedToo(tag)])) },
    // The addresses are judged below; whatever slips through is judged again.
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowProtocolRelative: false,
    enforceHtmlBoundary: false,
    nestingLimit: DEPTH_MAX,
    parseStyleAttributes: false,
    transformTags: { '*': (tag, attributes) => passed(tag, attributes, { address, shift }) },
    exclusiveFilter: ({ tag, attribs }) => {
      if (GONE in attribs) return true;
      if (tag === 'img') image ??= attribs['src'] ?? null;
      return false;
    },
  });
  return { html: clean.trim(), image, summary: textOf(clean), minutes: minutesOf(clean) };
}

/** The time that reading takes grows by the square of what is nested. */
function withinBounds(html: string): string {
  let at = -1;
  for (let tags = 0; tags <= TAGS_MAX; tags += 1) {
    at = html.indexOf('<', at + 1);
    if (at === -1) return html;
  }
  return html.slice(0, at);
}

const alignedToo = (tag: string): string[] => [...(tag === 'td' || tag === 'th' ? ATTRIBUTES[tag] : []), 'align'];

function passed(tag: string, attributes: Attributes, { address, shift }: { address: string; shift: number }) {
  if (isHidden(attributes)) return { tagName: tag, attribs: { [GONE]: '' } };
  const level = /^h([1-6])$/.exec(tag)?.[1];
  const tagName = level === undefined ? tag : `h${Math.min(6, Math.max(2, Number(level) + shift))}`;
  const own = common(tagName, attributes);
  switch (tag) {
    case 'a':
      return { tagName, attribs: { ...own, ...linkOf(attributes, address) } };
    case 'img':
      return { tagName, attribs: { ...own, ...pictureOf(attributes, address) } };
    case 'table':
      return { tagName, attribs: { ...own, ...tableOf(attributes) } };
    case 'td':
    case 'th':
      return { tagName, attribs: { ...own, ...cellOf(attributes) } };
    case 'center':
      return { tagName: 'div', attribs: { ...own, align: 'center' } };
    default:
      return { tagName, attribs: { ...attributes, ...own } };
  }
}

/** Ids get a beginning of their own, so that none is one of the page's. */
function common(tag: string, { id, name, align, style, lang, dir }: Attributes): Attributes {
  const place = id ?? (tag === 'a' ? name : undefined);
  const side = /(?:^|;)\s*text-align\s*:\s*(\w+)/i.exec(style ?? '')?.[1] ?? align ?? '';
  return {
    ...(lang === undefined ? {} : { lang }),
    ...(dir === undefined ? {} : { dir }),
    ...(place !== undefined && /^[\w.:-]{1,100}$/.test(place) ? { id: `i-${place}` } : {}),
    ...(ALIGNED.includes(tag) && /^(?:left|right|center)$/i.test(side) ? { align: side.toLowerCase() } : {}),
  };
}

/** A link without an address of its own leads nowhere, as it does in mail. */
function linkOf({ href = '', style = '' }: Attributes, address: string): Attributes {
  const written = href.trim();
  if (/^#[\w.:-]{1,100}$/.test(written)) return { href: `${address}#i-${written.slice(1)}` };
  const url = /^[a-z]+:/i.test(written) ? URL.parse(written) : null;
  if (url === null || !LINK_SCHEMES.has(url.protocol)) return {};
  return { href: url.href, rel: 'noopener', ...(isButton(style) ? { [BUTTON]: '' } : {}) };
}

/** A box of its own with a ground and room around its words, as editors of mail write buttons. */
function isButton(style: string): boolean {
  const ground = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]*)/i.exec(style)?.[1]?.trim() ?? '';
  return (
    /(?:^|;)\s*display\s*:\s*inline-block/i.test(style) &&
    /(?:^|;)\s*padding[\w-]*\s*:[^;]*[1-9]/i.test(style) &&
    !/^(?:|none|transparent|inherit|initial|unset)$/i.test(ground)
  );
}

/** Over https, or from where the page itself is: the page asks for no other. */
function pictureOf({ src = '', alt = '', width = '', height = '' }: Attributes, address: string): Attributes {
  const url = URL.parse(src.trim());
  const isOwn = url?.origin === new URL(address).origin;
  const [wide, high] = [width, height].map((text) => /^\s*(\d{1,4})(?:px)?\s*$/.exec(text)?.[1]);
  const isTiny = [wide, high].some((px) => px !== undefined && Number(px) < PICTURE_PX_MIN);
  if (url === null || !(url.protocol === 'https:' || isOwn) || isTiny) return { [GONE]: '' };
  return {
    src: url.href,
    alt,
    loading: 'lazy',
    ...(wide === undefined ? {} : { width: wide }),
    ...(high === undefined ? {} : { height: high }),
    ...(Number(wide) >= WIDE_PX ? { [WIDE]: '' } : {}),
  };
}

/** A width in percent is the share of the room that a column has. One in pixels is that of the mail. */
function cellOf({ colspan, rowspan, scope, width = '' }: Attributes): Attributes {
  const share = /^\s*(\d{1,3}(?:\.\d{1,2})?%)\s*$/.exec(width)?.[1];
  return {
    ...(colspan === undefined ? {} : { colspan }),
    ...(rowspan === undefined ? {} : { rowspan }),
    ...(scope === undefined ? {} : { scope }),
    ...(share === undefined ? {} : { width: share }),
  };
}

/** A table that only places things is none to people who have it read aloud. One that says it is one has no border. */
const tableOf = ({ role = '', border }: Attributes): Attributes =>
  /^(?:presentation|none)$/i.test(role) || (role === '' && border === '0') ? { role: 'presentation' } : {};

const HIDDEN =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|max-height\s*:\s*0(?:px)?\s*(?:;|!|$)|font-size\s*:\s*0(?:px)?\s*(?:;|!|$)|opacity\s*:\s*0\s*(?:;|!|$))/i;

/** The preview text of a mail, for example. */
const isHidden = ({ style, hidden }: Attributes): boolean => hidden !== undefined || HIDDEN.test(style ?? '');

function minutesOf(clean: string): number {
  const text = clean.replace(/<[^>]*>/g, ' ');
  const signs = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0;
  const words = text.match(/(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}'’])+/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS_A_MINUTE + signs / SIGNS_A_MINUTE));
}

const SIGNS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

function textOf(clean: string): string {
  const text = clean
    .slice(0, SUMMARY_CHARS * 40)
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (sign) => ownEntry(SIGNS, sign) ?? sign)
    .replace(/(?:[\s\u200b-\u200f\u00ad]|\u034f)+/g, ' ')
    .trim();
  const chars = Array.from(text);
  if (chars.length <= SUMMARY_CHARS) return text;
  const cut = chars.slice(0, SUMMARY_CHARS - 1).join('');
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), SUMMARY_CHARS / 2))}…`;
}
