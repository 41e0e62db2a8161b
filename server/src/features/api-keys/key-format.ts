import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `ph_live_` or `ph_test_`, 32 base62 characters (190 random bits) and 6 that are their CRC-32 in base62: a secret
 * scanner can tell a real key from a look-alike without asking us. The checksum is no security.
 */
export type KeyMode = 'live' | 'test';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6; // 62^6 > 2^32
const OUR_FORMAT = /^ph_(live|test)_[0-9A-Za-z]{38}$/;
const ANY_KEY = /^[A-Za-z0-9_-]{24,128}$/;
const SHOWN_OF_OURS = 12;
const SHOWN_OF_OTHERS = 4;
const LOOKUP_BYTES = 6;

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i += 1) {
    checksum = BASE62.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}

export function generateKey(mode: KeyMode): string {
  let body = `ph_${mode}_`;
  for (let i = 0; i < RANDOM_CHARACTERS; i += 1) body += BASE62.charAt(randomInt(62));
  return body + checksumOf(body);
}

/** True for a string that our generator can have made. Keys fixed by a setting need not be. */
export function verifyKeyFormat(key: string): boolean {
  return OUR_FORMAT.test(key) && checksumOf(key.slice(0, -CHECKSUM_CHARACTERS)) === key.slice(-CHECKSUM_CHARACTERS);
}

/** True for anything that can be a key at all, including one fixed by a setting. */
export const canBeKey = (text: string): boolean => ANY_KEY.test(text);

export interface KeyFingerprint {
  hash: Buffer;
  /** The prefix by which a key is found before its whole hash is compared. */
  lookup: string;
}

/**
 * The beginning of the hash, not of the key: whoever guesses a key with a beginning that they have seen in a list finds
 * no row, and waits exactly as long as for any other guess.
 */
export function fingerprintOfKey(key: string): KeyFingerprint {
  const digest = hash('sha256', key, 'buffer');
  return { hash: digest, lookup: digest.toString('hex', 0, LOOKUP_BYTES) };
}

export interface KeyParts extends KeyFingerprint {
  mode: KeyMode;
  /** Shown in lists so that people can tell their keys apart. */
  prefix: string;
  last4: string;
}

/**
 * How a key is stored. One of our making shows 12 characters of 46 and its last 4; one fixed by a setting may be as
 * short as 24 and need not be random, so it shows 4 and 4.
 */
export function partsOfKey(key: string): KeyParts {
  return {
    ...fingerprintOfKey(key),
    mode: key.startsWith('ph_test_') ? 'test' : 'live',
    prefix: key.slice(0, verifyKeyFormat(key) ? SHOWN_OF_OURS : SHOWN_OF_OTHERS),
    last4: key.slice(-4),
  };
}
