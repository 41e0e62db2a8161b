import type { Db } from '../db/database.ts';
import type { Tier } from '../utc-windows.ts';
import { takePlaces } from './queries.ts';

/** Places that are taken in one window of a limit: by all windows of a send, or by none. */
export interface Take {
  readonly workspaceId: string;
  /** The API key or the domain that is limited. */
  readonly subjectId: string;
  readonly tier: Tier;
  readonly windowStart: Date;
  readonly cap: number;
  readonly count: number;
  /** The error for the caller when the window has no room. */
  refuse(): Error;
}

/** The fields of a take for the database; `place` says which send it belongs to. */
export const takeRecord = (take: Take, place: number): Record<string, unknown> => ({
  place,
  workspace_id: take.workspaceId,
  subject_id: take.subjectId,
  tier: take.tier,
  window_start: take.windowStart,
  cap: take.cap,
  count: take.count,
});

/** Takes all places, and returns what each window then counts; throws the refusal of the first that has no room. */
export async function takeUsage(db: Db, takes: readonly Take[]): Promise<readonly number[]> {
  if (takes.length === 0) return [];
  const { refusedBy, used } = await takePlaces(
    db,
    takes.map((take) => takeRecord(take, 0)),
  );
  if (refusedBy !== null) throw refusalOf(takes, refusedBy);
  return used;
}

/** The error of the take that had no room. */
export function refusalOf(takes: readonly Take[], refusedBy: number): Error {
  const full = takes[refusedBy];
  if (full === undefined) throw new Error('a window was full that nobody had asked for');
  return full.refuse();
}
