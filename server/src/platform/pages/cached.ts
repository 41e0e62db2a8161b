import { createHash } from 'node:crypto';
import { Answer } from '../http/route.ts';

/** The parts of a caller's request that matter here. */
export interface Asking {
  url: string;
  headers: { 'if-none-match'?: string | undefined; 'accept-language'?: string | undefined };
}

/** The same answer with an ETag of its text, or 304 without it when that is what the caller has (RFC 9110, 13.1.2). */
export function cached(request: Asking, answered: Answer): Answer {
  const etag = `"${createHash('sha256').update(String(answered.body)).digest('base64url').slice(0, 22)}"`;
  const headers = { ...answered.headers, etag };
  const asked = request.headers['if-none-match'];
  const isFresh = asked !== undefined && asked.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
  return isFresh ? new Answer('', { status: 304, headers }) : new Answer(answered.body, { headers });
}
