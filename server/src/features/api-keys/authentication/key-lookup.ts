import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { ApiKey } from '../api-key.ts';
import { fingerprintOfKey, type KeyFingerprint } from '../key-format.ts';
import { listKeysByLookup, type StoredKey } from '../queries.ts';

export interface FoundKey {
  key: ApiKey;
  workspaceStatus: string;
}

export interface KeyLookup {
  /** Undefined for a key that does not exist. */
  find(text: string): Promise<FoundKey | undefined>;
  /** Forgets everything; what is being read just now is not kept either. */
  clear(): void;
}

/** Under the second within which a change must count, from before the read: also when no notification arrives. */
const KEPT_MS = 900;
const KNOWN_MAX = 10_000;
/**
 * Wrong keys are kept apart, so that guessing cannot push out the keys in use; and few, since each guess is another.
 */
const UNKNOWN_MAX = 10_000;

interface Kept {
  found: FoundKey | undefined;
  until: number;
}

/**
 * Keys by their text, through a cache of under a second. Guessing costs one indexed read per guess, no write, and a
 * bounded piece of memory. Calls for the same key at the same time share one read.
 */
export function createKeyLookup(deps: { db: Db; clock: Clock }): KeyLookup {
  const known = new LRUCache<string, Kept>({ max: KNOWN_MAX });
  const unknown = new LRUCache<string, Kept>({ max: UNKNOWN_MAX });
  const reading = new Map<string, Promise<FoundKey | undefined>>();
  let generation = 0;

  const read = async (name: string, { lookup, hash }: KeyFingerprint): Promise<FoundKey | undefined> => {
    const began = generation;
    const until = deps.clock.monotonicMs() + KEPT_MS;
    const found = matching(await listKeysByLookup(deps.db, lookup), hash);
    if (generation === began) (found === undefined ? unknown : known).set(name, { found, until });
    return found;
  };

  return {
    async find(text) {
      const fingerprint = fingerprintOfKey(text);
      const name = fingerprint.hash.toString('base64');
      const kept = known.get(name) ?? unknown.get(name);
      if (kept !== undefined && deps.clock.monotonicMs() < kept.until) return kept.found;
      let shared = reading.get(name);
      if (shared === undefined) {
        const started = read(name, fingerprint).finally(() => {
          if (reading.get(name) === started) reading.delete(name);
        });
        reading.set(name, (shared = started));
      }
      return shared;
    },
    clear() {
      generation += 1;
      known.clear();
      unknown.clear();
      reading.clear(); // who asks from now on reads anew, not what was read before the change
    },
  };
}

/** Every candidate is compared in full, so that the time says nothing about how much of a hash was right. */
function matching(candidates: readonly StoredKey[], hash: Buffer): FoundKey | undefined {
  let found: FoundKey | undefined;
  for (const candidate of candidates) {
    const isIt = candidate.hash.length === hash.length && timingSafeEqual(candidate.hash, hash);
    if (isIt) found = { key: candidate.key, workspaceStatus: candidate.workspaceStatus };
  }
  return found;
}
