import type { Db } from '#platform/db/database.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import {
  type AttemptLimit,
  type Counting,
  forgetAttempts,
  giveBackAttempt,
} from '#platform/attempts/attempt-limits.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { findTwoFactor, takeRecoveryCode, takeStep } from './queries.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

export const SEAL = 'two-factor secret';

/** Of a million codes three are good at a time: ten tries in a quarter of an hour find one in nine years. */
export const codeLimits = (userId: string, ip: string): AttemptLimit[] => [
  { subject: `two-factor ip ${ip}`, max: 100, windowSeconds: 900 },
  { subject: `two-factor account ${userId}`, max: 10, windowSeconds: 900 },
];

/** A right code: the account starts afresh, as with a right password; the network address gets this attempt back. */
export async function forgiveCodes(counting: Counting & { ip: string }, userId: string): Promise<void> {
  const [ofIp, ofAccount] = codeLimits(userId, counting.ip);
  if (ofIp !== undefined) await giveBackAttempt(counting, ofIp);
  if (ofAccount !== undefined) await forgetAttempts(counting, ofAccount);
}

/** To somebody who is signed in; a sign-in answers 401. */
export const wrongCode = () =>
  unacceptable('code', 'code is wrong, was used already, or is too old. Take the present one.');

export type CodeKind = 'totp' | 'recovery_code';

/** Takes a code of the app, or a recovery code, once. Undefined: it is wrong, was used, or is too old. */
export async function useCode(
  tx: Db,
  secrets: Secrets,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<CodeKind | undefined> {
  const found = await findTwoFactor(tx, userId);
  if (found === undefined || found.enabledAt === null) return undefined;
  const plain = code.replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(plain)) {
    const step = stepOfCode(secrets.open(SEAL, found.secret), plain, now);
    return step !== undefined && (await takeStep(tx, userId, step)) ? 'totp' : undefined;
  }
  const hash = hashOfRecoveryCode(plain);
  return hash !== undefined && (await takeRecoveryCode(tx, userId, hash, now)) ? 'recovery_code' : undefined;
}
