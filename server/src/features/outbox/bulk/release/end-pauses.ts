import { type Db, inTransaction } from '#platform/db/database.ts';
import { bySystem, resumeSend } from '../../pause/pause-send.ts';
import type { SendKey } from '../bulk-send.ts';
import { findEndOfPause, lockPaused, selectEndingPauses } from './end-pauses-queries.ts';
import { FAULTS, failSend } from './fail-send.ts';
import { DOMAIN_HOURS } from './pauses.ts';

/**
 * Ends the pauses whose cause has ended: the sends go on by themselves. A send whose domain is gone, or stays
 * unverified for too long, fails. Safe to be run by any number of processes.
 */
export async function endPauses(db: Db, goOn: () => boolean = () => true): Promise<void> {
  for (const key of await selectEndingPauses(db)) {
    if (!goOn()) return;
    await inTransaction(db, (tx) => endPause(tx, key));
  }
}

async function endPause(tx: Db, key: SendKey): Promise<void> {
  if (!(await lockPaused(tx, key))) return;
  const found = await findEndOfPause(tx, key);
  if (found === undefined) return;
  const { end, fromDomain } = found;
  if (end === 'domain_deleted') await failSend(tx, key, FAULTS.domainDeleted(fromDomain));
  if (end === 'domain_overdue') await failSend(tx, key, FAULTS.domainUnverified(fromDomain, DOMAIN_HOURS));
  if (end === 'resume') await resumeSend({ ...bySystem(key.workspaceId), db: tx }, key.sendId, { byItself: true });
}
