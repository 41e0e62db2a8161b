import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Everything derived from the one master secret (POSTHORN_SECRET_KEY). Keys of different purposes are unrelated. */
export interface Secrets {
  /** 32 bytes for one purpose (HKDF-SHA256, RFC 5869), such as signing access tokens. */
  key(purpose: string): Buffer;
  /** Encrypts for storage: nonce, tag, AES-256-GCM text. The purpose is bound in, so values cannot change places. */
  seal(purpose: string, plain: Buffer): Buffer;
  /** Throws when the value was made under another key or purpose, or was changed. */
  open(purpose: string, sealed: Buffer): Buffer;
}

export function createSecrets(masterKey: string): Secrets {
  const keys = new Map<string, Buffer>();
  const key = (purpose: string): Buffer => {
    let found = keys.get(purpose);
    if (found === undefined) {
      found = Buffer.from(hkdfSync('sha256', masterKey, 'posthorn', purpose, 32));
      keys.set(purpose, found);
    }
    return found;
  };
  return {
    key,
    seal(purpose, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key(`seal:${purpose}`), nonce);
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open(purpose, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      // The length is said because Node would take a tag that was cut to four bytes.
      const decipher = createDecipheriv('aes-256-gcm', key(`seal:${purpose}`), nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}
