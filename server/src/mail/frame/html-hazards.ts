/**
 * What no newsletter may have in its html: scripts and what acts like one, what asks its reader for input, and what
 * brings in other documents. Mail programs remove most of it, show a warning for the rest, and filters count it
 * against the sender; so it is refused, with its name, and nothing of the author's text is ever taken out silently.
 */
import type { Token } from 'parse5';
import { valuesOf } from './css-rules.ts';
import { plainText } from './css-text.ts';
import { RefusedHtml } from './refused-html.ts';

// biome-ignore format: a list of words
const ELEMENTS = new Set([
  'script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'form', 'base', 'plaintext', 'portal',
  'select', 'fencedframe',
]);
// A shadow root takes the place of everything else that its element holds.
const ATTRIBUTES = new Set(['srcdoc', 'formaction', 'ping', 'shadowrootmode', 'shadowroot']);
const META = new Set(['refresh', 'set-cookie', 'content-security-policy']);
/** They give fonts and nothing else; every builder of email html writes a link to one of them. */
const FONT_HOSTS = new Set(['fonts.googleapis.com', 'fonts.bunny.net', 'use.typekit.net', 'fonts.cdnfonts.com']);

/** Throws for an element, with these attributes, that no newsletter may have. */
export function refuseElement(name: string, attributes: readonly Token.Attribute[]): void {
  if (ELEMENTS.has(name)) throw refused(`a <${name}> element`);
  for (const { name: attribute, value } of attributes) {
    if (/^on[a-z]/.test(attribute)) throw refused(`the attribute ${attribute} on a <${name}> element`);
    if (ATTRIBUTES.has(attribute)) throw refused(`the attribute ${attribute} on a <${name}> element`);
    const scheme = hazardousScheme(value);
    if (scheme !== null) throw refused(`an address that begins with ${scheme}`);
    if (attribute === 'style') refuseCss(value);
  }
  if (name === 'meta') refuseMeta(attributes);
  if (name === 'link') refuseLink(attributes);
}

/** Throws for a stylesheet, or a style attribute, that no newsletter may have. */
export function refuseCss(css: string): void {
  if (!isSuspect(css)) return;
  // Old programs drop a comment inside a word; all others follow the standard, where a string may hold `/*`.
  for (const plain of [withoutComments(css), plainText(valuesOf(css))]) refusePlainCss(plain);
}

/** Nothing is refused that has none of these; an escape may stand for any of them. */
const SUSPECT = /\\|\/\*|expression|behavior|binding|javascript|@import/i;

/** Whether a style has to be read to be judged. */
export const isSuspect = (css: string): boolean => SUSPECT.test(css);

function refusePlainCss(plain: string): void {
  if (/expression\s*\(/i.test(plain)) throw refused('expression() in its styles');
  if (/(^|[;{\s])(behavior|-moz-binding)\s*:/i.test(plain)) throw refused('behavior or -moz-binding in its styles');
  if (/javascript\s*:/i.test(plain)) throw refused('a javascript: address in its styles');
  for (const [, address = ''] of plain.matchAll(/@import\s*(?:url\(\s*)?["']?([^"')\s;]*)/gi)) {
    if (!isFontAddress(address)) throw refused('an @import of other styles');
  }
}

/** Css without comments and with its escapes read: `\65xpression` is a word like any other. */
const withoutComments = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, digits: string) => {
      const code = Number.parseInt(digits, 16);
      return code > 0 && code < 0x11_0000 ? String.fromCodePoint(code) : ' ';
    })
    .replace(/\\/g, '');

/** The beginnings of an address that acts. */
export const HAZARDOUS_STARTS = ['javascript:', 'vbscript:', 'data:text/html', 'data:application/xhtml'] as const;

function hazardousScheme(value: string): string | null {
  // Browsers pass over these wherever they stand in a scheme.
  const start = value
    .slice(0, 200)
    .replace(/[\x00-\x20]+/g, '')
    .toLowerCase();
  return HAZARDOUS_STARTS.find((scheme) => start.startsWith(scheme)) ?? null;
}

function refuseMeta(attributes: readonly Token.Attribute[]): void {
  const kind = valueOf(attributes, 'http-equiv').trim().toLowerCase();
  if (META.has(kind)) throw refused(`a <meta> element with http-equiv="${kind}"`);
}

function refuseLink(attributes: readonly Token.Attribute[]): void {
  const kinds = valueOf(attributes, 'rel').toLowerCase().split(/\s+/);
  if (!kinds.includes('stylesheet') && !kinds.includes('import')) return;
  if (!isFontAddress(valueOf(attributes, 'href'))) throw refused('a <link> to other styles');
}

const isFontAddress = (address: string): boolean => {
  const url = URL.parse(address, 'https://relative.invalid');
  return url !== null && FONT_HOSTS.has(url.hostname);
};

const valueOf = (attributes: readonly Token.Attribute[], name: string): string =>
  attributes.find((attribute) => attribute.name === name)?.value ?? '';

const refused = (what: string): RefusedHtml => new RefusedHtml(`It has ${what}, which no email may have.`);
