import { LRUCache } from 'lru-cache';
import { createDkimKeyPair, type DkimKey, loadDkimKey } from '#mail/dkim.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { findDkimKey } from './queries.ts';

/** The purpose for which a stored DKIM key is sealed. */
export const DKIM_PURPOSE = 'dkim private key';

// Parsing a key costs about as much as signing with it, so parsed keys are kept. A minute is how long a replaced key
// may still sign: both its halves stay in DNS far longer than that.
const cache = new LRUCache<string, { key: DkimKey | null }>({ max: 5_000, ttl: 60_000 });

/** The key to sign mail from this domain with, or null: a domain of the instance has none, its relay signs. */
export async function dkimKeyOf(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  domain: string,
): Promise<DkimKey | null> {
  const name = `${workspaceId} ${domain}`;
  const cached = cache.get(name);
  if (cached !== undefined) return cached.key;
  const stored = await findDkimKey(db, workspaceId, domain);
  const key =
    stored === undefined || stored.sealedKey === null
      ? null
      : loadDkimKey(domain, stored.selector, secrets.open(DKIM_PURPOSE, stored.sealedKey));
  cache.set(name, { key });
  return key;
}

let making: Promise<unknown> = Promise.resolve();

/**
 * A new key pair. A process makes one at a time: each occupies one of the four threads that also sign mail, for some
 * 300 ms. `check` runs before, when the turn has come: it throws when the key is of no use any more.
 */
export function makeDkimKeyPair(check: () => Promise<void> = async () => undefined): Promise<DkimKeyPair> {
  const made = making.then(check).then(createDkimKeyPair);
  making = made.catch(() => undefined);
  return made;
}

type DkimKeyPair = Awaited<ReturnType<typeof createDkimKeyPair>>;
