import { ERROR_NAMES } from '../../errors/error-table.ts';
import { type HeaderName, LIMIT_HEADERS, refsTo } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Every answer that is not 2xx.',
  required: ['statusCode', 'name', 'message', 'requestId', 'documentation'],
  additionalProperties: false,
  properties: {
    statusCode: { type: 'integer', description: 'Equals the HTTP status.' },
    name: { type: 'string', enum: ERROR_NAMES, description: 'Stable: branch on it.' },
    message: { type: 'string', description: 'For people; the wording may change.' },
    param: { type: 'string', description: 'The input field at fault.' },
    details: { type: 'array', items: { type: 'string' }, description: 'One sentence per field when several failed.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ignored fields of a send: one of them may be what the message misses.',
    },
    retryAfter: { type: 'integer', description: 'Seconds; with rate_limit_error.' },
    resetAt: { type: ['string', 'null'], description: 'ISO 8601; with rate_limit_error.' },
    requestId: { type: 'string', description: 'Also in X-Request-ID.' },
    documentation: { type: 'string', description: 'Where this name is explained.' },
  },
};

const errors: Readonly<Record<number, { name: string; description: string; headers?: readonly HeaderName[] }>> = {
  400: { name: 'BadRequest', description: 'The request cannot be read, or a field is missing or badly formed.' },
  401: {
    name: 'Unauthorized',
    description: 'The key or token is missing, wrong, expired or revoked.',
    headers: ['WWW-Authenticate'],
  },
  403: { name: 'Forbidden', description: 'The caller may not do this; the message names the scope or the cap.' },
  404: { name: 'NotFound', description: 'Your workspace has no such record.' },
  408: { name: 'RequestTimeout', description: 'The body arrived too slowly.' },
  409: {
    name: 'Conflict',
    description:
      'The state of the record does not allow this, a name is taken, or the Idempotency-Key was used before.',
    headers: ['Retry-After'],
  },
  413: { name: 'ContentTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is of a media type that is not taken here.' },
  422: { name: 'UnprocessableContent', description: 'The request is well-formed, but not acceptable.' },
  429: { name: 'TooManyRequests', description: 'A limit is reached.', headers: ['Retry-After', ...LIMIT_HEADERS] },
  500: { name: 'InternalError', description: 'A fault of the server. It is logged under the request id.' },
  503: {
    name: 'ServiceUnavailable',
    description: 'The server is busy, or its database cannot be reached. Try again.',
    headers: ['Retry-After'],
  },
  504: { name: 'GatewayTimeout', description: 'Another server did not answer in time.', headers: ['Retry-After'] },
};

const jsonError = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** `components.responses`: one for each error status, and one for every status that no operation declares. */
export const ERROR_RESPONSES: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.values(errors).map(({ name, description, headers = [] }) => [
      name,
      { description, headers: refsTo(['X-Request-ID', ...headers]), content: jsonError },
    ]),
  ),
  UnexpectedError: { description: 'Any other error.', headers: refsTo(['X-Request-ID']), content: jsonError },
};

/** A reference to the response of an error status. */
export function refToError(status: number): { $ref: string } {
  const known = errors[status];
  if (known === undefined)
    throw new Error(`a route declares the error ${status}, which error-responses.ts does not know`);
  return { $ref: `#/components/responses/${known.name}` };
}

export const DEFAULT_ERROR = { $ref: '#/components/responses/UnexpectedError' };
