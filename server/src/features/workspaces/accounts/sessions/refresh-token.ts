import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { readToken, signToken } from '#platform/crypto/signed-bytes.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/**
 * Refresh tokens: `phr_` and the base64url of session id, 16 random bytes and a MAC over both. The MAC lets us tell a
 * token that we issued and have replaced (stolen or replayed: its session ends, however old the token is) from one that
 * somebody made up (ignored, so that knowing a session's id is not enough to end it).
 */
const PREFIX = 'phr_';
const ID_BYTES = 16;
const RANDOM_BYTES = 16;
const FORM = { macBytes: 16, payloadBytes: ID_BYTES + RANDOM_BYTES };

const keyOf = (secrets: Secrets): Buffer => secrets.key('refresh-token');

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function issueRefreshToken(secrets: Secrets, sessionId: string): { token: string; hash: Buffer } {
  const body = Buffer.concat([idToBytes(sessionId), randomBytes(RANDOM_BYTES)]);
  const token = PREFIX + signToken(keyOf(secrets), body, FORM);
  return { token, hash: hashOf(token) };
}

/** The session of a token that we did issue; says nothing about whether it is still the current one. */
export function readRefreshToken(secrets: Secrets, token: string): { sessionId: string; hash: Buffer } | undefined {
  if (!token.startsWith(PREFIX)) return undefined;
  const body = readToken(keyOf(secrets), token.slice(PREFIX.length), FORM);
  return body === undefined ? undefined : { sessionId: idFromBytes(body), hash: hashOf(token) };
}
