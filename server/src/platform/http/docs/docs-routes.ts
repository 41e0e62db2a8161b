import { createHash } from 'node:crypto';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { openApiDocument } from '../openapi/openapi.ts';
import { errorsPage } from './error-pages.ts';
import { plainReference } from './plain-reference.ts';

/**
 * /openapi.json, /docs (API reference) and /docs/errors. All of it is served from this process, so it works offline.
 * The reference is one library file of 4.4 MB: it is loaded when the first person opens it, in an application of its
 * own, and not held in the memory of every worker before that.
 */
export function installDocs(app: FastifyInstance): void {
  let document: string | undefined;
  let reference: Promise<FastifyInstance> | undefined;
  let plain: string | undefined;
  const errors = errorsPage();

  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(app));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
  app.get('/docs/errors', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .send(errors),
  );

  const serveReference = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reference ??= loadReference();
    const inner = await (await reference).inject({ method: 'GET', url: request.url });
    const type = String(inner.headers['content-type'] ?? 'text/html');
    reply.code(inner.statusCode).type(type);
    if (!type.startsWith('text/html')) return reply.send(inner.rawPayload);
    plain ??= plainReference(openApiDocument(app));
    return reply
      .header('content-security-policy', policyFor(inner.payload))
      .send(inner.payload.replace('</body>', () => `${plain}</body>`));
  };
  // The page names its script relative to itself, so it needs the slash.
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'));
  app.get('/docs/', serveReference);
  app.get('/docs/js/*', serveReference);
  app.addHook('onClose', async () => {
    await (await reference)?.close();
  });
}

/**
 * The policy of the reference: its own script file, the scripts that stand in its page, nothing from anywhere else, and
 * no frame around it. The library writes styles while it runs.
 */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...inline].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
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
