import { setImmediate } from 'node:timers/promises';
import { type FileRecord, RecordReader } from '#platform/csv/records.ts';
import { splitCells, unescapeFormula } from '#platform/csv/cells.ts';
import type { Db } from '#platform/db/database.ts';
import { parseStrictJson } from '#platform/http/body/strict-json.ts';
import type { BadRow, FileRow, ImportTarget } from '../transfer-target.ts';
import { findPart } from './import-queries.ts';
import type { Import } from './import.ts';
import { type Layout, layoutOf, type LayoutRules, type LayoutWishes } from './layout.ts';

/**
 * Of every piece of a file but its last: small enough that a few at once do not show in a process's memory. A record
 * may have a whole number of them.
 */
export const PART_BYTES = 131_072;
/** Metadata has 16 KB, and a row some more. */
export const RECORD_BYTES_MAX = 262_144;
export const COLUMNS_MAX = 1_000;
const PAGE_ROWS = 500;
/** After these everybody else has their turn: they take less than a millisecond. */
const BREATH_RECORDS = 50;
/** Beyond this the file is something else than a list. */
const BROKEN_MAX = 10_000;

export interface FilePage {
  rows: (FileRow | BadRow)[];
  /** Where the next page begins. */
  atByte: number;
  atLine: number;
}

const FAULTS = {
  not_utf8: 'The line is not UTF-8. Save the file as UTF-8 ("CSV UTF-8" in a spreadsheet).',
  nul: 'The line has a NUL character: it is no text.',
  too_long: `The row is longer than ${RECORD_BYTES_MAX} bytes.`,
  unclosed_quote: 'A quotation mark is opened and never closed.',
} as const;

/** The file's rows from where the import stands, a page at a time; it holds one piece and one page. */
export async function* pagesOf(
  db: Db,
  { given, target }: { given: Import; target: ImportTarget },
  now: Date,
): AsyncGenerator<FilePage> {
  const delimiter = given.layout?.delimiter ?? null;
  const reader = new RecordReader({
    recordBytesMax: RECORD_BYTES_MAX,
    delimiter,
    startByte: given.atByte,
    startLine: given.atLine,
  });
  const readOne = given.format === 'csv' ? csvRows(given, target) : jsonRows(given.options, target);
  let page: FilePage = { rows: [], atByte: given.atByte, atLine: given.atLine };
  let [records, broken] = [0, 0];
  let part = Math.floor(given.atByte / PART_BYTES);
  for (let isEnd = false; !isEnd; part += 1) {
    const bytes = await findPart(db, given.workspaceId, given.id, part);
    isEnd = bytes === undefined;
    if (bytes !== undefined) reader.push(bytes.subarray(Math.max(0, given.atByte - part * PART_BYTES)));
    for (let record = reader.next(isEnd); record !== undefined; record = reader.next(isEnd)) {
      const row = record.fault === null ? readOne(record, now) : badRow(record.line, record.fault);
      if (record.fault !== null) broken += 1;
      if (broken > BROKEN_MAX) throw new Error(`The file has more than ${BROKEN_MAX} broken lines.`);
      if (row !== null) page.rows.push(row);
      page.atByte = record.endByte;
      page.atLine = record.endLine;
      if (++records % BREATH_RECORDS === 0) await setImmediate();
      if (page.rows.length < PAGE_ROWS) continue;
      yield page;
      page = { ...page, rows: [] };
    }
    await setImmediate();
  }
  yield page;
}

const badRow = (line: number, fault: keyof typeof FAULTS): BadRow => ({
  line,
  email: '',
  reason: fault === 'unclosed_quote' || fault === 'too_long' ? 'invalid_csv' : 'invalid_text',
  message: FAULTS[fault],
});

type ReadRecord = (record: FileRecord, now: Date) => FileRow | BadRow | null;

/** null: an empty line. */
function csvRows({ layout }: Import, target: ImportTarget): ReadRecord {
  if (layout === null || layout.delimiter === null) throw new Error('a CSV file has a layout before it is read');
  const { delimiter } = layout;
  return ({ text, line, hasQuotes }, now) => {
    const cells = splitCells(text, delimiter, hasQuotes);
    if (cells.every((cell) => cell === '')) return null;
    if (cells.length > COLUMNS_MAX) {
      const message = `The row has more than ${COLUMNS_MAX} columns.`;
      return { line, email: '', reason: 'invalid_csv', message };
    }
    return target.readRow(line, layout, (column) => unescapeFormula(cells[Number(column)] ?? ''), now);
  };
}

const LAYOUTS_KEPT = 1_000;

/** Each line says by itself what it has; most have the same. */
function jsonRows(wishes: LayoutWishes, target: ImportTarget): ReadRecord {
  const layouts = new Map<string, Layout | undefined>();
  const layoutFor = (names: readonly string[]): Layout | undefined => {
    const key = JSON.stringify(names);
    if (!layouts.has(key)) {
      if (layouts.size >= LAYOUTS_KEPT) layouts.clear();
      layouts.set(key, jsonLayout(names, { rules: target.layout, wishes }));
    }
    return layouts.get(key);
  };
  return ({ text, line }, now) => {
    if (text.trim() === '') return null;
    const read = readObject(text);
    if (read === undefined)
      return { line, email: '', reason: 'invalid_json', message: 'The line is not a JSON object.' };
    const layout = layoutFor(Object.keys(read));
    if (layout === undefined) return { line, email: '', reason: 'invalid_email', message: 'It has no field "email".' };
    return target.readRow(line, layout, (column) => read[column], now);
  };
}

/** A map may name fields that only some of the lines have. */
export function jsonLayout(
  names: readonly string[],
  { rules, wishes }: { rules: LayoutRules; wishes: LayoutWishes },
): Layout | undefined {
  const mapped = Object.entries(wishes.columnMap).filter(([name]) => names.includes(name));
  return layoutOf(
    names.slice(0, COLUMNS_MAX).map((name) => ({ name, at: name })),
    { rules, wishes: { ...wishes, columnMap: Object.fromEntries(mapped) } },
    null,
  );
}

export function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const read = parseStrictJson(Buffer.from(text));
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}
