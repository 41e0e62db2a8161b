import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 6;

/** Everything derived from the one master secret (POSTHORN_SECRET_KEY). Keys of different purposes are unrelated. */
export interface Secrets {
  /** 32 bytes for one purpose (HKDF-SHA256, RFC 5869), such as signing access tokens. */
  key(purpose: string): Buffer;
  /**
   * Names the master secret, and tells nothing of it: what is written beside a signature that must outlive a change.
   */
  readonly masterId: string;
  /** The same key under the master secret of that name, this one or a previous one; undefined when it is neither. */
  keyUnder(masterId: string, purpose: string): Buffer | undefined;
  /** Encrypts for storage: nonce, tag, AES-256-GCM text. The purpose is bound in, so values cannot change places. */
  seal(purpose: string, plain: Buffer): Buffer;
  /** Throws when the value was made under another key or purpose, or was changed. */
  open(purpose: string, sealed: Buffer): Buffer;
}

/** `previous`: master secrets from before a change. Only signatures that name them are read with them. */
export function createSecrets(masterKey: string, previous: readonly string[] = []): Secrets {
  const key = keysOf(masterKey);
  const masterId = idOf(key);
  const sealingKey = keyObjectsOf(key);
  // The present one comes last, so that it is what its own name means.
  const known = new Map([...previous.map(keysOf), key].map((keys) => [idOf(keys), keys]));
  return {
    key,
    masterId,
    keyUnder: (id, purpose) => known.get(id)?.(purpose),
    seal(purpose, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey(purpose), nonce);
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open(purpose, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      // The length is said because Node would take a tag that was cut to four bytes.
      const decipher = createDecipheriv('aes-256-gcm', sealingKey(purpose), nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

function keysOf(masterKey: string): Secrets['key'] {
  const keys = new Map<string, Buffer>();
  return (purpose) => {
    let found = keys.get(purpose);
    if (found === undefined) {
      found = Buffer.from(hkdfSync('sha256', masterKey, 'posthorn', purpose, 32));
      keys.set(purpose, found);
    }
    return found;
  };
}

/** Made once for each purpose: a cipher takes 6 µs with one, and 18 µs with the bytes of the same key. */
function keyObjectsOf(key: Secrets['key']): (purpose: string) => KeyObject {
  const made = new Map<string, KeyObject>();
  return (purpose) => {
    const found = made.get(purpose) ?? createSecretKey(key(`seal:${purpose}`));
    made.set(purpose, found);
    return found;
  };
}

const idOf = (key: Secrets['key']): string => key('master-id').subarray(0, ID_BYTES).toString('base64url');
