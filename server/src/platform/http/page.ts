import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../errors/app-error.ts';

/** The error, for the page that shows it. */
export interface PageFailure {
  error: AppError;
  /** The status it would have as an endpoint: from 500 on it is our fault. */
  status: number;
  requestId: string;
  /** The fields that were posted, when they could be read; nothing has checked them. */
  fields: Readonly<Record<string, unknown>>;
  request: FastifyRequest;
}

/** A route that people open in a browser. It is no part of the API, and stands in no OpenAPI document. */
export interface PageOptions {
  /**
   * The page of a failure, also of those the HTTP layer finds (a field missing, a body too large): never JSON. A whole
   * answer when the page has a status or headers of its own.
   */
  failure(failure: PageFailure): string | FailurePage | Promise<string | FailurePage>;
}

/** A route that is a page for some requests, and an endpoint of the API for all others. */
export interface PageForSome extends PageOptions {
  when(request: FastifyRequest): boolean;
}

/** The page that this request is for, if it is for one. */
export const pageFor = (
  page: PageOptions | PageForSome | undefined,
  request: FastifyRequest,
): PageOptions | undefined => (page === undefined || !('when' in page) || page.when(request) ? page : undefined);

/** The fields that an `Answer` of a route has too. */
export interface FailurePage {
  body: unknown;
  /** Undefined: the one that pages have for this failure. */
  status: number | undefined;
  headers: Readonly<Record<string, string>>;
}

/** The permissions of a page beyond those of all pages. */
export interface PageRights {
  /** The text of its `<style>` element: no other style is applied. Left out: any that stands in the page. */
  style?: string;
  /** Origins it loads pictures from. */
  imagesFrom?: readonly string[];
  /** The text of its one script; none runs when left out. */
  script?: string;
  /** Origins of a widget of somebody else: of its script, frames, styles and calls. */
  widgetFrom?: readonly string[];
  /** The sites that may put it into a frame; none when left out. */
  framedBy?: 'anyone';
  /** It is to be found by search engines. */
  indexed?: true;
  /** `no-store` when left out. */
  cacheControl?: string;
}

/**
 * A page loads nothing, is framed by nobody, posts only to us, and is found by no search engine. It runs no
 * script. All of that but for what `rights` name.
 */
export function pageHeaders(rights: PageRights = {}): Readonly<Record<string, string>> {
  const { widgetFrom = [] } = rights;
  const scripts = [...(rights.script === undefined ? [] : [`'sha256-${sha256(rights.script)}'`]), ...widgetFrom];
  const policy = [
    "default-src 'none'",
    [
      'style-src',
      rights.style === undefined ? "'unsafe-inline'" : `'sha256-${sha256(rights.style)}'`,
      ...widgetFrom,
    ].join(' '),
    ...(rights.imagesFrom === undefined || rights.imagesFrom.length === 0
      ? []
      : [`img-src ${rights.imagesFrom.join(' ')}`]),
    ...(scripts.length === 0 ? [] : [`script-src ${scripts.join(' ')}`]),
    ...(widgetFrom.length === 0 ? [] : [`frame-src ${widgetFrom.join(' ')}`, `connect-src ${widgetFrom.join(' ')}`]),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${rights.framedBy === 'anyone' ? '*' : "'none'"}`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': rights.cacheControl ?? 'no-store',
    'referrer-policy': 'no-referrer', // the address of the page may hold the token of a link
    'x-robots-tag': rights.indexed === true ? 'all' : 'noindex',
  };
}

/** Of a `<style>` element's text, as a policy names it (CSP Level 3, 2.3.1). */
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64');

/** The icon of a page stands in it. */
export const PAGE_HEADERS = pageHeaders({ imagesFrom: ['data:'] });

/** 401 would need a challenge that browsers act on, and a person can do the same about all of these. */
const ONE_TO_A_PERSON = new Set([401, 403, 404, 409, 422]);

export async function answerFailurePage(
  page: PageOptions,
  failed: { error: AppError; status: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { error, status } = failed;
  const fields = typeof request.body === 'object' && request.body !== null ? { ...request.body } : {};
  const { retryAfterSeconds } = error.extras;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const shown = await page.failure({ error, status, requestId: request.id, fields, request });
  const own: FailurePage = typeof shown === 'string' ? { body: shown, status: undefined, headers: {} } : shown;
  return reply
    .code(own.status ?? (ONE_TO_A_PERSON.has(status) ? 400 : status))
    .headers({ ...PAGE_HEADERS, ...own.headers })
    .send(own.body);
}
