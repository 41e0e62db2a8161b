import {
  type Block,
  emptyParagraph,
  type Inline,
  type Paragraph,
  type Table,
  TABLE_COLUMNS_MAX,
  TABLE_ROWS_MAX,
  type TableCell,
  type TableRow,
} from '../document.ts';
import { inlinesOf } from '../normalise-inline.ts';
import { fieldOf, listOf } from '../unknown-json.ts';
import { linesOfWords } from '../words-of-blocks.ts';

/** `blocksOf` makes blocks of the content of a cell, of which a cell keeps the words. */
export function tablesOf(content: unknown, blocksOf: (content: unknown) => Block[]): Table[] {
  const rows = listOf(content)
    .filter((node) => fieldOf(node, 'type') === 'tableRow')
    .map((row) => bounded(cellsOf(row, blocksOf)));
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width === 0) return [];
  const even = rows.map(
    (cells): TableRow => ({ type: 'tableRow', content: [...cells, ...emptyCells(width - cells.length)] }),
  );
  const tables: Table[] = [];
  for (let at = 0; at < even.length; at += TABLE_ROWS_MAX)
    tables.push({ type: 'table', content: even.slice(at, at + TABLE_ROWS_MAX) });
  return tables;
}

const emptyCells = (count: number): TableCell[] =>
  Array.from({ length: count }, () => ({ type: 'tableCell', content: [emptyParagraph()] }));

function cellsOf(row: unknown, blocksOf: (content: unknown) => Block[]): TableCell[] {
  return listOf(fieldOf(row, 'content')).flatMap((node): TableCell[] => {
    const type = fieldOf(node, 'type');
    if (type !== 'tableCell' && type !== 'tableHeader') return [];
    const blocks = blocksOf(fieldOf(node, 'content'));
    const [first] = blocks;
    const align = first?.type === 'paragraph' || first?.type === 'heading' ? first.attrs.align : 'left';
    return [{ type, content: [paragraphOf(wordsOf(blocks), align)] }];
  });
}

/** A picture, or another block that is no words, has no place in a cell. */
const wordsOf = (blocks: readonly Block[]): Inline[] =>
  linesOfWords(blocks.filter((block) => linesOfWords([block]) !== undefined)) ?? [];

const paragraphOf = (content: Inline[], align: Paragraph['attrs']['align']): Paragraph => ({
  type: 'paragraph',
  attrs: { align },
  content: inlinesOf(content),
});

/** The last cell takes the words of those that are too many. */
function bounded(cells: TableCell[]): TableCell[] {
  const [last, ...more] = cells.slice(TABLE_COLUMNS_MAX - 1);
  if (last === undefined || more.length === 0) return cells;
  const [paragraph] = last.content;
  const words = [last, ...more].map(({ content: [{ content }] }) => content).filter((content) => content.length > 0);
  const all = words.flatMap((content, index): Inline[] =>
    index === 0 ? content : [{ type: 'text', text: ' ' }, ...content],
  );
  return [...cells.slice(0, TABLE_COLUMNS_MAX - 1), { ...last, content: [paragraphOf(all, paragraph.attrs.align)] }];
}
