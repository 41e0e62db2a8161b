import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { deleteUnusedChunks } from './chunk-queries.ts';
import {
  claimRound,
  countBytes,
  deleteOldest,
  FIRST_ID,
  findUnused,
  findWorkspaceAfter,
  LAST_ID,
} from './retention-queries.ts';

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
const PAGE = 100;

export interface CapturedRetentionOptions {
  db: Db;
  clock: Clock;
  log: Log;
  /** 0: for ever. */
  days: number;
  /** Of a workspace; 0: unlimited. */
  quotaBytes: number;
}

/**
 * Removes captured mail that is too old, then the oldest of a workspace that has too much, and parts that no message
 * uses. One process does it in an hour, and rests as long as a page took. Returns how many messages it removed;
 * undefined: it is not our turn.
 */
export async function forgetCaptured(
  { db, clock, days, quotaBytes }: CapturedRetentionOptions,
  goOn: () => boolean = () => true,
  stopping?: AbortSignal,
): Promise<number | undefined> {
  if (!(await claimRound(db))) return undefined;
  const before = days === 0 ? FIRST_ID : firstIdAt(new Date(clock.now().getTime() - days * DAY_MS));
  let removed = 0;
  /** `work` says whether there is more. */
  const everyPage = async (work: () => Promise<boolean>): Promise<void> => {
    for (let isMore = true; isMore && goOn(); ) {
      const begunMs = clock.monotonicMs();
      isMore = await work();
      if (isMore) await clock.sleep(clock.monotonicMs() - begunMs, stopping);
    }
  };
  let workspaceId = await findWorkspaceAfter(db, FIRST_ID);
  while (workspaceId !== undefined && goOn()) {
    const id = workspaceId;
    await everyPage(async () => {
      const { emails } = await deleteOldest(db, id, { before, bytes: Number.MAX_SAFE_INTEGER, page: PAGE });
      removed += emails;
      return emails === PAGE;
    });
    let after: string | null = '';
    await everyPage(async () => {
      const page = await findUnused(db, id, after ?? '', PAGE);
      await deleteUnusedChunks(db, id, page.unused);
      after = page.last;
      return after !== null;
    });
    if (quotaBytes > 0) removed += await keepToQuota(db, id, quotaBytes);
    workspaceId = await findWorkspaceAfter(db, id);
  }
  return removed;
}

/** Removes the oldest captured mail of a workspace that has more bytes than it may. Returns how many messages went. */
export async function keepToQuota(db: Db, workspaceId: string, quotaBytes: number): Promise<number> {
  let removed = 0;
  let excess = (await countBytes(db, workspaceId)) - quotaBytes;
  while (excess > 0) {
    const gone = await deleteOldest(db, workspaceId, { before: LAST_ID, bytes: excess, page: PAGE });
    if (gone.emails === 0) break;
    removed += gone.emails;
    excess -= gone.bytes;
  }
  return removed;
}

export const capturedRetentionService = (options: CapturedRetentionOptions): Service =>
  loop({
    name: 'captured mail retention',
    beginsAtOnce: true,
    everyMs: EVERY_MS,
    clock: options.clock,
    log: options.log,
    failure: 'old captured mail could not be removed; trying again later',
    round: (goOn, stopping) => forgetCaptured(options, goOn, stopping),
  });
