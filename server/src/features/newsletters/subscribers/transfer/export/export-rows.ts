import { Readable } from 'node:stream';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../../newsletter.ts';
import type { SubscriberStatus } from '../../subscriber.ts';
import type { ExportFormat } from './export.ts';
import { pageByAddress } from './export-queries.ts';
import { headOf, writeRow } from './write-row.ts';

const PAGE_ROWS = 500;

/** A page of rows as text; `after` is where the next begins, null when there is none. */
export async function exportPage(
  db: Db,
  newsletter: Pick<Newsletter, 'workspaceId' | 'id'>,
  asked: { format: ExportFormat; status: SubscriberStatus | null; after: string | null },
): Promise<{ text: string; rows: number; after: string | null }> {
  const rows = await pageByAddress(db, newsletter.workspaceId, {
    newsletterId: newsletter.id,
    status: asked.status,
    after: asked.after ?? '',
    limit: PAGE_ROWS,
  });
  const lines = rows.map((row) => writeRow(row, asked.format)).join('');
  const text = asked.after === null ? headOf(asked.format) + lines : lines;
  return { text, rows: rows.length, after: rows.length < PAGE_ROWS ? null : (rows.at(-1)?.email ?? null) };
}

/**
 * The list as a file, read a page at a time as the caller takes it, in the order of addresses. Who joins meanwhile may be
 * missing, nobody is there twice.
 */
export const exportRows = (
  db: Db,
  newsletter: Pick<Newsletter, 'workspaceId' | 'id'>,
  asked: { format: ExportFormat; status: SubscriberStatus | null },
): Readable => Readable.from(pages(db, newsletter, asked), { objectMode: false, highWaterMark: 65_536 });

async function* pages(
  db: Db,
  newsletter: Pick<Newsletter, 'workspaceId' | 'id'>,
  asked: { format: ExportFormat; status: SubscriberStatus | null },
): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const page: { text: string; after: string | null } = await exportPage(db, newsletter, { ...asked, after });
    if (page.text !== '') yield page.text;
    after = page.after;
  } while (after !== null);
}
