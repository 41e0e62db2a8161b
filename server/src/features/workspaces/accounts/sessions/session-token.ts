import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { readToken, signToken } from '#platform/crypto/signed-bytes.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/**
 * The secret of a session: a prefix and the base64url of session id, 16 random bytes and a MAC over both. The MAC lets
 * us tell a token that we issued from one that somebody made up. A made-up token costs no look-up, and knowing a
 * session's id is not enough to end it. The table keeps the hash of the present one. Each kind has a key of its own:
 * a cookie is no refresh token, nor the reverse.
 */
export type TokenKind = 'refresh' | 'cookie';
const KINDS = {
  refresh: { prefix: 'phr_', purpose: 'refresh-token' },
  cookie: { prefix: 'phs_', purpose: 'session-cookie' },
} as const;
const ID_BYTES = 16;
const RANDOM_BYTES = 16;
const FORM = { macBytes: 16, payloadBytes: ID_BYTES + RANDOM_BYTES };

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function issueSessionToken(
  secrets: Secrets,
  kind: TokenKind,
  sessionId: string,
): { token: string; hash: Buffer } {
  const { prefix, purpose } = KINDS[kind];
  const body = Buffer.concat([idToBytes(sessionId), randomBytes(RANDOM_BYTES)]);
  const token = prefix + signToken(secrets.key(purpose), body, FORM);
  return { token, hash: hashOf(token) };
}

/** The session of a token that we did issue; says nothing about whether it is still the current one. */
export function readSessionToken(
  secrets: Secrets,
  kind: TokenKind,
  token: string,
): { sessionId: string; hash: Buffer } | undefined {
  const { prefix, purpose } = KINDS[kind];
  if (!token.startsWith(prefix)) return undefined;
  const body = readToken(secrets.key(purpose), token.slice(prefix.length), FORM);
  return body === undefined ? undefined : { sessionId: idFromBytes(body), hash: hashOf(token) };
}
