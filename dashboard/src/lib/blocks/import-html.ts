/**
 * Html from elsewhere as a document: what a person copied in Google Docs, Word, Gmail or a web page, and the html that
 * this editor makes. Its structure is kept (headings, lists, links, marks, pictures, quotes), its looks are not.
 */
import { isPictureAddress } from './address.ts';
import type { Align, Block, BlockDocument, Inline } from './document.ts';
import { normaliseDocument } from './normalise.ts';
import {
  attributeOf,
  DEPTH_MAX,
  type Element,
  findIn,
  holdsBlock,
  IGNORED,
  isBlock,
  isElement,
  isHidden,
  type Node,
  readHtml,
  styleOf,
  textOf,
  withBraces,
} from './html-tree.ts';
import { addressOf, inlinesIn, isBlank, settleSpaces, templateOf } from './import-inline.ts';
import { listIn, WordLists, wordListOf } from './import-lists.ts';
import { tableBlocks } from './table/import-table.ts';

export interface Imported {
  document: BlockDocument;
  /** Pictures that only the program could show that they were copied from. */
  lostPictures: number;
}

export interface Importing {
  lostPictures: number;
  hold: Hold;
  /** An empty paragraph is a gap that somebody made, and none that a program made between all its paragraphs. */
  keepsGaps: boolean;
}

/** The address under which a picture is held that no mail can load (`data:`, `file:`); undefined: it is lost. */
type Hold = (src: string) => string | undefined;

/** `keepsGaps` is for html of this editor. */
export function importHtml(html: string, { keepsGaps = false, hold = (() => undefined) as Hold } = {}): Imported {
  const importing: Importing = { lostPictures: 0, hold, keepsGaps };
  const content = blocksIn(readHtml(html), importing);
  return { document: normaliseDocument({ type: 'doc', content }), lostPictures: importing.lostPictures };
}

/** The blocks of these nodes; inline nodes between blocks are paragraphs of their own. */
function blocksIn(nodes: readonly Node[], importing: Importing, align: Align = 'left', depth = 0): Block[] {
  if (depth > DEPTH_MAX) return [];
  const blocks: Block[] = [];
  const wordLists = new WordLists(blocks);
  let line: Node[] = [];
  const endLine = () => {
    if (line.length > 0) blocks.push(...paragraphsOf(inlinesIn(line), align));
    line = [];
  };
  for (const node of nodes) {
    if (!isElement(node)) {
      line.push(node);
      continue;
    }
    if (IGNORED.has(node.tagName) || isHidden(node)) continue;
    const isInline = !isBlock(node) && !holdsBlock(node);
    if (isInline) {
      line.push(node);
      continue;
    }
    endLine();
    const item = wordListOf(node);
    if (item !== undefined) wordLists.add(item, paragraphsOf(inlinesIn(node.childNodes), 'left'));
    else {
      const made = blocksOf(node, importing, align, depth);
      if (made.length > 0) wordLists.end();
      blocks.push(...made);
    }
  }
  endLine();
  return blocks;
}

function blocksOf(element: Element, importing: Importing, outer: Align, depth: number): Block[] {
  const align = alignOf(element) ?? outer;
  const level = headingLevel(element);
  if (level !== undefined) return headingOf(element, level, align, importing, depth);
  switch (element.tagName) {
    case 'p':
    case 'div':
    case 'dt':
    case 'dd':
      return holdsBlock(element)
        ? blocksIn(element.childNodes, importing, align, depth + 1)
        : gapOr(paragraphsOf(inlinesIn(element.childNodes), align), element, importing);
    case 'ul':
    case 'ol':
      return listIn(element, (nodes) => blocksIn(nodes, importing, 'left', depth + 1));
    case 'blockquote':
      return [{ type: 'blockquote', content: blocksIn(element.childNodes, importing, 'left', depth + 1) as never }]; // the document is normalised
    case 'pre':
      return [codeOf(element)];
    case 'hr':
      return [{ type: 'horizontalRule' }];
    case 'img':
      return pictureOf(element, '', align, importing);
    case 'a':
      return linkedBlocks(element, importing, align, depth);
    case 'table':
      return tableBlocks(element, (nodes) => blocksIn(nodes, importing, align, depth + 1));
    default:
      return blocksIn(element.childNodes, importing, align, depth + 1);
  }
}

