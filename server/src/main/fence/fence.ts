import { queue } from '#features/outbox';
import { bySystem, recordSecurityEvent } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { parseProviderUrl } from '#providers/parse-provider-url.ts';
import { findHomeWorkspaceId } from '../instance/queries.ts';
import { createFenceFile, databaseOf, type FenceFile } from './fence-file.ts';
import { HOLD_REMEDY, type HoldReason, reasonAtStart, reasonWhileRunning, sayReason } from './hold-reasons.ts';
import { type Identity, lockRecorded, readIdentity, type Recorded, writeSeen } from './queries.ts';

const EVERY_MS = 5_000;

export interface FenceOptions {
  db: Db;
  log: Log;
  clock: Clock;
  settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'providerUrl' | 'restoreFence'>;
}

export interface Fence extends Service, Pick<Loop, 'ended'> {
  /** One look at the database, as every five seconds. */
  look(): Promise<void>;
}

/** With `capture` nothing leaves: the row stays as it is, so that a live provider finds a copy later. */
function isNeeded({ providerUrl, restoreFence }: FenceOptions['settings']): boolean {
  const parsed = parseProviderUrl(providerUrl);
  return restoreFence === 'on' && parsed.ok && parsed.config.kind !== 'capture';
}

/**
 * Holds all sending when the database is not the one that was last used, or has gone back: decision 0144. Its start
 * looks before any worker starts. While sending is held nothing is written: the row and the file stay as they were
 * found, until an operator confirms.
 */
export function createFence(options: FenceOptions): Fence | undefined {
  if (!isNeeded(options.settings)) return undefined;
  const { db, log, clock, settings } = options;
  const file = createFenceFile({ dataDir: settings.dataDir, log });
  const isEmbedded = settings.databaseUrl === null;
  const deps = { db, clock, log, file };
  /** The last epoch that this process wrote; undefined after a hold, which starts anew. */
  let epoch: number | undefined;

  const look = async (): Promise<void> => {
    if ((await queue.hold.find(db)) !== undefined) {
      epoch = undefined;
      return;
    }
    const own = epoch;
    epoch = await see(deps, (found) =>
      own === undefined
        ? reasonAtStart({ ...found, file: file.read(), isEmbedded })
        : reasonWhileRunning({ ...found, epoch: own }),
    );
  };

  const beats = loop({
    name: 'restore fence',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'the database could not be compared with the one that was last used; trying again',
    round: look,
  });
  return {
    ...beats,
    look,
    async start() {
      const held = await queue.hold.find(db);
      if (held !== undefined) tell(log, held.reason);
      await look();
      await beats.start();
    },
  };
}

interface Deps {
  db: Db;
  clock: Clock;
  log: Log;
  file: FenceFile;
}

/** Returns the epoch that it has written; undefined: sending is held now. */
async function see(
  { db, clock, log, file }: Deps,
  judge: (found: { recorded: Recorded; now: Identity }) => HoldReason | undefined,
): Promise<number | undefined> {
  const now = await readIdentity(db);
  const outcome = await inTransaction(db, async (tx): Promise<{ reason: HoldReason } | { epoch: number }> => {
    const recorded = await lockRecorded(tx);
    const reason = judge({ recorded, now });
    if (reason !== undefined) {
      if (await queue.hold.begin(tx, reason)) await note(tx, clock, reason);
      return { reason };
    }
    // Before the first commit: a database that was seen always has its file, and the file is never ahead of it.
    if (recorded.epoch === null) await file.write({ database: databaseOf(now), epoch: 0 });
    const epoch = (recorded.epoch ?? 0) + 1;
    await writeSeen(tx, now, epoch);
    return { epoch };
  });
  if ('reason' in outcome) {
    tell(log, outcome.reason);
    return undefined;
  }
  await file.write({ database: databaseOf(now), epoch: outcome.epoch });
  return outcome.epoch;
}

const note = async (tx: Db, clock: Clock, reason: HoldReason): Promise<void> =>
  recordSecurityEvent(
    tx,
    { ...bySystem(clock), workspaceId: await findHomeWorkspaceId(tx) },
    { action: 'sending.held', details: { reason } },
  );

const tell = (log: Log, reason: string): void =>
  log.warn({ reason }, `sending is held. ${sayReason(reason)} ${HOLD_REMEDY}`);
