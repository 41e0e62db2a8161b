import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../errors/app-error.ts';

/** What went wrong, for the page that says so. */
export interface PageFailure {
  error: AppError;
  /** The status it would have as an endpoint: from 500 on it is our fault. */
  status: number;
  requestId: string;
  /** The fields that were posted, when they could be read; nothing has checked them. */
  fields: Readonly<Record<string, unknown>>;
}

/** A route that people open in a browser. It is no part of the API, and stands in no OpenAPI document. */
export interface PageOptions {
  /** The page of a failure, also of those the HTTP layer finds (a field missing, a body too large): never JSON. */
  failure(failure: PageFailure): string;
}

/** A page loads nothing, is framed by nobody, posts only to us, and is found by no search engine. It has no scripts. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer', // the address of the page may hold the token of a link
  'x-robots-tag': 'noindex',
};

/** 401 would need a challenge that browsers act on, and a person can do the same about all of these. */
const ONE_TO_A_PERSON = new Set([401, 403, 404, 409, 422]);

export function answerFailurePage(
  page: PageOptions,
  failed: { error: AppError; status: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { error, status } = failed;
  const fields = typeof request.body === 'object' && request.body !== null ? { ...request.body } : {};
  const { retryAfterSeconds } = error.extras;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply
    .code(ONE_TO_A_PERSON.has(status) ? 400 : status)
    .headers({ ...PAGE_HEADERS })
    .send(page.failure({ error, status, requestId: request.id, fields }));
}
