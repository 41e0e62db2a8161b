import { comparedRecord, isRepeatable, isSendLimited, type Route } from '../route.ts';
import { isListEnvelope } from '../paging.ts';

const header = (description: string, schema: object = { type: 'string' }): object => ({ description, schema });
const count = { type: 'integer' };

/** Headers of answers, as `components.headers`. */
export const HEADERS = {
  'X-Request-ID': header('The id of this request. Give it when you report a problem.'),
  'X-Unknown-Fields': header(
    'Unknown fields and query parameters, separated by commas. They were ignored; on an error too.',
  ),
  'X-Existing-Resource': header('`true`: nothing new was created; the answer is the record that was there.'),
  'Idempotent-Replayed': header('`true`: the kept answer of the first request with this Idempotency-Key.'),
  ETag: header('The version of the record. Send it in `If-Match` with a change, or in `If-None-Match` with a read.'),
  Link: header('`<…>; rel="next"` (RFC 8288) while there is another page.'),
  'Content-Disposition': header('The file name to store the answer under.'),
  'Retry-After': header('Seconds to wait before the request is sent again.', count),
  'WWW-Authenticate': header('`Bearer` (RFC 9110, 11.6.1).'),
  'X-RateLimit-Limit': header(
    'The limit of the tier with the fewest remaining send requests. Missing when no tier is limited.',
    count,
  ),
  'X-RateLimit-Remaining': header('Remaining send requests of that tier.', count),
  'X-RateLimit-Reset': header('The time at which the tier starts again, in seconds since 1970 (UTC).', count),
  'X-RateLimit-Tier': header('The name of that tier.', { type: 'string', enum: ['hourly', 'daily', 'monthly'] }),
} as const;

export type HeaderName = keyof typeof HEADERS;

export const LIMIT_HEADERS: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Tier',
];

/** The headers that a good answer of this route may have. */
export function headersOfAnswer(route: Route, status: number): HeaderName[] {
  const { response } = route;
  const isExisting = status === 200 && route.status === 201;
  return [
    'X-Request-ID',
    ...(route.method === 'GET' && route.query === undefined ? [] : (['X-Unknown-Fields'] as const)),
    ...(route.version === undefined || route.method === 'DELETE' ? [] : (['ETag'] as const)),
    ...(isExisting ? (['X-Existing-Resource'] as const) : []),
    ...(isRepeatable(route) ? (['Idempotent-Replayed'] as const) : []),
    ...(response !== undefined && isListEnvelope(response) ? (['Link'] as const) : []),
    ...(response !== undefined && 'file' in response && response.file.startsWith('text/csv')
      ? (['Content-Disposition'] as const)
      : []),
    ...(isSendLimited(route.access) ? LIMIT_HEADERS : []),
  ];
}

export const refsTo = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of requests, as `components.parameters`. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to repeat: within 24 hours the same key gets the first answer again, and nothing is ' +
      'done twice. The same key with another body is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of the record as you last read it. 409, and nothing is changed, if somebody has changed the record ' +
      'since. Counters and other fields that this API does not set do not count.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the answer that you have. 304 without a body if the answer would be the same.',
    schema: { type: 'string' },
  },
  WorkspaceId: {
    name: 'X-Workspace-ID',
    in: 'header',
    required: false,
    description: 'The workspace that a dashboard token acts in. An API key belongs to one and needs no header.',
    schema: { type: 'string', format: 'uuid' },
  },
} as const;

export const parameterRefs = (route: Route): object[] => [
  ...(isRepeatable(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(comparedRecord(route) !== undefined ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ...(route.version !== undefined && route.method === 'GET' ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(typeof route.access === 'object' ? [{ $ref: '#/components/parameters/WorkspaceId' }] : []),
];
