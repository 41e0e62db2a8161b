/**
 * Cells that a spreadsheet would take for formulas. In an export an apostrophe stands before them, and one more before
 * cells that begin as if they had it already, so that taking one away gives back exactly what was there.
 */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const ESCAPED = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** For a cell that csv-stringify, told to escape formulas, would leave as it is. */
export const protectApostrophe = (cell: string): string => (ESCAPED.test(cell) ? `'${cell}` : cell);

/** What stood there before it was made safe for a spreadsheet. */
export const unescapeFormula = (cell: string): string =>
  ESCAPED.test(cell) && (FORMULA.test(cell.slice(1)) || cell.startsWith("''")) ? cell.slice(1) : cell;
