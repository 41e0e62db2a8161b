import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';

/**
 * The moment at which one of our own pages was made, signed, in a hidden field of its form: nobody types an address
 * within a second, and a program that posts our form has to fetch it first. Forms of others and JSON carry none, so that
 * the first call of somebody's program always works.
 */
export type FillTime = 'good' | 'too_soon' | 'too_old' | 'bad';

/** Nobody is faster. */
export const SOONEST_MS = 1_000;
/** A page may lie open in a tab over a weekend, or for an hour in a cache. */
const LATEST_MS = 7 * 86_400_000;
const TOKEN = /^([0-9a-z]{8,9})\.([A-Za-z0-9_-]{22})$/;
const SIGNATURE_BYTES = 16;
const PURPOSE = 'newsletter-form-shown';

const sign = (key: Buffer, time: string): Buffer =>
  createHmac('sha256', key).update(time).digest().subarray(0, SIGNATURE_BYTES);

/** About 31 characters of `[0-9A-Za-z._-]`, for a hidden field. */
export function fillTimeToken(secrets: Secrets, now: Date): string {
  const time = now.getTime().toString(36);
  return `${time}.${sign(secrets.key(PURPOSE), time).toString('base64url')}`;
}

/** `too_soon`: less than a second ago. `too_old`: more than 7 days. `bad`: nothing that we wrote. */
export function readFillTime(secrets: Secrets, token: string, now: Date): FillTime {
  const [, time = '', signature = ''] = TOKEN.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secrets.key(PURPOSE), time);
  if (given.length !== SIGNATURE_BYTES || given.toString('base64url') !== signature) return 'bad';
  if (!timingSafeEqual(given, expected)) return 'bad';
  const agoMs = now.getTime() - Number.parseInt(time, 36);
  if (agoMs > LATEST_MS) return 'too_old';
  return agoMs < SOONEST_MS ? 'too_soon' : 'good';
}
