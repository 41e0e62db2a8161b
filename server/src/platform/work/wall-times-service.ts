import type { Clock } from '../clock.ts';
import { type Db, inTransaction } from '../db/database.ts';
import type { Log } from '../log.ts';
import { type AskedWallTime, type ReadWallTime, readWallTime, ZONE_RULES } from '../time/wall-time.ts';
import { type Loop, loop } from './loop.ts';

const EVERY_MS = 3_600_000;
const PAGE = 500;

/** A record that waits for a wall time. */
export interface Waiting {
  workspaceId: string;
  id: string;
  scheduledFor: Date;
  timezone: string;
  wallTime: AskedWallTime;
  /** Of the kinds whose entries in the audit log name them. */
  targetName?: string | null;
}

/** The same with what its wall time means now. */
export interface Reread extends Waiting {
  now: ReadWallTime;
}

interface WaitingRecords {
  /** In the plural, for people: `scheduled issues`. */
  name: string;
  /**
   * Some that wait, whose rules are older than `rules`, held until the transaction ends, the nearest first. Left out
   * is what is due, and what somebody else holds: it is being changed or started.
   */
  lock(tx: Db, asked: { rules: string; limit: number }): Promise<Waiting[]>;
  update(tx: Db, read: readonly Reread[]): Promise<void>;
  /** Notes the ones whose time has changed, once that is committed. */
  note(moved: readonly Reread[]): Promise<void>;
}

export interface WallTimesService extends Loop {
  /** Returns how many were moved. */
  runOnce(): Promise<number>;
}

/**
 * Computes the instants of wall times again when this process has later rules of time zones than the ones by which they
 * were computed (decision 0153): at its start, and each hour for what a process with older rules has stored since. Each
 * record keeps its rules, so that any number of processes may do it, and one that is killed has done it for some.
 */
export function createWallTimesService(
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  { name, lock, update, note }: WaitingRecords,
): WallTimesService {
  const page = (): Promise<Reread[]> =>
    inTransaction(db, async (tx) => {
      const held = await lock(tx, { rules: ZONE_RULES, limit: PAGE });
      const read = await Promise.all(
        held.map(async (one) => ({ ...one, now: await readWallTime(one.wallTime.shown, one.timezone) })),
      );
      if (read.length > 0) await update(tx, read);
      return read;
    });

  const runOnce = async (goOn: () => boolean = () => true): Promise<number> => {
    let all = 0;
    let movedInAll = 0;
    for (let read = PAGE; read === PAGE && goOn(); ) {
      const done = await page();
      const moved = done.filter(({ scheduledFor, now }) => scheduledFor.getTime() !== now.at.getTime());
      if (moved.length > 0) await note(moved);
      read = done.length;
      all += read;
      movedInAll += moved.length;
    }
    if (all > 0)
      log.info({ rules: ZONE_RULES, read: all, moved: movedInAll }, `new time-zone rules: ${name} were read again`);
    return movedInAll;
  };

  const service = loop({
    name: `wall times of ${name}`,
    beginsAtOnce: true,
    everyMs: EVERY_MS,
    clock,
    log,
    failure: `the wall times of ${name} cannot be computed by new time-zone rules; trying again`,
    round: runOnce,
  });
  return { ...service, runOnce: () => runOnce() };
}

/** The rows of an update, for `jsonb_to_recordset`. */
export const rereadJson = (read: readonly Reread[]): string =>
  JSON.stringify(
    read.map(({ workspaceId, id, now }) => ({
      workspace_id: workspaceId,
      id,
      scheduled_for: now.at,
      schedule_note: now.note,
      wall_time: now.wallTime,
    })),
  );

/** The two sets of rules, for the log of a record that was moved. */
export const rulesOf = ({ wallTime, now }: Reread): { zone_rules: { from: string; to: string } } => ({
  zone_rules: { from: wallTime.rules, to: now.wallTime.rules },
});
