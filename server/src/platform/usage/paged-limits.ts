import type { Db } from '../db/database.ts';
import type { PagedLimit } from './paged-limit.ts';
import { addToWindows, lockWindows } from './paged-limits-queries.ts';

export interface Room<L extends PagedLimit> {
  /** Places that are left in all of the limits. null: there is no limit. */
  places: number | null;
  /** Of the limits without a place left, the one that resets last. */
  full: { limit: L; resetAt: Date } | null;
}

/**
 * The places that are left. The counts are locked until the transaction ends, so that parallel sends together never
 * take more than a cap.
 */
export async function lockRoom<L extends PagedLimit>(tx: Db, limits: readonly L[]): Promise<Room<L>> {
  const [first] = limits;
  const room: Room<L> = { places: null, full: null };
  if (first === undefined) return room;
  for (const { subjectId, tier, used, resetAt } of await lockWindows(tx, first.workspaceId, limits)) {
    const limit = limits.find((one) => one.subjectId === subjectId && one.tier === tier);
    if (limit === undefined) continue;
    const left = Math.max(0, limit.cap - used);
    room.places = Math.min(room.places ?? left, left);
    if (left === 0 && (room.full === null || room.full.resetAt <= resetAt)) room.full = { limit, resetAt };
  }
  return room;
}

/** Counts recipients in all of the limits; at most as many as there were places. */
export async function takeRoom(tx: Db, limits: readonly PagedLimit[], count: number): Promise<void> {
  const [first] = limits;
  if (first !== undefined && count > 0) await addToWindows(tx, first.workspaceId, limits, count);
}
