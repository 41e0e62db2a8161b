import type { AuditLog } from '#features/audit';
import { onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { addSuppressions } from '../add-suppression.ts';
import { suppressedAmong } from '../suppressed-among.ts';
import type { NewSuppression, SuppressionReason } from '../suppression.ts';
import { lookOver } from './look-over.ts';
import { type ReadRow, readRows } from './read-rows.ts';
import type { FoundSuppression } from './read-suppression.ts';
import { SeenAddresses } from './seen-addresses.ts';

export interface Imported {
  total: number;
  added: number;
  existing: number;
  duplicates: number;
  invalid: number;
  errors: { line: number; message: string }[];
}

const ERRORS_SHOWN = 100;

/**
 * Adds the addresses of a CSV file, 1,000 in a transaction; rows that are no addresses are counted and passed over. A
 * file that turns out to be no CSV changes nothing. Importing it again changes nothing, so after a failure in the
 * middle it is simply sent again.
 */
export async function importSuppressions(
  ctx: Ctx,
  file: Buffer,
  options: { dryRun: boolean; reason: SuppressionReason },
  audit: AuditLog,
): Promise<Imported> {
  const look = await lookOver(file);
  const result: Imported = { total: 0, added: 0, existing: 0, duplicates: 0, invalid: 0, errors: [] };
  const seen = new SeenAddresses(look.lines);
  for await (const rows of readRows(file, look)) {
    const page = takeGood(rows, ctx, result).map((row) => suppressionOf(row, options.reason));
    const added = page.length === 0 ? [] : await addPage(ctx, page, options.dryRun);
    for (const [index, { identity }] of page.entries()) {
      if (!seen.add(identity)) result.duplicates += 1;
      else if (added[index] === true) result.added += 1;
      else result.existing += 1;
    }
  }
  if (!options.dryRun) {
    const { errors: _, ...details } = result;
    onCommit(ctx.db, () =>
      audit.record(ctx, { action: 'suppression.imported', targetType: 'suppressions', targetId: 'import', details }),
    );
  }
  return result;
}

type GoodRow = Exclude<ReadRow, { message: string }>;

/** The rows that are suppressions; the others are counted, and the first hundred told. */
function takeGood(rows: readonly ReadRow[], ctx: Ctx, result: Imported): GoodRow[] {
  result.total += rows.length;
  const now = ctx.clock.now();
  const good: GoodRow[] = [];
  for (const row of rows) {
    const hasRunOut = 'expiresAt' in row && row.expiresAt !== null && row.expiresAt <= now;
    const message = 'message' in row ? row.message : hasRunOut ? 'It has expired.' : null;
    if (message === null && !('message' in row)) good.push(row);
    else result.invalid += 1;
    if (message !== null && result.errors.length < ERRORS_SHOWN) result.errors.push({ line: row.line, message });
  }
  return good;
}

export const suppressionOf = (row: FoundSuppression, reason: SuppressionReason): NewSuppression => ({
  identity: row.identity,
  reason: row.reason ?? reason,
  ...(row.note === null ? {} : { note: row.note }),
  ...(row.createdAt === null ? {} : { createdAt: row.createdAt }),
  ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
});

async function addPage(ctx: Ctx, page: readonly NewSuppression[], dryRun: boolean): Promise<boolean[]> {
  const { workspaceId, db } = ctx;
  if (!dryRun)
    return addSuppressions(
      db,
      page.map((one) => ({ ...one, workspaceId })),
    );
  const held = await suppressedAmong(
    db,
    workspaceId,
    page.map((one) => one.identity),
  );
  return page.map((one) => !held.has(one.identity));
}
