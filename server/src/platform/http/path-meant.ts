import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from './route.ts';

/** No route is nearly as long. */
const PATH_MAX = 500;

/**
 * Of every route that is registered from here on: tells which path somebody meant who wrote a slash too many, capital
 * letters, or left out `/v1`.
 */
export function pathsMeant(app: FastifyInstance): (path: string) => string | undefined {
  const known = new Map<string, readonly string[]>();
  app.addHook('onRoute', ({ url }) => {
    if (!url.includes('*')) known.set(url, url.split('/'));
  });
  return (path) => {
    let end = path.length;
    while (path[end - 1] === '/') end -= 1;
    if (end === 0 || end > PATH_MAX) return undefined;
    const parts = path.slice(0, end).split('/');
    for (const asked of [parts, ['', 'v1', ...parts.slice(1)]]) {
      for (const pattern of known.values()) if (fits(pattern, asked)) return filled(pattern, asked);
    }
    return undefined;
  };
}

/** Whether a path, cut at its slashes, is one of those that the pattern stands for, in capital letters or not. */
const fits = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]?.toLowerCase()));

const filled = (pattern: readonly string[], parts: readonly string[]): string =>
  pattern.map((part, index) => (part.startsWith(':') ? parts[index] : part)).join('/');

/** Tells which route of ours is meant by the path of another service, as `POST /v1/send` by `POST /emails`. */
export function routesElsewhere(routes: readonly Route[]): (request: FastifyRequest) => string | undefined {
  const known = new Map<string, string>(
    routes.flatMap(({ method, path, elsewhere = [] }) =>
      elsewhere.map((other) => [`${method} ${other}`, `${method} ${path}`] as const),
    ),
  );
  return (request) => known.get(`${request.method} ${pathOf(request)}`);
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

export const hintOf = (meant: string | undefined): string => (meant === undefined ? '' : ` Did you mean ${meant}?`);
