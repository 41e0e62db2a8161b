import { delimiterOf, splitCells } from '#platform/csv/cells.ts';
import { RecordReader } from '#platform/csv/records.ts';
import { type AppError, invalid } from '#platform/errors/app-error.ts';
import type { FileFormat } from './import.ts';
import { type Layout, layoutOf, type LayoutRules, layoutWithoutHeader, type LayoutWishes } from './layout.ts';
import { COLUMNS_MAX, jsonLayout, readObject, RECORD_BYTES_MAX } from './read-file.ts';

/** The abilities of its target, and the options of the caller. */
export interface Asked {
  rules: LayoutRules;
  wishes: LayoutWishes;
}

export interface FileStart {
  layout: Layout;
  /** Where the first row begins. */
  atByte: number;
  atLine: number;
}

const SAVE_AS = 'Save it as UTF-8 ("CSV UTF-8" in a spreadsheet).';
const NO_COLUMN =
  'The file has no column of addresses. Name one "email" in the first line, or say in column_map which one it is.';
/** More than this share of NUL is text of two bytes a letter. */
const WIDE_SHARE = 0.2;

/**
 * Reads how a file is laid out from its beginning, so that the sender of a wrong one is told before the rest of it has
 * arrived. Throws a validation error that says what to do.
 */
export function lookAtFile(beginning: Buffer, format: FileFormat, asked: Asked, isWhole: boolean): FileStart {
  refuseWide(beginning);
  return format === 'csv' ? lookAtCsv(beginning, asked, isWhole) : lookAtJson(beginning, asked, isWhole);
}

/** Lines of JSON begin as an object does. */
export const formatOf = (beginning: Buffer): FileFormat =>
  /^\ufeff?\s*\{/.test(beginning.toString('utf8', 0, 1_024)) ? 'jsonl' : 'csv';

function refuseWide(beginning: Buffer): void {
  const [first, second] = beginning;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const head = beginning.subarray(0, 1_024);
  const nuls = head.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  if (hasMark || (head.length > 8 && nuls > head.length * WIDE_SHARE)) throw bad(`The file is UTF-16. ${SAVE_AS}`);
}

function lookAtCsv(beginning: Buffer, asked: Asked, isWhole: boolean): FileStart {
  const text = beginning
    .subarray(0, 65_536)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  // A spreadsheet's own way of saying it stands in a line before the header.
  const said = /^sep=([,;\t|])\r?\n?/i.exec(text)?.[1];
  const firstLine = /^(?:[ \t]*[\r\n]+)*([^\r\n]*)/.exec(text)?.[1] ?? '';
  const delimiter = said ?? delimiterOf(firstLine);
  const reader = new RecordReader({ recordBytesMax: RECORD_BYTES_MAX, delimiter });
  reader.push(beginning);
  let start = { endByte: 0, endLine: 1 };
  for (let record = reader.next(isWhole); record !== undefined; record = reader.next(isWhole)) {
    if (record.fault === 'not_utf8') throw bad(`The first line is not UTF-8. ${SAVE_AS}`);
    if (record.fault !== null) throw bad(`The first line is not CSV (${record.fault}).`);
    const cells = splitCells(record.text, delimiter, record.hasQuotes);
    if (cells.length > COLUMNS_MAX) throw bad(`The file has more than ${COLUMNS_MAX} columns.`);
    if (cells.some((cell) => cell !== '') && !/^sep=/i.test(record.text)) {
      if (cells.some((cell) => /\S@\S/.test(cell)))
        return withoutHeader(cells, { rules: asked.rules, delimiter }, start);
      const columns = cells.map((name, index) => ({ name, at: String(index) }));
      const layout = layoutOf(columns, asked, delimiter);
      if (layout === undefined) throw bad(NO_COLUMN);
      return { layout, atByte: record.endByte, atLine: record.endLine };
    }
    start = record;
  }
  throw bad(beginning.length === 0 || isWhole ? 'The file is empty.' : 'The first line is too long.');
}

function withoutHeader(
  cells: readonly string[],
  { rules, delimiter }: { rules: LayoutRules; delimiter: string },
  start: { endByte: number; endLine: number },
) {
  const layout = layoutWithoutHeader(cells, rules, delimiter);
  if (layout === undefined) throw bad(NO_COLUMN);
  return { layout, atByte: start.endByte, atLine: start.endLine };
}

function lookAtJson(beginning: Buffer, asked: Asked, isWhole: boolean): FileStart {
  const reader = new RecordReader({ recordBytesMax: RECORD_BYTES_MAX, delimiter: null });
  reader.push(beginning);
  for (let record = reader.next(isWhole); record !== undefined; record = reader.next(isWhole)) {
    if (record.fault === null && record.text.trim() === '') continue;
    const read = record.fault === null ? readObject(record.text) : undefined;
    if (read === undefined)
      throw bad(`Line ${record.line} is not a JSON object. Write one in each line, without a list.`);
    const layout = jsonLayout(Object.keys(read), asked);
    if (layout === undefined) throw bad(`Line ${record.line} has no field "email".`);
    return { layout, atByte: 0, atLine: 1 };
  }
  throw bad(isWhole ? 'The file is empty.' : 'The first line is too long.');
}

const bad = (message: string): AppError => invalid('body', message);
