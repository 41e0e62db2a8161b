import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { settleBulkSend } from './settle-bulk-send.ts';

const EVERY_MS = 1_000;
const PAGE = 100;

/** An issue or a broadcast that was let go and of which something was pending when that was looked at last. */
export interface AwaitingFinish {
  workspaceId: string;
  id: string;
  /** null: it went to nobody. */
  sendId: string | null;
}

/** The owner of bulk sends, as the look for those that are done sees it. */
export interface FinishWork {
  list(db: Db, after: AwaitingFinish | null, limit: number): Promise<AwaitingFinish[]>;
  /** Marks it finished and tells of it. False: somebody else was first. */
  finish(tx: Db, due: AwaitingFinish): Promise<boolean>;
}

/** Finishes those of which nothing is pending any more. Returns how many. */
export async function finishSends(
  db: Db,
  { list, finish }: FinishWork,
  goOn: () => boolean = () => true,
): Promise<number> {
  const finishOne = (due: AwaitingFinish): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const { workspaceId, sendId } = due;
      // The send is held before its owner, as everywhere.
      if (sendId !== null && !(await settleBulkSend(tx, { workspaceId, sendId }))) return false;
      return finish(tx, due);
    });
  let finished = 0;
  let after: AwaitingFinish | null = null;
  for (let found = PAGE; found === PAGE && goOn(); ) {
    const page: AwaitingFinish[] = await list(db, after, PAGE);
    for (const due of page) if (await finishOne(due)) finished += 1;
    found = page.length;
    after = page.at(-1) ?? after;
  }
  return finished;
}

/**
 * Finishes each in one transaction with what tells of it: once, however many processes look and whenever one of them is
 * killed. One whose refused emails are tried again is finished once more when these are settled.
 */
export const finishService = (
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  { name, ...work }: FinishWork & { name: string },
): Loop =>
  loop({
    name,
    everyMs: EVERY_MS,
    clock,
    log,
    failure: `${name} could not be looked at; trying again`,
    round: (goOn) => finishSends(db, work, goOn),
  });
