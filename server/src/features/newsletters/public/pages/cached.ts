import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Answer } from '#platform/http/route.ts';

/** The same answer with an ETag of its text, or 304 without it when that is what the caller has (RFC 9110, 13.1.2). */
export function cached(request: FastifyRequest, answered: Answer): Answer {
  const etag = `"${createHash('sha256').update(String(answered.body)).digest('base64url').slice(0, 22)}"`;
  const headers = { ...answered.headers, etag };
  const asked = request.headers['if-none-match'];
  const isFresh = asked !== undefined && asked.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
  return isFresh ? new Answer('', { status: 304, headers }) : new Answer(answered.body, { headers });
}
