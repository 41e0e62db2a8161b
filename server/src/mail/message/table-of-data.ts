/** Tables of data in the tree that html-to-text reads. */
import type { ElementNode } from 'html-to-text';

const LINES = new Set(['p', 'div', 'table', 'ul', 'ol', 'dl', 'pre', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const PARTS = new Set(['thead', 'tbody', 'tfoot']);

/** A table has many cells, and is looked through once. */
const known = new WeakMap<ElementNode, boolean>();

/** Whether it is a cell of data behind another one in its row. */
export function isBesideData(cell: ElementNode): boolean {
  let before = cell.prev ?? null;
  while (before !== null && before.name === undefined) before = before.prev ?? null;
  if (before === null || !isCell(before)) return false;
  let table = cell.parent?.parent ?? null;
  if (table !== null && PARTS.has(table.name ?? '')) table = table.parent ?? null;
  return table !== null && isOfData(table);
}

function isOfData(table: ElementNode): boolean {
  const found = known.get(table) ?? looksLikeData(table);
  known.set(table, found);
  return found;
}

/** It has headings or says so, and each of its cells is one line. */
function looksLikeData(table: ElementNode): boolean {
  if (table.name !== 'table') return false;
  const cells = childrenOf(table)
    .flatMap((part) => (PARTS.has(part.name ?? '') ? childrenOf(part) : [part]))
    .flatMap(childrenOf)
    .filter(isCell);
  const isSaid = table.attribs?.['role'] === 'table' || cells.some(({ name }) => name === 'th');
  return isSaid && cells.every((cell) => childrenOf(cell).every(({ name = '' }) => !LINES.has(name)));
}

const childrenOf = ({ children = [] }: ElementNode): readonly ElementNode[] => children;
const isCell = ({ name }: ElementNode): boolean => name === 'td' || name === 'th';
