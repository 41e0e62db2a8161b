import { queue } from '#features/outbox';
import { recordSecurityEvent, type SecuritySource } from '#features/workspaces';
import type { Settings } from '#platform/config/settings.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { findHomeWorkspaceId } from '../instance/queries.ts';
import { createFenceFile, databaseOf } from './fence-file.ts';
import type { Hold } from './hold-reasons.ts';
import { lockRecorded, readIdentity, writeSeen } from './queries.ts';

/**
 * A confirmation begins a new ten thousand millions: above every epoch that a file of another process has seen before.
 * A hundred processes that send need fifteen years for as many.
 */
const EPOCHS_OF_A_CONFIRMATION = 10_000_000_000;

export interface ResumeDeps {
  db: Db;
  log: Log;
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>;
}

/**
 * The operator confirms that this database is the one that sends: it is taken as it is now, and all processes go on
 * within half a second. Returns the hold that ended; undefined: nothing was held.
 */
export async function resumeSending(deps: ResumeDeps, source: SecuritySource): Promise<Hold | undefined> {
  const { db, log, settings } = deps;
  const file = createFenceFile({ dataDir: settings.dataDir, log });
  const identity = await readIdentity(db);
  const database = databaseOf(identity);
  return inTransaction(db, async (tx) => {
    const { epoch } = await lockRecorded(tx); // in the order of the fence
    const hold = await queue.hold.end(tx);
    if (hold === undefined) return undefined;
    const seen = file.read();
    const highest = Math.max(epoch ?? 0, seen?.database === database ? seen.epoch : 0);
    const next = (Math.floor(highest / EPOCHS_OF_A_CONFIRMATION) + 1) * EPOCHS_OF_A_CONFIRMATION;
    await writeSeen(tx, identity, next);
    const details = { reason: hold.reason, held_since: hold.since.toISOString() };
    const workspaceId = await findHomeWorkspaceId(tx);
    await recordSecurityEvent(tx, { ...source, workspaceId }, { action: 'sending.resumed', details });
    // Before the commit: a process that is killed in between stays held. Elsewhere each process writes its own.
    if (settings.databaseUrl === null) await file.write({ database, epoch: next });
    return hold;
  });
}
