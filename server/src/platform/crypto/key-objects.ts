import { createSecretKey, type KeyObject } from 'node:crypto';

const keyObjects = new WeakMap<Buffer, KeyObject>();

/**
 * The key that these bytes are, as Node wants it. Node parses a key that is given as bytes for every HMAC and cipher,
 * which takes four to six times as long as the HMAC or the cipher itself. `Secrets` returns the same Buffer for a
 * purpose each time, so the parsed key is found again.
 */
export function keyObjectOf(key: Buffer): KeyObject {
  let found = keyObjects.get(key);
  if (found === undefined) {
    found = createSecretKey(key);
    keyObjects.set(key, found);
  }
  return found;
}
