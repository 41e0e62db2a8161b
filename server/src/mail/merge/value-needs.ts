/**
 * Where values stand in a html, and what must hold for one so that it changes nothing but the text in its place.
 *
 * Escaped text has no sign that begins or ends markup. In the content of an ordinary element, and in a quoted attribute
 * that no rule of ours reads, a plain value therefore leaves the document as it is. Anywhere else (a style, a comment,
 * a title, a tag, an attribute without quotes, a picture's markup) nothing is promised, and the answer is undefined.
 */
import { HAZARDOUS_STARTS } from '../frame/html-hazards.ts';
import { type Document, type Element, type Node, readTree } from '../frame/read-tree.ts';
import { htmlParser } from '../html-parser.ts';
import { hasProbe, splitAtProbes } from './probes.ts';

/** `web`: it begins an address, and must begin with http. `after`: the text before it in its attribute. */
export type ValueNeed = 'plain' | 'web' | { after: string };

// biome-ignore format: a list of words
const NO_ELEMENTS = new Set([
  'html', 'head', 'body', 'base', 'link', 'meta', 'style', 'script', 'noscript', 'title', 'textarea', 'xmp', 'iframe', 'noembed',
  'noframes', 'plaintext', 'select', 'option', 'template', 'object', 'embed',
]);
/** The converter to text reads these starts as well. */
const LINK_STARTS = [...HAZARDOUS_STARTS, 'data:', 'mailto:', '#'];
/** It would be one sign, or one tag, with what a value begins with. */
const OPEN_BEFORE = /(?:&[#0-9A-Za-z]*|<[!/0-9A-Za-z]*)$/;

/** The needs of the values that stand in the html as probes; undefined: nothing is certain for one. */
export function valueNeeds(html: string, count: number): ValueNeed[] | undefined {
  const parts = splitAtProbes(html);
  const there = new Set<number>();
  for (const [at, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const before = parts[at - 1];
    if (there.has(part) || (typeof before === 'string' && OPEN_BEFORE.test(before.slice(-50)))) return undefined;
    there.add(part);
  }
  const needs = new Map<number, ValueNeed>();
  if (!readNeeds(html, readTree(html).document, needs)) return undefined;
  for (const index of there) if (!needs.has(index)) return undefined;
  return Array.from({ length: count }, (_, index) => needs.get(index) ?? 'plain');
}

/** False: a value stands where nothing is certain. Parents come first, so the reason is found with the outermost. */
function readNeeds(html: string, document: Document, needs: Map<number, ValueNeed>): boolean {
  const { defaultTreeAdapter } = htmlParser();
  const open: { node: Document | Node; isOrdinary: boolean }[] = [{ node: document, isOrdinary: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, isOrdinary } = next;
    if (defaultTreeAdapter.isTextNode(node)) {
      if (!hasProbe(node.value)) continue;
      if (!isOrdinary) return false;
      for (const part of splitAtProbes(node.value)) if (typeof part === 'number') needs.set(part, 'plain');
    } else if (defaultTreeAdapter.isElementNode(node)) {
      if (!node.attrs.every((attribute) => readAttribute(html, node, attribute, needs))) return false;
      for (const child of node.childNodes) open.push({ node: child, isOrdinary: isOrdinaryIn(node, isOrdinary) });
    } else if ('childNodes' in node) {
      for (const child of node.childNodes) open.push({ node: child, isOrdinary });
    }
  }
  return true;
}

/** Of the document's own elements only <body> holds text that is shown. */
function isOrdinaryIn({ tagName, namespaceURI }: Element, isParentOrdinary: boolean): boolean {
  const isHtml = namespaceURI === htmlParser().html.NS.HTML;
  if (tagName === 'body') return isHtml;
  return isParentOrdinary && isHtml && !NO_ELEMENTS.has(tagName);
}

function readAttribute(
  html: string,
  element: Element,
  { name, value }: { name: string; value: string },
  needs: Map<number, ValueNeed>,
): boolean {
  if (!hasProbe(value)) return !hasProbe(name);
  const { tagName, namespaceURI, sourceCodeLocation } = element;
  if (namespaceURI !== htmlParser().html.NS.HTML || NO_ELEMENTS.has(tagName) || name === 'style' || hasProbe(name))
    return false;
  const place = sourceCodeLocation?.attrs?.[name];
  // A copy that the parser made of a formatting element: the first one is judged, or its values have no need at all.
  if (place === undefined) return true;
  if (!isQuoted(html.slice(place.startOffset, place.endOffset))) return false;
  const parts = splitAtProbes(value);
  const isLink = name === 'href' && (tagName === 'a' || tagName === 'area');
  const before = typeof parts[0] === 'string' ? parts[0] : '';
  if (isLink && before !== '' && mayBegin(before, LINK_STARTS)) return false;
  for (const part of parts) if (typeof part === 'number') needs.set(part, 'plain');
  const first = parts.find((part) => typeof part === 'number');
  if (first === undefined) return false;
  if (isLink && before === '') needs.set(first, 'web');
  else if (!isLink && mayBegin(before, HAZARDOUS_STARTS)) needs.set(first, { after: before });
  return true;
}

const isQuoted = (attribute: string): boolean => /^[^\s=]+[\t\n\f\r ]*=[\t\n\f\r ]*["']/.test(attribute);

/** Whether an address that begins like this may be, or become, one of these. */
function mayBegin(text: string, starts: readonly string[]): boolean {
  // Browsers pass over these wherever they stand in a scheme.
  const start = text.replace(/[\x00-\x20]+/g, '').toLowerCase();
  return starts.some((one) => one.startsWith(start) || start.startsWith(one));
}

/** Whether a plain value meets its need. */
export function meetsNeed(value: string, need: ValueNeed): boolean {
  if (need === 'plain') return true;
  if (need === 'web') return /^https?:\/\//i.test(value);
  return !mayBegin(need.after + value, HAZARDOUS_STARTS);
}
