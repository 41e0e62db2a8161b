import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/**
 * Refresh tokens: `phr_` and the base64url of session id, 16 random bytes and a MAC over both. The MAC lets us tell a
 * token that we issued and have replaced (stolen or replayed: its session ends, however old the token is) from one that
 * somebody made up (ignored, so that knowing a session's id is not enough to end it).
 */
const PREFIX = 'phr_';
const ID_BYTES = 16;
const RANDOM_BYTES = 16;
const MAC_BYTES = 16;
const TOKEN = /^phr_[A-Za-z0-9_-]{64}$/;

const macOf = (secrets: Secrets, body: Buffer): Buffer =>
  createHmac('sha256', secrets.key('refresh-token')).update(body).digest().subarray(0, MAC_BYTES);

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function issueRefreshToken(secrets: Secrets, sessionId: string): { token: string; hash: Buffer } {
  const body = Buffer.concat([idToBytes(sessionId), randomBytes(RANDOM_BYTES)]);
  const token = PREFIX + Buffer.concat([body, macOf(secrets, body)]).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** The session of a token that we did issue; says nothing about whether it is still the current one. */
export function readRefreshToken(secrets: Secrets, token: string): { sessionId: string; hash: Buffer } | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
  const body = bytes.subarray(0, ID_BYTES + RANDOM_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES + RANDOM_BYTES), macOf(secrets, body))) return undefined;
  return { sessionId: idFromBytes(bytes), hash: hashOf(token) };
}
