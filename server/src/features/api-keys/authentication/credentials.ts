import type { IncomingHttpHeaders } from 'node:http';
import { unauthenticated } from '#platform/errors/app-error.ts';
import { canBeKey } from '../key-format.ts';

export type Credential = { kind: 'key'; key: string } | { kind: 'token'; token: string };

/** Three parts of base64url: a dashboard token. A key has no dots. */
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const BEARER = /^Bearer +(\S+)$/i;

/**
 * The one credential of a request: `Authorization: Bearer` (key or dashboard token) or `X-API-Key`. Nothing else is
 * looked at, least of all the query string, which ends up in logs. Two that differ are refused: one of them is not
 * what its sender thinks.
 */
export function readCredential(headers: IncomingHttpHeaders): Credential {
  const bearer = headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1];
  if (headers.authorization !== undefined && bearer === undefined) {
    throw unauthenticated('The Authorization header must be "Bearer" and an API key or a dashboard token.');
  }
  const header = headers['x-api-key'];
  if (header !== undefined && bearer !== undefined && header !== bearer) {
    throw unauthenticated('Authorization and X-API-Key name two different credentials. Send one of them.');
  }
  const text = bearer ?? header;
  if (text === undefined)
    throw unauthenticated('Give your API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".');
  if (typeof text === 'string') {
    if (bearer !== undefined && TOKEN.test(text)) return { kind: 'token', token: text };
    if (canBeKey(text)) return { kind: 'key', key: text };
  }
  throw invalidKey();
}

/** The same words for a key that never was, a mistyped one and one of somebody else. */
export const invalidKey = () => unauthenticated('The API key is not valid.');
