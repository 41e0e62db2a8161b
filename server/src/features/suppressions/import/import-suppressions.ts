import type { AuditLog } from '#features/audit';
import type { Ctx } from '#platform/http/context.ts';
import { addSuppressions, SUPPRESSIONS_PAGE } from '../add-suppression.ts';
import { suppressedAmong } from '../suppressed-among.ts';
import type { NewSuppression, SuppressionReason } from '../suppression.ts';
import { checkRows, readRows } from './read-rows.ts';

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
 * Adds the addresses of a CSV file, 1,000 in a transaction; rows that are no addresses are counted and passed over. The
 * file is read to its end before anything is stored: one that turns out to be no CSV changes nothing. Importing it again
 * changes nothing, so after a failure in the middle it is simply sent again.
 */
export async function importSuppressions(
  ctx: Ctx,
  file: Buffer,
  options: { dryRun: boolean; reason: SuppressionReason },
  audit: AuditLog,
): Promise<Imported> {
  await checkRows(file);
  const result: Imported = { total: 0, added: 0, existing: 0, duplicates: 0, invalid: 0, errors: [] };
  const seen = new Set<string>();
  let page: NewSuppression[] = [];
  const store = async (): Promise<void> => {
    const added = await addPage(ctx, page, options.dryRun);
    const first = page.map(({ identity }) => !seen.has(identity) && seen.add(identity));
    for (const [index, isFirst] of first.entries()) {
      if (isFirst === false) result.duplicates += 1;
      else if (added[index] === true) result.added += 1;
      else result.existing += 1;
    }
    page = [];
  };
  for await (const row of readRows(file)) {
    result.total += 1;
    const fault = 'message' in row ? row.message : hasRunOut(row, ctx) ? 'It has expired.' : null;
    if (fault !== null || 'message' in row) {
      result.invalid += 1;
      if (result.errors.length < ERRORS_SHOWN) result.errors.push({ line: row.line, message: fault ?? '' });
      continue;
    }
    page.push(suppressionOf(row, options.reason));
    if (page.length === SUPPRESSIONS_PAGE) await store();
  }
  if (page.length > 0) await store();
  if (!options.dryRun) {
    const { errors: _, ...details } = result;
    ctx.afterCommit(() =>
      audit.record(ctx, { action: 'suppression.imported', targetType: 'suppressions', targetId: 'import', details }),
    );
  }
  return result;
}

type GoodRow = Exclude<
  Awaited<ReturnType<ReturnType<typeof readRows>['next']>>['value'],
  undefined | { message: string }
>;

const hasRunOut = (row: GoodRow, ctx: Ctx): boolean => row.expiresAt !== null && row.expiresAt <= ctx.clock.now();

const suppressionOf = (row: GoodRow, reason: SuppressionReason): NewSuppression => ({
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
