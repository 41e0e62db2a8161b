import type { FastifyInstance } from 'fastify';
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

/** `POST /emails` and such: the routes of ours by what other services call them, both as method and path. */
export function routesElsewhere(routes: readonly Route[]): ReadonlyMap<string, string> {
  return new Map(
    routes.flatMap(({ method, path, elsewhere = [] }) =>
      elsewhere.map((other) => [`${method} ${other}`, `${method} ${path}`] as const),
    ),
  );
}
