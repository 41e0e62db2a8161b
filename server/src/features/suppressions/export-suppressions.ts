import { Readable } from 'node:stream';
import { csvLine } from '#platform/csv/cells.ts';
import type { Ctx } from '#platform/http/context.ts';
import { pageSuppressions, type SuppressionFilter, type SuppressionRow } from './list-queries.ts';

const COLUMNS = ['email', 'reason', 'note', 'created_at', 'expires_at', 'source_email_id'];
const PAGE = 1_000;

/**
 * The list as CSV, newest first, read a page at a time as the caller takes it. Entries added meanwhile may be
 * missing; none appears twice. Cells that a spreadsheet would take for formulas are made harmless; an import undoes
 * that.
 */
export function exportSuppressions(ctx: Pick<Ctx, 'db' | 'workspaceId'>, filter: SuppressionFilter): Readable {
  return Readable.from(pages(ctx, filter), { objectMode: false });
}

async function* pages(ctx: Pick<Ctx, 'db' | 'workspaceId'>, filter: SuppressionFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let last: SuppressionRow | undefined;
  for (;;) {
    const asked = {
      ...filter,
      limit: PAGE,
      offset: 0,
      after: last?.id ?? null,
      afterTime: last?.createdAtText ?? null,
    };
    const rows = await pageSuppressions(ctx.db, ctx.workspaceId, asked);
    const page = rows.slice(0, PAGE);
    if (page.length > 0) yield page.map((row) => csvLine(cellsOf(row))).join('');
    last = page.at(-1);
    if (rows.length <= PAGE) return;
  }
}

const cellsOf = (row: SuppressionRow): string[] => [
  row.email,
  row.reason,
  row.note ?? '',
  row.createdAt.toISOString(),
  row.expiresAt?.toISOString() ?? '',
  row.sourceEmailId ?? '',
];
