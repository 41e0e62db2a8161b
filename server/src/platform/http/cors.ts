import type { FastifyInstance, FastifyReply } from 'fastify';

/** A day, which is longer than browsers keep it. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Anybody's page may read the answer. Without credentials: no cookie and no other page's sign-in comes with such a
 * request, so nothing is told that a stranger could not ask for by themselves (Fetch Standard, 3.2).
 */
export function allowEveryOrigin(reply: FastifyReply): void {
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', 'X-Request-ID, X-Unknown-Fields, Retry-After');
}

/** The request of a browser before it sends JSON for another site's page. */
export function answerPreflights(app: FastifyInstance, url: string, methods: readonly string[]): void {
  app.options(url, async (_request, reply) => {
    allowEveryOrigin(reply);
    return reply
      .code(204)
      .header('access-control-allow-methods', methods.join(', '))
      .header('access-control-allow-headers', 'Content-Type, Idempotency-Key, X-Request-ID')
      .header('access-control-max-age', String(PREFLIGHT_SECONDS))
      .send();
  });
}
