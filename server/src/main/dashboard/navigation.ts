import type { FastifyRequest } from 'fastify';
import { wantsPage } from '#platform/http/visitor.ts';

/** Below these first parts of a path a browser gets what every other client gets. */
const NEVER_THE_DASHBOARD = new Set([
  'api',
  'assets',
  'docs',
  'frames',
  'health',
  'i',
  'images',
  'metrics',
  'n',
  'openapi.json',
  't',
  'v1',
]);

/**
 * True where the dashboard answers. Its pages and some endpoints of the API share their paths (`/audit`,
 * `/workspaces`): a browser that opens an address gets the page, everything else the endpoint. Addresses with a page of
 * their own keep it (`/reset-password`).
 */
export function isForDashboard(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const [path = ''] = request.url.split('?', 1);
  if (path === '/') return true;
  if (NEVER_THE_DASHBOARD.has(path.split('/', 2)[1] ?? '') || hasOwnPage(request)) return false;
  return isNavigation(request);
}

const hasOwnPage = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.served?.route.page !== undefined;

/**
 * A browser that opens an address says so (Fetch Metadata), on secure connections and on localhost. Without that word,
 * an `Accept` that names HTML means the same. A script's `fetch` and curl ask for anything.
 */
function isNavigation(request: FastifyRequest): boolean {
  const mode = request.headers['sec-fetch-mode'];
  return mode === undefined ? wantsPage(request) : mode === 'navigate';
}
