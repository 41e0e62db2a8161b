import { LRUCache } from 'lru-cache';
import { createDkimKeyPair, type DkimKey, loadDkimKey } from '#mail/dkim.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { findDkimKey, type StoredDkimKey } from './queries.ts';

/** The purpose for which a stored DKIM key is sealed. */
export const DKIM_PURPOSE = 'dkim private key';

// Parsing a key costs about as much as signing with it, so parsed keys are kept. A minute is how long a replaced key
// may still sign: both its halves stay in DNS far longer than that.
const KEPT_MS = 60_000;
const KEPT_MAX = 5_000;
// Of a domain that the service signs nothing is parsed. Mail that leaves unsigned is refused as long as the service has
// lost the domain, and mail that leaves signed has two signatures as long as we do not know that it signs.
const KEPT_AT_SERVICE_MS = 5_000;

/** How mail of a domain is signed. */
interface Signature {
  /** null: nobody here signs it. */
  key: DkimKey | null;
  /** Of the delivery service that signs it there; null: the service has no key of ours. */
  region: string | null;
}

const NO_SIGNATURE: Signature = { key: null, region: null };

export interface Signing {
  /** The key to sign mail from this domain with, or null: its relay or the delivery service signs. */
  loadDkimKey(workspaceId: string, domain: string): Promise<DkimKey | null>;
  /** The region that the domain is verified in at the delivery service; null: any. */
  regionOf(workspaceId: string, domain: string): Promise<string | null>;
}

/**
 * `serviceSigns`: mail goes to a delivery service that signs for the domains whose key it has. Such mail leaves
 * unsigned. It is signed once, with the key that is in the DNS.
 */
export function createSigning({ db, secrets, serviceSigns }: SigningOptions): Signing {
  const ttl = serviceSigns ? KEPT_AT_SERVICE_MS : KEPT_MS;
  const cache = new LRUCache<string, Signature>({ max: KEPT_MAX, ttl });
  const signatureOf = async (workspaceId: string, domain: string): Promise<Signature> => {
    const name = `${workspaceId} ${domain}`;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const stored = await findDkimKey(db, workspaceId, domain);
    const signature = stored === undefined ? NO_SIGNATURE : read(domain, stored);
    cache.set(name, signature);
    return signature;
  };
  const read = (domain: string, { selector, sealedKey, signedInRegion }: StoredDkimKey): Signature => {
    if (serviceSigns && signedInRegion !== null) return { key: null, region: signedInRegion };
    const key = sealedKey === null ? null : loadDkimKey(domain, selector, secrets.open(DKIM_PURPOSE, sealedKey));
    return { key, region: null };
  };
  return {
    loadDkimKey: async (workspaceId, domain) => (await signatureOf(workspaceId, domain)).key,
    regionOf: async (workspaceId, domain) => (await signatureOf(workspaceId, domain)).region,
  };
}

interface SigningOptions {
  db: Db;
  secrets: Secrets;
  serviceSigns: boolean;
}

let making: Promise<unknown> = Promise.resolve();
let waiting = 0;
/** Key pairs that are waited for at a time: the last of them comes after some six seconds. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 5;

/**
 * A new key pair. A process makes one at a time, in the order of the callers: each occupies one of the four threads
 * that also sign mail, for some 300 ms. `check` runs before, when the turn has come: it throws when the key is of no
 * use any more. Throws 503 while too many wait.
 */
export function makeDkimKeyPair(check: () => Promise<void> = async () => undefined): Promise<DkimKeyPair> {
  if (waiting >= WAITING_MAX) {
    return Promise.reject(
      new AppError('service_unavailable_error', 'Many keys are being made. Try again in a moment.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
    );
  }
  waiting += 1;
  const made = making.then(check).then(createDkimKeyPair);
  making = made.catch(() => undefined).finally(() => (waiting -= 1));
  return made;
}

type DkimKeyPair = Awaited<ReturnType<typeof createDkimKeyPair>>;
