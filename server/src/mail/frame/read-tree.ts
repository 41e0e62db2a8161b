/** A html document as the tree that a browser makes of it, within limits, and with nothing in it that is refused. */
import type { DefaultTreeAdapterMap, Token, TreeAdapter } from 'parse5';
import { withThousands } from '#platform/english.ts';
import { htmlParser } from '../html-parser.ts';
import { isSuspect, refuseCss, refuseElement } from './html-hazards.ts';
import { RefusedHtml } from './refused-html.ts';

export type Element = DefaultTreeAdapterMap['element'];
export type Node = DefaultTreeAdapterMap['childNode'];
export type Document = DefaultTreeAdapterMap['document'];

/** An honest mail has a tenth of each. Beyond them reading takes time by the square of what is nested. */
const ELEMENTS_MAX = 20_000;
const DEPTH_MAX = 300;
const ATTRIBUTES_MAX = 1_000;
/** Of a whole mail, files in it left out: judging 1,000,000 keeps a core busy for up to 3 s. Honest mail has 14,000. */
const STYLE_CHARACTERS_MAX = 150_000;
/** One token. Without the bracket in front of it, rules could stand behind the word and count for nothing. */
const FILE_IN_CSS = /url\(\s*["']?data:[^)"'\s]*/gi;

export interface ReadHtml {
  /** Offsets in the source are on its nodes. */
  document: Document;
  /** The elements that were open where the marked element came to be, outermost first; undefined: it did not. */
  openAtMark: readonly Element[] | undefined;
}

/**
 * `mark`: the attribute of an element to look out for. `scripting`: as a browser reads that would run scripts, where
 * the inside of <noscript> is no html. Throws RefusedHtml.
 */
export function readTree(html: string, mark?: string, scripting = false): ReadHtml {
  const { defaultTreeAdapter, parse } = htmlParser();
  let elements = 0;
  let styleCharacters = 0;
  const countStyle = (css: string): void => {
    styleCharacters += css.length > STYLE_CHARACTERS_MAX ? css.replace(FILE_IN_CSS, '').length : css.length;
    if (styleCharacters > STYLE_CHARACTERS_MAX) {
      const most = withThousands(STYLE_CHARACTERS_MAX);
      throw new RefusedHtml(`Its styles have more than ${most} characters, and are too long to be judged.`);
    }
  };
  const judge = (name: string, attributes: readonly Token.Attribute[]): void => {
    if (attributes.length > ATTRIBUTES_MAX) {
      throw new RefusedHtml(`A <${name}> element has more than ${withThousands(ATTRIBUTES_MAX)} attributes.`);
    }
    const style = attributes.find((attribute) => attribute.name === 'style')?.value;
    if (style !== undefined && (isRoot(name) || isSuspect(style))) countStyle(style);
    refuseElement(name, attributes);
  };
  const open: Element[] = [];
  let openAtMark: Element[] | undefined;
  const adapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      elements += 1;
      if (elements > ELEMENTS_MAX) throw new RefusedHtml(`It has more than ${ELEMENTS_MAX} elements.`);
      judge(name, attributes);
      if (attributes.some((attribute) => attribute.name === mark)) openAtMark = [...open];
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    adoptAttributes(element, attributes) {
      judge(element.tagName, attributes);
      defaultTreeAdapter.adoptAttributes(element, attributes);
    },
    onItemPush(element) {
      open.push(element);
      if (open.length > DEPTH_MAX) throw new RefusedHtml(`Its elements are nested more than ${DEPTH_MAX} deep.`);
    },
    onItemPop(element) {
      // Nearly always the last; a closed formatting element may be further in.
      const at = open.lastIndexOf(element);
      if (at !== -1) open.splice(at, 1);
    },
  };
  const document = parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: scripting, treeAdapter: adapter });
  const sheets = stylesOf(document);
  for (const css of sheets) countStyle(css);
  for (const css of sheets) refuseCss(css);
  return { document, openAtMark };
}

const isRoot = (name: string): boolean => name === 'html' || name === 'body';

/** The texts of all its <style> elements. */
export function stylesOf(document: Document): string[] {
  const styles: string[] = [];
  for (const element of elementsOf(document)) {
    if (element.tagName === 'style') styles.push(element.childNodes.map((child) => textOf(child)).join(''));
  }
  return styles;
}

const textOf = (node: Node): string => (htmlParser().defaultTreeAdapter.isTextNode(node) ? node.value : '');

/** Every element, parents first, those in templates left out: they are not shown. */
export function* elementsOf(parent: Document | Element): Generator<Element> {
  const { defaultTreeAdapter } = htmlParser();
  const open: (Document | Element)[] = [parent];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next !== parent && defaultTreeAdapter.isElementNode(next)) yield next;
    for (const child of next.childNodes.toReversed()) {
      if (defaultTreeAdapter.isElementNode(child)) open.push(child);
    }
  }
}

/** The element whose tag begins there in the source. */
export function elementAt(document: Document, offset: number): Element | undefined {
  for (const element of elementsOf(document)) {
    if (element.sourceCodeLocation?.startOffset === offset) return element;
  }
  return undefined;
}

/** The ancestors, innermost first. */
export function* ancestorsOf(element: Element): Generator<Element> {
  const { defaultTreeAdapter } = htmlParser();
  for (let parent = element.parentNode; parent !== null && defaultTreeAdapter.isElementNode(parent); ) {
    yield parent;
    parent = parent.parentNode;
  }
}

/** Its <html> and <body>, which every document has. */
export function rootsOf(document: Document): { root: Element; body: Element | undefined } {
  const { defaultTreeAdapter, html: names } = htmlParser();
  const root = document.childNodes.find((node) => defaultTreeAdapter.isElementNode(node));
  if (root === undefined) throw new Error('a document was read without a root');
  const body = root.childNodes.find(
    (node) => defaultTreeAdapter.isElementNode(node) && node.tagName === 'body' && node.namespaceURI === names.NS.HTML,
  );
  return { root, body: body !== undefined && defaultTreeAdapter.isElementNode(body) ? body : undefined };
}