function headingLevel(element: Element): 1 | 2 | 3 | undefined {
  const tag = /^h([1-6])$/.exec(element.tagName)?.[1];
  // Word in a browser writes headings as paragraphs.
  const role = attributeOf(element, 'role') === 'heading' ? attributeOf(element, 'aria-level') : '';
  const level = Number(tag ?? (/^[1-9]$/.test(role) ? role : Number.NaN));
  return Number.isNaN(level) ? undefined : level === 1 ? 1 : level === 2 ? 2 : 3;
}

function headingOf(element: Element, level: 1 | 2 | 3, align: Align, importing: Importing, depth: number): Block[] {
  const pictures = holdsBlock(element)
    ? blocksIn(element.childNodes, importing, align, depth + 1).filter(({ type }) => type === 'picture')
    : [];
  const content = settleSpaces(inlinesIn(element.childNodes));
  return isBlank(content) ? pictures : [{ type: 'heading', attrs: { level, align }, content }, ...pictures];
}

/** A paragraph for each line break that stands twice; none for what is blank. */
function paragraphsOf(inlines: readonly Inline[], align: Align): Block[] {
  const paragraphs: Inline[][] = [[]];
  for (const inline of settleSpaces(inlines)) {
    const open = paragraphs.at(-1) ?? [];
    if (inline.type === 'hardBreak' && open.at(-1)?.type === 'hardBreak') paragraphs.push([]);
    else if (inline.type !== 'hardBreak' || open.length > 0) open.push(inline);
  }
  return paragraphs
    .filter((content) => !isBlank(content))
    .map((content) => ({ type: 'paragraph', attrs: { align }, content }));
}

function gapOr(paragraphs: Block[], element: Element, { keepsGaps }: Importing): Block[] {
  if (paragraphs.length > 0 || !keepsGaps || element.tagName !== 'p') return paragraphs;
  return [{ type: 'paragraph', attrs: { align: 'left' }, content: [] }];
}

function codeOf(element: Element): Block {
  const text = withBraces(textOf(element.childNodes)).replace(/\n$/, '');
  return { type: 'codeBlock', content: text === '' ? [] : [{ type: 'text', text }] };
}

/** A picture that is a link is one block; other blocks in a link keep their words, and their own links. */
function linkedBlocks(element: Element, importing: Importing, align: Align, depth: number): Block[] {
  const picture = findIn(element.childNodes, ({ tagName }) => tagName === 'img');
  if (picture !== undefined && textOf(element.childNodes).trim() === '') {
    return pictureOf(picture, addressOf(attributeOf(element, 'href')), align, importing);
  }
  return blocksIn(element.childNodes, importing, align, depth + 1);
}

/** Pixels that count their readers, and spacers, are no pictures. */
const PICTURE_PX_MIN = 3;

function pictureOf(element: Element, href: string, align: Align, importing: Importing): Block[] {
  const given = addressOf(attributeOf(element, 'src'));
  const size = (name: 'width' | 'height') =>
    Number.parseFloat(attributeOf(element, name) || /^(\d+(?:\.\d+)?)px$/.exec(styleOf(element, name))?.[1] || 'NaN');
  const width = size('width');
  if (width < PICTURE_PX_MIN || size('height') < PICTURE_PX_MIN) return [];
  const height = size('height');
  const src = isPictureAddress(given) ? given : importing.hold(attributeOf(element, 'src').trim());
  if (src === undefined) {
    if (given !== '') importing.lostPictures += 1;
    return [];
  }
  const alt = templateOf(attributeOf(element, 'alt'));
  const isShare = ['width', 'height'].some((name) => attributeOf(element, name).endsWith('%'));
  const attrs = {
    src,
    alt,
    width: isShare || Number.isNaN(width) ? null : Math.round(width),
    ratio: isShare || !(height / width > 0) ? null : height / width,
    decorative: alt === '' && attributeOf(element, 'role') === 'presentation',
    href,
    align,
  };
  return [{ type: 'picture', attrs }];
}

const alignOf = (element: Element): Align | undefined => {
  const side = styleOf(element, 'text-align') || attributeOf(element, 'align').toLowerCase();
  if (element.tagName === 'center') return 'center';
  return side === 'center' || side === 'right' || side === 'left' ? side : undefined;
};
