import type { FastifyInstance } from 'fastify';

/** No route is nearly as long. */
const PATH_MAX = 500;

/** Of every route that is registered from here on: tells which path somebody meant who wrote a slash too many. */
export function pathsMeant(app: FastifyInstance): (path: string) => string | undefined {
  const known = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    if (!url.includes('*')) known.add(url);
  });
  return (path) => {
    let end = path.length;
    while (path[end - 1] === '/') end -= 1;
    if (end > PATH_MAX) return undefined;
    const meant = path.slice(0, end);
    const parts = meant.split('/');
    return meant !== '' && known.values().some((url) => fits(url.split('/'), parts)) ? meant : undefined;
  };
}

/** Whether a path, cut at its slashes, is one of those that the pattern stands for. */
const fits = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]));
