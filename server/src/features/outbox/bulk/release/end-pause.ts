import { type Db, inTransaction } from '#platform/db/database.ts';
import { bySystem, resumeSend } from '../../pause/pause-send.ts';
import type { SendKey } from '../bulk-send.ts';
import { type EndOfPause, findEndOfPause, lockPaused } from './end-pauses-queries.ts';
import { FAULTS, failSend } from './fail-send.ts';
import { DOMAIN_HOURS } from './pauses.ts';

/**
 * Ends the pause of a send if its cause has ended: the send goes on by itself. A send whose domain is gone, or stays
 * unverified for too long, fails. Safe to be run by any number of processes.
 */
export const endPause = (db: Db, key: SendKey, until: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await lockPaused(tx, key))) return;
    const found = await findEndOfPause(tx, key, until);
    if (found !== undefined) await endAs(tx, key, found);
  });

async function endAs(tx: Db, key: SendKey, { end, fromDomain }: EndOfPause): Promise<void> {
  if (end === 'domain_deleted') await failSend(tx, key, FAULTS.domainDeleted(fromDomain));
  if (end === 'domain_overdue') await failSend(tx, key, FAULTS.domainUnverified(fromDomain, DOMAIN_HOURS));
  if (end === 'resume') await resumeSend({ ...bySystem(key.workspaceId), db: tx }, key.sendId, { byItself: true });
}
