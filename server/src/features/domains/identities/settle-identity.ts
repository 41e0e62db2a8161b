import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { storableText } from '#platform/db/storable-text.ts';
import type { Log } from '#platform/log.ts';
import { DKIM_PURPOSE } from '../dkim-key.ts';
import { deleteIdentity, type DueIdentity, markFailed, markForeign, markMade, markPut } from './queries.ts';
import type { SendingIdentities } from './sending-identities.ts';

export interface IdentityPorts {
  db: Db;
  log: Log;
  secrets: Secrets;
  identities: SendingIdentities;
}

const WORDS_CHARS_MAX = 500;

/**
 * Gives the delivery service the key of a domain, or has it forget the domain. No transaction is open meanwhile, and
 * it never rejects because of the service: a failure is stored and tried again. Twice is once.
 */
export async function settleIdentity(ports: IdentityPorts, due: DueIdentity): Promise<void> {
  const { db, identities, log } = ports;
  try {
    if (due.wanted === null) {
      if (due.isOurs) await identities.remove(due);
      return await deleteIdentity(db, due);
    }
    if (!(await mayPut(ports, due))) return;
    const { selector, sealedKey } = due.wanted;
    const privateKey = ports.secrets.open(DKIM_PURPOSE, sealedKey);
    await identities.put({ domain: due.domain, region: due.region, selector, privateKey });
    await markPut(db, due, selector);
  } catch (error) {
    const words = wordsOf(error);
    log.warn({ domain: due.domainId, region: due.region, reason: words }, 'an identity of a domain is tried again');
    await markFailed(db, due, words);
  }
}

/** The account may have an identity of this name that is not ours: the operator's own, for example. */
async function mayPut({ db, identities }: IdentityPorts, due: DueIdentity): Promise<boolean> {
  if (due.isOurs) return true;
  if ((await identities.look(due)) === null) {
    await markMade(db, due);
    return true;
  }
  if (due.isProven) return true;
  await markForeign(db, due, `The account at ${identities.service} has an identity of this name already.`);
  return false;
}

export const wordsOf = (error: unknown): string =>
  storableText((error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, WORDS_CHARS_MAX));
