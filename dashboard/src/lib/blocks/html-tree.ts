/** Html of unknown origin as a tree, and the questions that an import asks about its elements. */
import { type DefaultTreeAdapterMap, parse } from 'parse5';

export type Element = DefaultTreeAdapterMap['element'];
export type Node = DefaultTreeAdapterMap['childNode'];

/** A brace that the author wrote as a reference is a brace and begins no variable. It stands so until it is read. */
const WRITTEN_BRACE = '\ue000';
const BRACE_REFERENCE = /&(?:#0*123|#x0*7b|lcub|lbrace);/gi;
export const withBraces = (text: string): string => text.replaceAll(WRITTEN_BRACE, '{');

/** Deeper than this nothing is looked at: honest html has a tenth of it. */
export const DEPTH_MAX = 200;

/** The nodes of its body. */
export function readHtml(html: string): Node[] {
  const source = html.replaceAll(WRITTEN_BRACE, '').replace(BRACE_REFERENCE, WRITTEN_BRACE);
  const document = parse(source, { scriptingEnabled: false });
  const root = document.childNodes.find((node) => isElement(node) && node.tagName === 'html');
  const body =
    root !== undefined && isElement(root)
      ? root.childNodes.find((node) => isElement(node) && node.tagName === 'body')
      : undefined;
  return body !== undefined && isElement(body) ? body.childNodes : [];
}

export const isElement = (node: Node): node is Element => 'tagName' in node;
export const isText = (node: Node): node is DefaultTreeAdapterMap['textNode'] => node.nodeName === '#text';

export const attributeOf = (element: Element, name: string): string =>
  element.attrs.find((attribute) => attribute.name === name)?.value ?? '';

/** A property of its style attribute, in lower case; the last one counts. */
export function styleOf(element: Element, property: string): string {
  let value = '';
  for (const declaration of attributeOf(element, 'style').split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    if (declaration.slice(0, colon).trim().toLowerCase() === property)
      value = declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase();
  }
  return value;
}

export const childrenOf = (element: Element): Element[] => element.childNodes.filter(isElement);

/** The first element below it, or itself, for which this holds. */
export function findIn(nodes: readonly Node[], holds: (element: Element) => boolean, depth = 0): Element | undefined {
  if (depth > DEPTH_MAX) return undefined;
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const found = holds(node) ? node : findIn(node.childNodes, holds, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function textOf(nodes: readonly Node[], depth = 0): string {
  if (depth > DEPTH_MAX) return '';
  return nodes
    .map((node) => {
      if (isText(node)) return node.value;
      if (!isElement(node) || IGNORED.has(node.tagName)) return '';
      return node.tagName === 'br' ? '\n' : textOf(node.childNodes, depth + 1);
    })
    .join('');
}

/** They have no words for readers. `o:p` and others of Word are unknown elements, whose words count. */
// biome-ignore format: a list of words
export const IGNORED = new Set([
  'script', 'style', 'head', 'title', 'meta', 'link', 'base', 'template', 'noscript', 'iframe', 'object', 'embed',
  'applet', 'svg', 'math', 'canvas', 'audio', 'video', 'select', 'textarea', 'input', 'button', 'xml',
]);

// biome-ignore format: a list of words
const BLOCKS = new Set([
  'p', 'div', 'section', 'article', 'main', 'header', 'footer', 'aside', 'nav', 'center', 'figure', 'figcaption',
  'address', 'form', 'fieldset', 'details', 'summary', 'dl', 'dt', 'dd', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul',
  'ol', 'li', 'blockquote', 'pre', 'hr', 'table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th', 'caption', 'img',
]);
export const isBlock = (node: Node): node is Element => isElement(node) && BLOCKS.has(node.tagName);

/** Whether a block stands in it, in inline elements as well. */
export const holdsBlock = (element: Element): boolean =>
  findIn(element.childNodes, (inner) => BLOCKS.has(inner.tagName)) !== undefined;

/** Not shown, so not meant: preview texts, and the marks of lists that Word writes for programs without lists. */
export const isHidden = (element: Element): boolean =>
  styleOf(element, 'display') === 'none' ||
  styleOf(element, 'mso-hide') === 'all' ||
  styleOf(element, 'mso-list') === 'ignore' ||
  attributeOf(element, 'class').split(/\s+/).includes('Apple-tab-span');
