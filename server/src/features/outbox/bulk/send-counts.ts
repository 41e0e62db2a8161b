import type { Db } from '#platform/db/database.ts';
import { foldCounts, type SendCounts, sumCounts } from './counts-queries.ts';

export type { SendCounts } from './counts-queries.ts';

const FOLD_PAGE = 5_000;

/** The statistics of these sends; a send without any (nobody is frozen yet) is absent. */
export async function countsOfSends(
  db: Db,
  workspaceId: string,
  sendIds: readonly string[],
): Promise<ReadonlyMap<string, SendCounts>> {
  const rows = sendIds.length === 0 ? [] : await sumCounts(db, workspaceId, sendIds);
  return new Map(rows.map(({ sendId, ...counts }) => [sendId, counts]));
}

/** Folds all changes of all statistics there are into their sums; returns how many. Any number of processes may. */
export async function foldAllCounts(db: Db, goOn: () => boolean = () => true): Promise<number> {
  let folded = 0;
  for (let page = FOLD_PAGE; page === FOLD_PAGE && goOn(); folded += page) page = await foldCounts(db, FOLD_PAGE);
  return folded;
}
