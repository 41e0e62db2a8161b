import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour, type Round } from '#platform/work/hourly.ts';
import { deleteUnusedChunks } from './chunk-queries.ts';
import { countBytes, deleteOldest, FIRST_ID, findUnused, findWorkspaceAfter, LAST_ID } from './retention-queries.ts';

/** Of its row in `rounds`. */
const NAME = 'captured mail retention';
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
 * uses. Returns how many messages it removed; undefined: it is not our turn.
 */
export async function forgetCaptured(
  options: CapturedRetentionOptions,
  goOn: () => boolean = () => true,
  stopping?: AbortSignal,
): Promise<number | undefined> {
  return inThisHour({ ...options, name: NAME }, (round) => removeOldAndExcess(options, round), goOn, stopping);
}

async function removeOldAndExcess(
  { db, clock, days, quotaBytes }: CapturedRetentionOptions,
  { goOn, everyPage }: Round,
): Promise<number> {
  const before = days === 0 ? FIRST_ID : firstIdAt(new Date(clock.now().getTime() - days * DAY_MS));
  let removed = 0;
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
  hourlyService(
    { ...options, name: NAME },
    'old captured mail could not be removed; trying again later',
    (goOn, stopping) => forgetCaptured(options, goOn, stopping),
  );
