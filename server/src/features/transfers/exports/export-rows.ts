import { Readable } from 'node:stream';
import type { Db } from '#platform/db/database.ts';
import type { ExportOf, ExportSource } from '../transfer-target.ts';
import type { ExportFormat } from './export.ts';
import { headOf, rowWriter } from './write-row.ts';

/** The parts of a source that a file is made of. */
export type ReadableSource = Pick<ExportSource, 'resource' | 'columns' | 'page'>;

const PAGE_ROWS = 500;

/** A page of rows as text; `after` is where the next begins, null when there is none. */
export async function exportPage(
  db: Db,
  source: ReadableSource,
  of: ExportOf,
  asked: { format: ExportFormat; after: string | null },
): Promise<{ text: string; rows: number; after: string | null }> {
  const rows = await source.page(db, of, { after: asked.after ?? '', limit: PAGE_ROWS });
  const lines = rows.map(rowWriter(source.columns, asked.format)).join('');
  const text = asked.after === null ? headOf(source.columns, asked.format) + lines : lines;
  return { text, rows: rows.length, after: rows.length < PAGE_ROWS ? null : (rows.at(-1)?.email ?? null) };
}

/**
 * The list as a file, read a page at a time as the caller takes it, in the order of addresses. People who join
 * meanwhile may be missing, and nobody is there twice. Asks nobody whether the caller may read it.
 */
export const exportRows = (db: Db, source: ReadableSource, of: ExportOf, format: ExportFormat): Readable =>
  Readable.from(pages(db, source, of, format), { objectMode: false, highWaterMark: 65_536 });

async function* pages(db: Db, source: ReadableSource, of: ExportOf, format: ExportFormat): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const page: { text: string; after: string | null } = await exportPage(db, source, of, { format, after });
    if (page.text !== '') yield page.text;
    after = page.after;
  } while (after !== null);
}
