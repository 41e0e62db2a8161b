/**
 * Makes a document of any JSON: what is unknown is left out, what stands where it may not be is put where it may.
 * Everything that renders, stores or compares documents works on the result, so none of it meets another shape.
 */
import { isLink, isPictureAddress, trimAddress } from './address.ts';
import {
  type Align,
  ALIGNS,
  type Block,
  type BlockDocument,
  type Column,
  emptyParagraph,
  type List,
  LIST_DEPTH_MAX,
  type ListItem,
  type Paragraph,
  type Quote,
  READ_VERSIONS,
} from './document.ts';
import { cleanText } from './escape.ts';
import { isHeld } from './held-picture.ts';
import { codeOf, inlinesOf } from './normalise-inline.ts';
import { tablesOf } from './table/normalise-table.ts';
import { fieldOf, listOf, numberField, textField } from './unknown-json.ts';

export const PICTURE_WIDTH_MAX = 2_000;

export function normaliseDocument(value: unknown): BlockDocument {
  const content = blocksOf(fieldOf(value, 'content'));
  return { type: 'doc', content: content.length === 0 ? [emptyParagraph()] : content };
}

/** The document that an issue keeps; null: it keeps none, or one of a version to come. */
export function readStoredDocument(stored: unknown): BlockDocument | null {
  const version = fieldOf(stored, 'version');
  if (fieldOf(stored, 'kind') !== 'blocks' || !READ_VERSIONS.some((one) => one === version)) return null;
  return normaliseDocument(fieldOf(stored, 'document'));
}

const alignOf = (attrs: unknown): Align => ALIGNS.find((align) => align === fieldOf(attrs, 'align')) ?? 'left';

const blocksOf = (value: unknown): Block[] => joinLists(listOf(value).flatMap((node) => blockOf(node, 1)));

function blockOf(node: unknown, listDepth: number): Block[] {
  const attrs = fieldOf(node, 'attrs');
  const content = fieldOf(node, 'content');
  switch (fieldOf(node, 'type')) {
    case 'paragraph':
      return [{ type: 'paragraph', attrs: { align: alignOf(attrs) }, content: inlinesOf(content) }];
    case 'heading': {
      const level = ([1, 2, 3] as const).find((one) => one === fieldOf(attrs, 'level')) ?? 3;
      return [{ type: 'heading', attrs: { level, align: alignOf(attrs) }, content: inlinesOf(content) }];
    }
    case 'bulletList':
    case 'orderedList':
      return listBlocks(node, listDepth);
    case 'blockquote':
      return quoteOf(content);
    case 'codeBlock':
      return [{ type: 'codeBlock', content: codeOf(content) }];
    case 'horizontalRule':
      return [{ type: 'horizontalRule' }];
    case 'picture':
      return pictureOf(attrs);
    case 'button':
      return buttonOf(attrs);
    case 'columns':
      return columnsOf(content);
    case 'table':
      return tablesOf(content, (inside) => blocksOf(inside));
    case 'rawHtml':
      return rawOf(attrs);
    default:
      return [];
  }
}

function pictureOf(attrs: unknown): Block[] {
  const src = trimAddress(textField(attrs, 'src'));
  if (!isPictureAddress(src) && !isHeld(src)) return [];
  const href = trimAddress(textField(attrs, 'href'));
  return [
    {
      type: 'picture',
      attrs: {
        src,
        alt: lineOf(textField(attrs, 'alt')),
        width: numberField(attrs, 'width', 1, PICTURE_WIDTH_MAX) ?? null,
        ratio: ratioOf(attrs),
        decorative: fieldOf(attrs, 'decorative') === true,
        href: isLink(href) ? href : '',
        align: alignOf(attrs),
      },
    },
  ];
}

/** Not rounded, as other numbers are. */
function ratioOf(attrs: unknown): number | null {
  const ratio = fieldOf(attrs, 'ratio');
  return typeof ratio === 'number' && ratio >= 0.001 && ratio <= 100 ? ratio : null;
}

/** A button that leads nowhere yet is kept: it is being written. */
function buttonOf(attrs: unknown): Block[] {
  const href = trimAddress(textField(attrs, 'href'));
  const text = lineOf(textField(attrs, 'text'));
  return [{ type: 'button', attrs: { text, href: isLink(href) ? href : '', align: alignOf(attrs) } }];
}

const lineOf = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

function rawOf(attrs: unknown): Block[] {
  const html = textField(attrs, 'html').toWellFormed().replaceAll('\u0000', '');
  return [{ type: 'rawHtml', attrs: { html } }];
}

