import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Access } from './route.ts';
import { ERROR_NAMES } from '../errors/error-table.ts';

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
      // The order of the reference: what people come for stands first.
      tags: ['Sending', 'Emails', 'Captured emails', 'API keys', 'Workspaces', 'Sign-in', 'Operations'].map((name) => ({
        name,
      })),
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

export interface OpenApiDocument {
  paths: Record<string, Record<string, { operationId?: string; responses: Record<string, unknown> }>>;
  components: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
}

/** The finished document: the plugin's, with the error envelope on every operation. Call after app.ready(). */
export function openApiDocument(app: FastifyInstance): OpenApiDocument {
  // A copy, so that the plugin's own cached document stays as it is.
  const document = structuredClone(app.swagger()) as unknown as OpenApiDocument; // 3.1 as set above
  document.components = { ...document.components, schemas: { ...document.components['schemas'], Error: ERROR_SCHEMA } };
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      operation.responses['default'] = {
        description: 'An error.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      };
    }
  }
  return document;
}
