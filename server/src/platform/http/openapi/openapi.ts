import type { FastifyInstance } from 'fastify';
import type { Route } from '../route.ts';
import { ERROR_RESPONSES, ERROR_SCHEMA } from './error-responses.ts';
import { HEADERS, PARAMETERS } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';
import { createNamedSchemas } from './named-schemas.ts';
import { type Operation, operationOf } from './operation.ts';
import { TAGS } from './tags.ts';

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; [part: string]: Record<string, unknown> };
  [key: string]: unknown;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The routes that the document is made of, and where the samples in it call them. */
    documented: { routes: readonly Route[]; baseUrl: string };
  }
}

/** The OpenAPI 3.1 document, made of the schemas that check the requests: it cannot say something else. */
export function openApiDocument({ documented: { routes, baseUrl } }: FastifyInstance): OpenApiDocument {
  const schemas = createNamedSchemas();
  schemas.refer({ title: 'Error', ...ERROR_SCHEMA }, 'Error');
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    if (route.response === undefined || route.hidden === true) continue;
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const operations = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {});
      operations[route.method.toLowerCase()] = operationOf(route, path, schemas, baseUrl);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn API',
      version: '1',
      description:
        'Email for developers. Every answer carries `X-Request-ID`; every answer that is not 2xx is an `Error`. ' +
        'Every POST of a workspace takes an `Idempotency-Key`. Lists take `page`, `limit` and `cursor`. ' +
        'Fields and query parameters may be written in camelCase or snake_case. A mistyped name is refused with 400, and so is an ' +
        'unknown query parameter of a request that writes; other unknown names are ignored and stand in ' +
        '`X-Unknown-Fields`.',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components(),
      responses: { ...ERROR_RESPONSES },
      parameters: { ...PARAMETERS },
      headers: { ...HEADERS },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or a dashboard token.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-posthorn-session',
          description:
            'For browsers: the cookie of `POST /auth/login` with `X-Posthorn-Session: cookie`. Every change needs ' +
            '`X-Posthorn-Csrf: 1` and comes from a page of this server; otherwise it is 403. A key or token in the ' +
            'same request is used in its place. Over plain http the name has no `__Host-`.',
        },
      },
    },
  };
}
