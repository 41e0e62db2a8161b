import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../route.ts';
import { ERROR_NAMES } from '../../errors/error-table.ts';

const ERROR_SCHEMA = {
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
    retryAfter: { type: 'integer', description: 'Seconds; with rate_limit_error.' },
    resetAt: { type: ['string', 'null'], description: 'ISO 8601; with rate_limit_error.' },
    requestId: { type: 'string', description: 'Also in X-Request-ID.' },
    documentation: { type: 'string', description: 'Where this name is explained.' },
  },
} as const;

/** What the operations are sorted by, in the order of the reference: what people come for stands first. */
const TAGS = {
  Sending: 'Mail goes out here: one email, or up to 100 different ones, answered when they are on disk.',
  Emails: 'What became of each email, with its events. Something unclear? Ask `explain`.',
  Newsletters: 'Lists of people who asked for mail, with their branding, their sender and how people join.',
  Subscribers: 'Who is on a list, how they came there and what shows it. Imports and exports of millions.',
  Issues: 'What is sent to everybody on a list: drafts, schedules, sending once, cancelling exactly, statistics.',
  'Sign-up pages':
    'For forms on your own site: no key, any origin, JSON or a plain form. Nothing here tells who is on a list.',
  Webhooks:
    'Your server is told of every event by a signed POST. `test` sends a sample; deliveries of 30 days can be looked at and sent again.',
  Events: 'The same events to read in your own time, without an endpoint.',
  Suppressions:
    'Addresses that get no mail: bounced, complained, unsubscribed, or put here by you. Lists move in and out as CSV.',
  'Captured emails': 'While nothing is configured, mail stays here, to look at while you develop.',
  'API keys': 'What a program may do, from which domains, and how much of it.',
  Workspaces: 'A workspace has its own mail, keys, people and settings, tracking of opens and clicks among them.',
  Audit: 'Who did what, and what the system did by itself. For people who signed in: owners and admins.',
  'Sign-in': 'Accounts and sessions of people. Programs use API keys.',
  Operations: 'For whoever runs this: health, metrics, what keeps mail or its events from arriving.',
} as const;

/** Makes the OpenAPI 3.1 document from the schemas that check the requests, so that it cannot say something else. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Posthorn API',
        version: '1',
        description:
          'Email for developers. Every answer carries `X-Request-ID`; every answer that is not 2xx is an `Error`. ' +
          'Every POST of a workspace takes an `Idempotency-Key`. Lists take `page`, `limit` and `cursor`.',
      },
      servers: [{ url: '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or a dashboard token.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
        },
      },
    },
  });
}

export const securityOf = (access: Access): Record<string, string[]>[] =>
  access === 'public' ? [] : access === 'user' ? [{ bearer: [] }] : [{ bearer: [] }, { apiKey: [] }];

type Responses = Record<string, { description: string; [key: string]: unknown }>;

export interface OpenApiDocument {
  paths: Record<string, Record<string, { operationId?: string; tags?: string[]; responses: Responses }>>;
  components: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
}

/** For answers that say nothing about themselves; the plugin's own words for those help nobody. */
const MEANINGS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Stored and on its way.',
  204: 'Done; no content.',
};

/** The finished document: the plugin's, with the error envelope on every operation. Call after app.ready(). */
export function openApiDocument(app: FastifyInstance): OpenApiDocument {
  // A copy, so that the plugin's own cached document stays as it is.
  const document = structuredClone(app.swagger()) as unknown as OpenApiDocument; // 3.1 as set above
  document.components = { ...document.components, schemas: { ...document.components['schemas'], Error: ERROR_SCHEMA } };
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (response.description === 'Default Response') response.description = MEANINGS[status] ?? 'As described.';
      }
      operation.responses['default'] = {
        description: 'An error.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      };
    }
  }
  return document;
}
