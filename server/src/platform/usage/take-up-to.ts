import type { Db } from '../db/database.ts';
import { changeUsed, lockMonth, type MonthOf } from './month-queries.ts';

/**
 * Takes as many places of this calendar month (UTC) as there are, `wanted` at most, for whoever sends page by page.
 * The count is locked until the transaction ends, so that parallel sends never take more than the cap in all.
 */
export async function takeUpTo(
  tx: Db,
  of: MonthOf,
  cap: number,
  wanted: number,
): Promise<{ granted: number; resetAt: Date }> {
  const { used, resetAt } = await lockMonth(tx, of);
  const granted = Math.max(0, Math.min(wanted, cap - used));
  if (granted > 0) await changeUsed(tx, of, granted);
  return { granted, resetAt };
}

/** Gives places back that were taken in the same transaction and not needed. */
export const giveBack = async (tx: Db, of: MonthOf, count: number): Promise<void> => {
  if (count > 0) await changeUsed(tx, of, -count);
};
