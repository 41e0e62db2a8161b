import type { Align, Block, Button, Column, Inline } from './document.ts';
import { attributeOf, childrenOf, type Element, findIn, type Node, styleOf, textOf } from './html-tree.ts';
import { addressOf, templateOf } from './import-inline.ts';

type BlocksIn = (nodes: readonly Node[]) => Block[];

/**
 * A table of mail is a button, columns, or a place for other blocks; a table of data becomes a paragraph for each row,
 * because mail of blocks has no tables.
 */
export function tableBlocks(table: Element, blocksIn: BlocksIn): Block[] {
  const rows = rowsOf(table);
  const button = buttonIn(table, rows);
  if (button !== undefined) return [button];
  const [first] = rows;
  if (rows.length === 1 && first !== undefined) {
    const cells = cellsOf(first).filter((cell) => styleOf(cell, 'line-height') !== '0');
    const areColumns = cells.length > 1 && cells.length < 4 && cells.every((cell) => styleOf(cell, 'float') !== '');
    if (areColumns)
      return [
        {
          type: 'columns',
          content: cells.map(
            (cell): Column => ({ type: 'column', content: blocksIn(cell.childNodes) as Column['content'] }),
          ),
        },
      ]; // the document is normalised
  }
  return rows.flatMap((row) => rowBlocks(row, blocksIn));
}

const rowsOf = (table: Element): Element[] =>
  childrenOf(table).flatMap((child) =>
    child.tagName === 'tr' ? [child] : /^t(?:body|head|foot)$/.test(child.tagName) ? rowsOf(child) : [],
  );
const cellsOf = (row: Element): Element[] =>
  childrenOf(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th');

/** One cell with a ground of its own, and in it nothing but a link that fills it. */
function buttonIn(table: Element, [row, ...others]: readonly Element[]): Button | undefined {
  if (row === undefined || others.some((other) => textOf([other]).trim() !== '')) return undefined;
  const [cell, ...beside] = cellsOf(row);
  if (cell === undefined || beside.length > 0) return undefined;
  const ground = attributeOf(cell, 'bgcolor') || styleOf(cell, 'background-color') || styleOf(cell, 'background');
  const link = findIn(cell.childNodes, ({ tagName }) => tagName === 'a' || tagName === 'span');
  if (ground === '' || link === undefined || styleOf(link, 'display') !== 'inline-block') return undefined;
  if (textOf([cell]).trim() !== textOf([link]).trim()) return undefined;
  const margin = styleOf(table, 'margin');
  const align: Align = attributeOf(table, 'align') === 'center' ? 'center' : margin === '0 0 0 auto' ? 'right' : 'left';
  const text = templateOf(textOf([link]).replace(/\s+/g, ' '));
  return { type: 'button', attrs: { text, href: addressOf(attributeOf(link, 'href')), align } };
}

/** Cells with one paragraph each are words of a row; others keep their blocks. */
function rowBlocks(row: Element, blocksIn: BlocksIn): Block[] {
  const cells = cellsOf(row)
    .map((cell) => ({ isHead: cell.tagName === 'th', blocks: blocksIn(cell.childNodes) }))
    .filter(({ blocks }) => blocks.length > 0);
  const isWords = cells.every(({ blocks }) => blocks.length === 1 && blocks[0]?.type === 'paragraph');
  if (cells.length < 2 || !isWords) return cells.flatMap(({ blocks }) => blocks);
  const content = cells.flatMap(({ blocks: [block], isHead }, index): Inline[] => {
    const words = block?.type === 'paragraph' ? block.content : [];
    const marked = isHead ? words.map(bold) : words;
    return index === 0 ? marked : [{ type: 'text', text: ' | ' }, ...marked];
  });
  return [{ type: 'paragraph', attrs: { align: 'left' }, content }];
}

const bold = (inline: Inline): Inline =>
  inline.type === 'hardBreak' || inline.marks?.some(({ type }) => type === 'bold')
    ? inline
    : { ...inline, marks: [...(inline.marks ?? []), { type: 'bold' }] };
