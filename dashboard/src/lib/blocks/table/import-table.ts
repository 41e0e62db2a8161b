import { type Align, type Block, type Button, type Column, type Inline, TABLE_COLUMNS_MAX } from '../document.ts';
import { attributeOf, childrenOf, type Element, findIn, holdsBlock, type Node, styleOf, textOf } from '../html-tree.ts';
import { addressOf, inlinesIn, isBlank, settleSpaces, templateOf } from '../import-inline.ts';
import { linesOfWords } from '../words-of-blocks.ts';

type BlocksIn = (nodes: readonly Node[]) => Block[];

/**
 * A table of mail is a button, columns, or a place for other blocks. One with words alone, in more than one cell a row,
 * is a table of data.
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
  return dataTable(table, rows, blocksIn) ?? rows.flatMap((row) => rowBlocks(row, blocksIn));
}

interface DataCell {
  isHead: boolean;
  align: Align;
  words: Inline[];
}

/** Undefined: it holds something that no cell of ours does, or it is there for the layout. */
function dataTable(table: Element, rows: readonly Element[], blocksIn: BlocksIn): Block[] | undefined {
  if (/^(?:presentation|none)$/.test(attributeOf(table, 'role'))) return undefined;
  const grid: (DataCell | undefined)[][] = rows.map(() => []);
  for (const [index, row] of rows.entries()) {
    for (const cell of cellsOf(row)) {
      const made = cellOf(cell, row, blocksIn);
      if (made === undefined) return undefined;
      place(grid, index, cell, made);
    }
  }
  const filled = grid.map((row) => [...row].map((cell) => cell ?? EMPTY)).filter((row) => row.some(hasWords));
  if (filled.length === 0) return [];
  const isSaid = attributeOf(table, 'role') === 'table';
  if (!isSaid && !filled.some((row) => row.length > 1 || row.some(({ isHead }) => isHead))) return undefined;
  const [first = [], ...more] = filled;
  const isHeading = isBoldRow(first) && more.some((row) => !isBoldRow(row));
  const content = filled.map((row, index) => ({
    type: 'tableRow' as const,
    content: row.map(({ isHead, align, words }) => {
      const isHeader = isHead || (index === 0 && isHeading);
      const paragraph = { type: 'paragraph' as const, attrs: { align }, content: isHeader ? words.map(light) : words };
      return {
        type: isHeader ? ('tableHeader' as const) : ('tableCell' as const),
        content: [paragraph] as [typeof paragraph],
      };
    }),
  }));
  return [{ type: 'table', content }]; // the document is normalised
}

const EMPTY: DataCell = { isHead: false, align: 'left', words: [] };
const hasWords = ({ words }: DataCell): boolean => !isBlank(words);
/** Google Docs and Word have no other mark for a row of headings. */
const isBoldRow = (row: readonly DataCell[]): boolean =>
  row.every(({ isHead }) => isHead) ||
  row
    .filter(hasWords)
    .every(({ words }) => words.every((inline) => inline.type === 'hardBreak' || isBlank([inline]) || isBold(inline)));

/** The words stand in the first of the places that a cell takes. */
function place(grid: (DataCell | undefined)[][], index: number, element: Element, cell: DataCell): void {
  const span = (name: string, max: number) =>
    Math.min(max, Math.max(1, Number.parseInt(attributeOf(element, name), 10) || 1));
  const [columns, rows] = [span('colspan', TABLE_COLUMNS_MAX), span('rowspan', grid.length - index)];
  let at = 0;
  while (grid[index]?.[at] !== undefined) at += 1;
  for (let down = 0; down < rows; down += 1)
    for (let right = 0; right < columns; right += 1) {
      const row = grid[index + down];
      if (row !== undefined)
        row[at + right] = down === 0 && right === 0 ? cell : { ...EMPTY, isHead: cell.isHead && down === 0 };
    }
}

function cellOf(cell: Element, row: Element, blocksIn: BlocksIn): DataCell | undefined {
  const isHead = cell.tagName === 'th' || row.parentNode?.nodeName === 'thead';
  if (!holdsBlock(cell))
    return { isHead, align: sideOf(cell) ?? 'left', words: settleSpaces(inlinesIn(cell.childNodes)) };
  const blocks = blocksIn(cell.childNodes);
  const words = blocks.some(({ type }) => type === 'heading' || type === 'codeBlock')
    ? undefined
    : linesOfWords(blocks);
  const [first] = blocks;
  const align = first?.type === 'paragraph' && first.attrs.align !== 'left' ? first.attrs.align : sideOf(cell);
  return words === undefined ? undefined : { isHead, align: align ?? 'left', words };
}

function sideOf(cell: Element): Align | undefined {
  const side = styleOf(cell, 'text-align') || attributeOf(cell, 'align').toLowerCase();
  return side === 'center' || side === 'right' || side === 'left' ? side : undefined;
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

const isBold = (inline: Inline): boolean =>
  inline.type !== 'hardBreak' && (inline.marks ?? []).some(({ type }) => type === 'bold');

const bold = (inline: Inline): Inline =>
  inline.type === 'hardBreak' || isBold(inline)
    ? inline
    : { ...inline, marks: [...(inline.marks ?? []), { type: 'bold' }] };

/** Headings are bold anyway. */
const light = (inline: Inline): Inline =>
  inline.type === 'hardBreak' || inline.marks === undefined
    ? inline
    : { ...inline, marks: inline.marks.filter(({ type }) => type !== 'bold') };
