import { setImmediate } from 'node:timers/promises';
import { delimiterOf, splitCells, unescapeFormula } from '#platform/csv/cells.ts';
import { type FileRecord, RecordReader } from '#platform/csv/records.ts';
import { withThousands } from '#platform/english.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { type Columns, guessColumns, readHeader } from './columns.ts';
import { type Look, ROW_CHARS_MAX } from './look-over.ts';
import { type FoundSuppression, readSuppression } from './read-suppression.ts';

/** One line of the file that means something. */
export type ReadRow = { line: number } & (FoundSuppression | { message: string });

const ROWS_MAX = 1_000_000;
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
  const delimiter = delimiterOf(firstLineOf(file));
  const reader = new RecordReader({ recordBytesMax: ROW_CHARS_MAX, delimiter });
  let columns: Columns | undefined;
  let records: CsvRecord[] = [];
  let rows = 0;
  for (let from = 0, isEnd = false; !isEnd; from += PIECE_BYTES) {
    // Reading never waits for anything: without this nobody else would be served until the end of the file.
    await setImmediate();
    reader.push(file.subarray(from, from + PIECE_BYTES));
    isEnd = from + PIECE_BYTES >= file.length;
    for (let record = reader.next(isEnd); record !== undefined; record = reader.next(isEnd)) {
      if (record.fault !== null) throw invalid('body', `Line ${record.line}: ${FAULTS[record.fault]}`);
      if (record.text.trim() === '') continue;
      const cells = splitCells(record.text, delimiter, record.hasQuotes);
      if (columns === undefined) {
        columns = readHeader(cells);
        if (columns !== undefined) continue;
        columns = columnsWithoutHeader(cells);
      }
      if (cells.every((cell) => cell === '')) continue;
      rows += 1;
      if (rows > ROWS_MAX) throw invalid('body', `The file has more than ${withThousands(ROWS_MAX)} rows.`);
      if (keep) records.push({ cells, line: record.line });
      if (records.length < PAGE_ROWS) continue;
      yield { records, columns };
      records = [];
    }
  }
  if (columns === undefined) throw invalid('body', 'The file is empty.');
  if (records.length > 0) yield { records, columns };
}

const FAULTS: Record<NonNullable<FileRecord['fault']>, string> = {
  unclosed_quote: 'a quotation mark is opened and never closed.',
  too_long: `the row is longer than ${ROW_CHARS_MAX} bytes, or a quotation mark before it is never closed.`,
  nul: 'it has a NUL byte.',
  not_utf8: 'it is not UTF-8.',
};

const NO_COLUMN = 'The file has no column of addresses: name one "email" in the first line, or put an address into it.';

function readRow(cells: readonly string[], columns: Columns, line: number): ReadRow {
  const cell = (at: number | null): string => (at === null ? '' : unescapeFormula(cells[at] ?? '').trim());
  const { standing } = columns;
  const read = readSuppression({
    email: cell(columns.email),
    reason: cell(columns.reason),
    note: cell(columns.note),
    createdAt: cell(columns.createdAt),
    expiresAt: cell(columns.expiresAt),
    standing: standing === null ? null : { name: standing.name, text: cell(standing.at) },
    listOf: columns.listOf,
  });
  return { line, ...read };
}

const firstLineOf = (file: Buffer): string =>
  /^\ufeff?([^\r\n]*)/.exec(file.subarray(0, 4_096).toString('utf8'))?.[1] ?? '';

function columnsWithoutHeader(cells: readonly string[]): Columns {
  const columns = guessColumns(cells);
  if (columns === undefined) throw invalid('body', NO_COLUMN);
  return columns;
}
