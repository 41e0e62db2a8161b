import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { openApiDocument } from '../openapi/openapi.ts';
import { errorsPage } from './error-pages.ts';

/**
 * /openapi.json, /docs (API reference) and /docs/errors. All of it is served from this process, so it works offline.
 * The reference is one library file of 4.4 MB: it is loaded when the first person opens it, in an application of its
 * own, and not held in the memory of every worker before that.
 */
export function installDocs(app: FastifyInstance): void {
  let document: string | undefined;
  let reference: Promise<FastifyInstance> | undefined;
  const errors = errorsPage();

  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(app));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
  app.get('/docs/errors', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(errors),
  );

  const serveReference = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reference ??= loadReference();
    const inner = await (await reference).inject({ method: 'GET', url: request.url });
    return reply
      .code(inner.statusCode)
      .type(String(inner.headers['content-type'] ?? 'text/html'))
      .send(inner.rawPayload);
  };
  // The page names its script relative to itself, so it needs the slash.
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'));
  app.get('/docs/', serveReference);
  app.get('/docs/js/*', serveReference);
  app.addHook('onClose', async () => {
    await (await reference)?.close();
  });
}

async function loadReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const inner = fastify({ logger: false });
  await inner.register(scalar, {
    routePrefix: '/docs',
    // Nothing is fetched from anywhere else: no fonts, no proxy, no telemetry.
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Posthorn API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      // Offers that lead to the vendor's own services.
      agent: { disabled: true },
      mcp: { disabled: true },
      authentication: { preferredSecurityScheme: 'bearer' },
    },
  });
  await inner.ready();
  return inner;
}
