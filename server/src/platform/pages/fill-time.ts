import type { Secrets } from '../crypto/secrets.ts';
import { readToken, signToken } from '../crypto/signed-bytes.ts';

/**
 * The moment at which one of our own pages was made, signed, in a hidden field of its form: nobody types an address
 * within a second, and a program that posts our form has to fetch it first. Forms of others and JSON carry none, so
 * that the first call of somebody's program always works.
 */
export type FillTime = 'good' | 'too_soon' | 'too_old' | 'bad';

/** Nobody is faster. */
export const SOONEST_MS = 1_000;
/** A page may lie open in a tab over a weekend, or for an hour in a cache. */
const LATEST_MS = 7 * 86_400_000;
const TIME_BYTES = 6;
const FORM = { macBytes: 16, payloadBytes: TIME_BYTES };

const keyOf = (secrets: Secrets): Buffer => secrets.key('newsletter-form-shown');

/** 30 characters of base64url, for a hidden field. */
export function fillTimeToken(secrets: Secrets, now: Date): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(now.getTime(), 0, TIME_BYTES);
  return signToken(keyOf(secrets), time, FORM);
}

/** `too_soon`: less than a second ago. `too_old`: more than 7 days. `bad`: nothing that we wrote. */
export function readFillTime(secrets: Secrets, token: string, now: Date): FillTime {
  const time = readToken(keyOf(secrets), token, FORM);
  if (time === undefined) return 'bad';
  const agoMs = now.getTime() - time.readUIntBE(0, TIME_BYTES);
  if (agoMs > LATEST_MS) return 'too_old';
  return agoMs < SOONEST_MS ? 'too_soon' : 'good';
}
