import type { Db } from '#platform/db/database.ts';
import { foldCounts, sumCounts } from './counts-queries.ts';

/** The statistics of a bulk send: total = pending + sent + failed at every moment. */
export interface SendCounts {
  total: number;
  /** waiting + queued + sending + unconfirmed */
  pending: number;
  waiting: number;
  queued: number;
  sending: number;
  unconfirmed: number;
  sent: number;
  /** refused + suppressed + cancelled */
  failed: number;
  refused: number;
  suppressed: number;
  cancelled: number;
  delivered: number;
  bounced: number;
  complained: number;
  opened: number;
  clicked: number;
  openedMachine: number;
  clickedMachine: number;
  unsubscribed: number;
  firstEventAt: Date | null;
  lastEventAt: Date | null;
}

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
