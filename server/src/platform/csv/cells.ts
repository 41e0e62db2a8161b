/** The cells of a CSV record, read and written. */

/**
 * The first characters of a cell that a spreadsheet would take for a formula; some of them in the width of Asian
 * scripts.
 */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const ESCAPED = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * A cell that a spreadsheet shows as it is: an apostrophe stands before what would be a formula, and one more before
 * what begins as if it had one already, so that taking one away gives back exactly what was there.
 */
export const escapeFormula = (cell: string): string => (FORMULA.test(cell) || ESCAPED.test(cell) ? `'${cell}` : cell);

/** The original cell, before it was made safe for a spreadsheet. */
export const unescapeFormula = (cell: string): string =>
  ESCAPED.test(cell) && (FORMULA.test(cell.slice(1)) || cell.startsWith("''")) ? cell.slice(1) : cell;

/** One line of a CSV file, with its end. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(escapeFormula(cell))).join(',')}\r\n`;

// Spaces at the edges are quoted too: readers trim what is not.
const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The cells of a record; what is not in quotation marks is trimmed. Text after a closing mark belongs to the cell. */
export function splitCells(text: string, delimiter: string, hasQuotes: boolean): string[] {
  if (!hasQuotes) return text.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const begin = pastSpaces(text, at);
    if (text[begin] === '"') {
      const { cell, end } = readQuoted(text, begin + 1);
      const next = endOf(text, delimiter, end);
      cells.push(cell + text.slice(end, next).trimEnd());
      at = next;
    } else {
      const next = endOf(text, delimiter, at);
      cells.push(text.slice(at, next).trim());
      at = next;
    }
    if (at >= text.length) return cells;
    at += 1;
    if (at === text.length) return [...cells, ''];
  }
}

/** Some programs write a space behind each separator; a quotation mark after it opens a cell as well. */
function pastSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}

const endOf = (text: string, delimiter: string, from: number): number => {
  const found = text.indexOf(delimiter, from);
  return found === -1 ? text.length : found;
};

/** From behind the opening mark; `end` is behind the closing one. */
function readQuoted(text: string, from: number): { cell: string; end: number } {
  let at = from;
  for (;;) {
    const mark = text.indexOf('"', at);
    if (mark === -1) return { cell: text.slice(from).replaceAll('""', '"'), end: text.length };
    if (text[mark + 1] !== '"') return { cell: text.slice(from, mark).replaceAll('""', '"'), end: mark + 1 };
    at = mark + 2;
  }
}

/** Whatever a first line has most of; a header has few reasons to hold the others. */
export function delimiterOf(line: string): string {
  const bare = line.replace(/"(?:[^"]|"")*"/g, '');
  const count = (mark: string): number => bare.split(mark).length;
  return [',', ';', '\t', '|'].reduce((most, mark) => (count(mark) > count(most) ? mark : most), ',');
}
