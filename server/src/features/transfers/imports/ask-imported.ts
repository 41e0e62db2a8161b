import type { Db } from '#platform/db/database.ts';
import { targetOf, type TransferTargets } from '../transfer-target.ts';
import { claimConfirmations, endConfirmations, noteAsked, postponeConfirmations } from './confirmation-queries.ts';

/** When nobody can be asked for the moment, an import is looked at again after this. */
const REST_SECONDS = 60;

/**
 * Asks some of the people whom imports have left pending to confirm: one import in each second, whatever waits and
 * however many processes there are; its target says how many people that is. False: nobody waits, or this second is
 * used up.
 */
export async function askImported({ db, targets }: { db: Db; targets: TransferTargets }): Promise<boolean> {
  const given = await claimConfirmations(db);
  if (given === undefined) return false;
  const target = targetOf(targets, given.targetType).imports;
  const outcome = await target.ask(given, (lastRowId, sent) => noteAsked(db, given, lastRowId, sent));
  if (outcome.do === 'rest') await postponeConfirmations(db, given, REST_SECONDS);
  if (outcome.do === 'end') await endConfirmations(db, given, outcome.error);
  return true;
}
