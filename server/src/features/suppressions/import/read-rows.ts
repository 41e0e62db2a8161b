import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { unescapeFormula } from '#platform/csv/cells.ts';
import { readTime } from '#platform/csv/read-time.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { readIdentity } from '../suppression-record.ts';
import type { SuppressionReason } from '../suppression.ts';
import { type Columns, guessColumns, readHeader, readReason, readStanding } from './columns.ts';
import { type Look, ROW_CHARS_MAX } from './look-over.ts';

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

const ROWS_MAX = 1_000_000;
const NOTE_CHARS_MAX = 1_000;
/** About 5 ms of reading. */
const PIECE_BYTES = 32_768;
const PAGE_ROWS = 1_000;

/**
 * Reads the rows of a CSV file a page at a time, whatever it separates with and ends its lines with. A row that is no
 * suppression says so and the next one follows. A file that is no CSV with a column of addresses is a validation error
 * that names the line, and it comes before the first page does. Others are served between the pages.
 */
export async function* readRows(file: Buffer, { lines, hasQuotes }: Look): AsyncGenerator<ReadRow[]> {
  // Without a quotation mark no line can spoil another, and what else there is to refuse is in the first. With one, the
  // end of the file says whether it was ever closed.
  if (hasQuotes || lines > ROWS_MAX) {
    for await (const _ of recordsOf(file, { keep: false })) continue;
  }
  for await (const { records, columns } of recordsOf(file, { keep: true })) {
    yield records.map(({ cells, line }) => readRow(cells, columns, line));
  }
}

interface CsvRecord {
  cells: string[];
  /** Where it begins. */
  line: number;
}

/** With `keep` false it only looks whether this is CSV to its end. */
async function* recordsOf(
  file: Buffer,
  { keep }: { keep: boolean },
): AsyncGenerator<{ records: CsvRecord[]; columns: Columns }> {
  let columns: Columns | undefined;
  let records: CsvRecord[] = [];
  let rows = 0;
  let end = 0;
  const takePage = (): CsvRecord[] => records.splice(0);
  // Pages go through the parser's stream and not rows: passing one through costs more than reading it.
  const onRecord = (cells: string[], { lines }: { lines: number }): CsvRecord[] | null => {
    const line = end + 1;
    end = lines;
    if (columns === undefined) {
      columns = readHeader(cells);
      if (columns !== undefined) return null;
      columns = guessColumns(cells);
      if (columns === undefined) throw invalid('body', NO_COLUMN);
    }
    if (cells.every((cell) => cell === '')) return null;
    rows += 1;
    if (rows > ROWS_MAX) throw invalid('body', `The file has more than ${ROWS_MAX.toLocaleString('en')} rows.`);
    if (keep) records.push({ cells, line });
    return records.length < PAGE_ROWS ? null : takePage();
  };
  try {
    const parser = Readable.from(piecesOf(file)).pipe(parserFor(file, onRecord));
    // The results of `onRecord` are yielded.
    for await (const page of parser as AsyncIterable<CsvRecord[]>) if (columns) yield { records: page, columns };
  } catch (error) {
    throw error instanceof CsvError ? invalid('body', sentenceOf(error)) : error;
  }
  if (columns === undefined) throw invalid('body', 'The file is empty.');
  if (records.length > 0) yield { records, columns };
}

const parserFor = (file: Buffer, onRecord: (cells: string[], info: { lines: number }) => CsvRecord[] | null) =>
  parse({
    bom: true,
    delimiter: delimiterOf(file),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: ROW_CHARS_MAX,
    on_record: onRecord as never, // its type has no records that are anything else afterwards, its documentation has
  });

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
  const { standing } = columns;
  const said = standing === null ? undefined : readStanding(standing.name, cell(standing.at));
  if (said === 'mailable' && !reason) return { line, message: 'The file says that this address may be mailed.' };
  const note = cell(columns.note);
  return {
    line,
    ...address,
    reason: reason ?? (said === 'mailable' ? null : said) ?? columns.listOf,
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

async function* piecesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < file.length; from += PIECE_BYTES) {
    // The parser never waits for anything: without this nobody else would be served until the end of the file.
    await setImmediate();
    yield file.subarray(from, from + PIECE_BYTES);
  }
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
