import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { insertUserToken, type TokenPurpose, useUserToken } from './queries.ts';

/** A link by mail: 256 random bits, kept as a hash, good once. */
const LIFE_MS: Record<TokenPurpose, number> = { reset_password: 3_600_000, verify_email: 7 * 86_400_000 };
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const TOKEN_BYTES = 32;

export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Undefined for a text that cannot be a token, so that it is not even looked up. */
export const hashOfLinkToken = (token: string): Buffer | undefined =>
  TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;

export async function issueUserToken(db: Db, userId: string, purpose: TokenPurpose, now: Date): Promise<string> {
  const token = newLinkToken();
  const hash = createHash('sha256').update(token).digest();
  await insertUserToken(db, { hash, userId, purpose, expiresAt: new Date(now.getTime() + LIFE_MS[purpose]), now });
  return token;
}

/** Uses a link up and returns whose it was. Unknown, used, expired and malformed ones get one and the same answer. */
export async function redeemUserToken(db: Db, token: string, purpose: TokenPurpose, now: Date): Promise<string> {
  const hash = hashOfLinkToken(token);
  const used = hash === undefined ? undefined : await useUserToken(db, hash, purpose, now);
  if (used === undefined) {
    throw unacceptable(
      'token',
      'This link is not valid: it was used, has expired, or is incomplete. Request a new one.',
    );
  }
  return used.userId;
}
