/**
 * Two ids in a local part that only we can make: a letter, then both ids and 56 bits of HMAC-SHA256 in base32 (RFC 4648
 * §6, lower case, no padding): servers on the way may change the case of a local part.
 */
import { isMacOf, macOf } from '#platform/crypto/mac.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const UUID_BYTES = 16;
// The most that fits: with the letter, 39 bytes are exactly the 64 characters a local part may have (RFC 5321
// §4.5.3.1.1). At a thousand guesses a second, one of 2^56 takes a million years.
const MAC_BYTES = 7;
const MAC_AT = 2 * UUID_BYTES;
const DIGITS = Math.ceil(((MAC_AT + MAC_BYTES) * 8) / 5);
// A local part of another length or alphabet is somebody else's; 315 digits' bits hold 312, so the last three are 0.
const shape = new RegExp(`^[a-z][${ALPHABET}]{${DIGITS}}$`);

/** 64 characters of `a` to `z` and `2` to `7`, the same every time. `version` is one letter. */
export function formatSignedIds(version: string, [first, second]: readonly [string, string], key: Buffer): string {
  const ids = Buffer.concat([idToBytes(first), idToBytes(second)]);
  return version + toBase32(Buffer.concat([ids, macOf(key, signedBy(version, ids), MAC_BYTES)]));
}

/** The ids in a local part, in any case of its letters; null when we did not make it under this key and letter. */
export function parseSignedIds(version: string, localPart: string, key: Buffer): [string, string] | null {
  // ASCII only: toLowerCase would turn the Kelvin sign into a k.
  const text = localPart.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!shape.test(text) || !text.startsWith(version)) return null;
  const bytes = fromBase32(text.slice(1));
  if (bytes === null) return null;
  const ids = bytes.subarray(0, MAC_AT);
  if (!isMacOf(key, signedBy(version, ids), bytes.subarray(MAC_AT))) return null;
  return [idFromBytes(ids), idFromBytes(ids, UUID_BYTES)];
}

/** The version is signed with the ids, so that an address of another version would not verify. */
const signedBy = (version: string, ids: Buffer): Buffer => Buffer.concat([Buffer.from(version), ids]);

function toBase32(bytes: Buffer): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  value <<= BigInt(DIGITS * 5 - bytes.length * 8);
  let text = '';
  for (let digit = DIGITS - 1; digit >= 0; digit -= 1)
    text += ALPHABET.charAt(Number((value >> BigInt(digit * 5)) & 31n));
  return text;
}

/** null when the spare bits at the end are not 0: one address has one spelling. */
function fromBase32(text: string): Buffer | null {
  let value = 0n;
  for (const char of text) value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  const bytes = MAC_AT + MAC_BYTES;
  const spare = BigInt(DIGITS * 5 - bytes * 8);
  if ((value & ((1n << spare) - 1n)) !== 0n) return null;
  return Buffer.from((value >> spare).toString(16).padStart(bytes * 2, '0'), 'hex');
}
