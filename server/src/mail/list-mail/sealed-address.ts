import { createCipheriv, createDecipheriv } from 'node:crypto';
import { keyObjectOf } from '#platform/crypto/key-objects.ts';
import { macOf } from '#platform/crypto/mac.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** With a longer one the header of a link would not fit into the 870 characters that providers take. */
const ADDRESS_BYTES_MAX = 128;

/**
 * An address as a link can carry it: whoever holds the link cannot read it. AES-256-GCM. The nonce is a MAC of the
 * address, so that it repeats for the same address only, and no random bytes are asked for. Undefined: too long.
 */
export function sealAddress(key: Buffer, address: string): string | undefined {
  const plain = Buffer.from(address);
  if (plain.length > ADDRESS_BYTES_MAX) return undefined;
  const nonce = macOf(key, plain, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyObjectOf(key), nonce);
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** Undefined for anything that was not sealed with this key. */
export function openAddress(key: Buffer, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', keyObjectOf(key), nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