function columnsOf(content: unknown): Block[] {
  const columns = listOf(content).filter((node) => fieldOf(node, 'type') === 'column');
  const all = columns.map((column) => columnBlocks(fieldOf(column, 'content')));
  if (all.length < 2) return all.flat();
  const [first = [], second = [], ...more] = all;
  const contents = more.length === 0 ? [first, second] : [first, second, more.flat()];
  return [{ type: 'columns', content: contents.map(columnOf) }];
}

const columnOf = (blocks: Column['content']): Column => ({
  type: 'column',
  content: blocks.length === 0 ? [emptyParagraph()] : blocks,
});

/** Columns in a column would be too narrow for anything: their blocks stand one below the other. */
const columnBlocks = (content: unknown): Column['content'] =>
  blocksOf(content).flatMap((block) =>
    block.type === 'columns' ? block.content.flatMap((column) => column.content) : [block],
  );

type InQuote = Quote['content'][number];

/** Blocks that no quote holds divide it. */
function quoteOf(content: unknown): Block[] {
  const parts: Block[] = [];
  let open: InQuote[] = [];
  const close = () => {
    if (open.length > 0) parts.push({ type: 'blockquote', content: open });
    open = [];
  };
  for (const block of blocksOf(content)) {
    if (block.type === 'blockquote') open.push(...block.content);
    else if (isInQuote(block)) open.push(block);
    else {
      close();
      parts.push(block);
    }
  }
  close();
  return parts.length === 0 ? [{ type: 'blockquote', content: [emptyParagraph()] }] : parts.map(joinInQuote);
}

const joinInQuote = (block: Block): Block =>
  block.type === 'blockquote' ? { ...block, content: joinLists(block.content) } : block;

const isInQuote = (block: Block): block is InQuote =>
  block.type === 'paragraph' || block.type === 'heading' || isList(block);

const isList = (block: { type: string }): block is List => block.type === 'bulletList' || block.type === 'orderedList';

/** A list, and behind it the blocks that no item of a list holds. */
function listBlocks(node: unknown, depth: number): Block[] {
  const behind: Block[] = [];
  const items: ListItem[] = [];
  for (const item of listOf(fieldOf(node, 'content'))) {
    if (fieldOf(item, 'type') !== 'listItem') continue;
    const parts = itemParts(fieldOf(item, 'content'), depth);
    behind.push(...parts.behind);
    items.push(parts.item, ...parts.lifted);
  }
  if (items.length === 0) return behind;
  if (fieldOf(node, 'type') === 'bulletList') return [{ type: 'bulletList', content: items }, ...behind];
  const start = numberField(fieldOf(node, 'attrs'), 'start', 1, 99_999) ?? 1;
  return [{ type: 'orderedList', attrs: { start }, content: items }, ...behind];
}

/** `lifted`: items of lists that would be nested too deeply, which follow on the level of this one. */
function itemParts(content: unknown, depth: number): { item: ListItem; lifted: ListItem[]; behind: Block[] } {
  const inside: ListItem['content'] = [];
  const lifted: ListItem[] = [];
  const behind: Block[] = [];
  for (const block of listOf(content).flatMap((node) => blockOf(node, depth + 1))) {
    if (isList(block)) {
      if (depth < LIST_DEPTH_MAX) inside.push(block);
      else lifted.push(...block.content);
    } else {
      const paragraphs = paragraphsOf(block);
      if (paragraphs === undefined) behind.push(block);
      else inside.push(...paragraphs);
    }
  }
  const [first, ...more] = inside[0]?.type === 'paragraph' ? inside : [emptyParagraph(), ...inside];
  // A line that is empty is nothing that a list could show.
  const rest = more.filter((block) => isList(block) || block.content.length > 0);
  return { item: { type: 'listItem', content: joinLists([first ?? emptyParagraph(), ...rest]) }, lifted, behind };
}

/** The words of a block as paragraphs; undefined: it is no block of words. */
function paragraphsOf(block: Block): (Paragraph | List)[] | undefined {
  switch (block.type) {
    case 'paragraph':
      return [{ ...block, attrs: { align: 'left' } }];
    case 'heading':
      return [{ type: 'paragraph', attrs: { align: 'left' }, content: block.content }];
    default:
      return undefined;
  }
}

/** Two lists of one kind, one behind the other, are one: nobody could see that they are two. */
function joinLists<B extends { type: string }>(blocks: B[]): B[] {
  const joined: B[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last !== undefined && isList(last) && isList(block) && goesOn(last, block)) {
      joined[joined.length - 1] = { ...last, content: [...last.content, ...block.content] };
    } else joined.push(block);
  }
  return joined;
}

const goesOn = (last: List, next: List): boolean =>
  last.type === 'orderedList' && next.type === 'orderedList'
    ? next.attrs.start === last.attrs.start + last.content.length
    : last.type === next.type && next.type === 'bulletList';
