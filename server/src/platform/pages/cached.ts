import { createHash } from 'node:crypto';
import { Answer } from '../http/route.ts';

/** The parts of a caller's request that matter here. */
export interface Asking {
  url: string;
  headers: { 'if-none-match'?: string | undefined; 'accept-language'?: string | undefined };
}

/**
 * The same answer with an ETag of its text, or 304 without it when that is what the caller has (RFC 9110, 13.1.2). The
 * ETag is weak: the answer may leave compressed.
 */
export function cached(request: Asking, answered: Answer): Answer {
  const text = `"${createHash('sha256').update(String(answered.body)).digest('base64url').slice(0, 22)}"`;
  const etag = `W/${text}`;
  const { vary } = answered.headers;
  const headers = {
    ...answered.headers,
    etag,
    vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  };
  const asked = request.headers['if-none-match'];
  const isFresh = asked !== undefined && asked.split(',').some((one) => ['*', etag, text].includes(one.trim()));
  return isFresh ? new Answer('', { status: 304, headers }) : new Answer(answered.body, { headers });
}
