import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { invalid } from '#platform/errors/app-error.ts';
import { readIdentity } from '../suppression-record.ts';
import { unescapeFormula } from '../csv-cells.ts';
import type { SuppressionReason } from '../suppression.ts';
import { type Columns, guessColumns, readHeader, readReason, readTime } from './columns.ts';

/** One line of the file that means something. */
export type ReadRow = { line: number } & (
  | { message: string }
  | {
      identity: string;
      /** null: the row gives none. */
      reason: SuppressionReason | null;
      note: string | null;
      createdAt: Date | null;
      expiresAt: Date | null;
    }
);

/** No row of a list of addresses is this long; what is, is a quote that was never closed, or no CSV. */
const ROW_CHARS_MAX = 65_536;
const ROWS_MAX = 1_000_000;
const NOTE_CHARS_MAX = 1_000;
const PIECE_BYTES = 65_536;
/** About 3 ms. */
const BREATH_ROWS = 250;

/**
 * Reads the rows of a CSV file one after another, whatever it separates with and ends its lines with. A row that is no
 * suppression says so and the next one follows; a file that is no CSV is a validation error.
 */
export async function* readRows(file: Buffer): AsyncGenerator<ReadRow> {
  for await (const { cells, columns, line } of recordsOf(file)) yield readRow(cells, columns, line);
}

/** Refuses, with a validation error that names the line, a file that is no CSV with a column of addresses. */
export async function checkRows(file: Buffer): Promise<void> {
  for await (const record of recordsOf(file)) void record;
}

async function* recordsOf(file: Buffer): AsyncGenerator<{ cells: string[]; columns: Columns; line: number }> {
  refuseOtherText(file);
  const parser = Readable.from(piecesOf(file)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(file),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: ROW_CHARS_MAX,
      info: true,
    }),
  );
  let columns: Columns | undefined;
  let rows = 0;
  let end = 0;
  try {
    // Asked for with `info`: each record comes with where it ended.
    for await (const { record: cells, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const line = end + 1;
      end = info.lines;
      if (columns === undefined) {
        columns = readHeader(cells);
        if (columns !== undefined) continue;
        columns = guessColumns(cells);
        if (columns === undefined) throw invalid('body', NO_COLUMN);
      }
      if (cells.every((cell) => cell === '')) continue;
      rows += 1;
      if (rows > ROWS_MAX) throw invalid('body', `The file has more than ${ROWS_MAX.toLocaleString('en')} rows.`);
      // The parser never waits for anything: without this nobody else would be served until the end of the file.
      if (rows % BREATH_ROWS === 0) await setImmediate();
      yield { cells, columns, line };
    }
  } catch (error) {
    throw error instanceof CsvError ? invalid('body', sentenceOf(error)) : error;
  }
  if (columns === undefined) throw invalid('body', 'The file is empty.');
}

const NO_COLUMN = 'The file has no column of addresses: name one "email" in the first line, or put an address into it.';

function readRow(cells: readonly string[], columns: Columns, line: number): ReadRow {
  const cell = (at: number | null): string => (at === null ? '' : unescapeFormula(cells[at] ?? '').trim());
  const address = readIdentity(cell(columns.email));
  if ('reason' in address) return { line, message: address.reason };
  const expires = cell(columns.expiresAt);
  const expiresAt = expires === '' ? undefined : readTime(expires);
  if (expires !== '' && expiresAt === undefined) return { line, message: 'The time it expires at cannot be read.' };
  const given = cell(columns.reason);
  const reason = given === '' ? null : readReason(given);
  const note = cell(columns.note);
  return {
    line,
    ...address,
    reason: reason ?? null,
    // A reason in words that we do not know is still worth reading.
    note: notable(note === '' && reason === undefined ? given : note),
    createdAt: readTime(cell(columns.createdAt)) ?? null,
    expiresAt: expiresAt ?? null,
  };
}

const notable = (text: string): string | null =>
  text === ''
    ? null
    : text
        .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, ' ')
        .slice(0, NOTE_CHARS_MAX)
        .toWellFormed();

function refuseOtherText(file: Buffer): void {
  const [first, second] = file;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw invalid('body', 'The file is UTF-16. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet).');
  }
  const nul = file.indexOf(0);
  if (nul !== -1) throw invalid('body', `The file is no text: it has a NUL byte at ${nul}.`);
  refuseLongLines(file);
  if (!isUtf8(file)) throw invalid('body', 'The file is not UTF-8. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet).');
}

/** Before anything is parsed: the parser's own limit does not count empty cells, and there may be millions of them. */
function refuseLongLines(file: Buffer): void {
  let line = 1;
  for (let start = 0; start < file.length; line += 1) {
    const window = file.subarray(start, start + ROW_CHARS_MAX + 1);
    const ends = [window.indexOf(10), window.indexOf(13)].filter((at) => at !== -1);
    const end = ends.length === 0 ? window.length : Math.min(...ends);
    if (end > ROW_CHARS_MAX) throw invalid('body', `Line ${line} is longer than ${ROW_CHARS_MAX} bytes.`);
    start += end + (window[end] === 13 && window[end + 1] === 10 ? 2 : 1);
  }
}

/** Whatever the first line has most of; an address has none of them. */
function delimiterOf(file: Buffer): string {
  const head = file
    .subarray(0, 4_096)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const line = (/^[^\r\n]*/.exec(head)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const count = (mark: string): number => line.split(mark).length;
  return [',', ';', '\t'].reduce((most, mark) => (count(mark) > count(most) ? mark : most), ',');
}

function* piecesOf(file: Buffer): Generator<Buffer> {
  for (let from = 0; from < file.length; from += PIECE_BYTES) yield file.subarray(from, from + PIECE_BYTES);
}

function sentenceOf(error: CsvError): string {
  const line = / line (\d+)/.exec(error.message)?.[1] ?? '?';
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `Line ${line}: a quotation mark is opened and never closed.`;
    case 'CSV_MAX_RECORD_SIZE':
      return `Line ${line}: the row is longer than ${ROW_CHARS_MAX} characters, or a quotation mark before it is never closed.`;
    default:
      return `Line ${line}: not CSV (${error.code}).`;
  }
}
