import { type Route, route } from '#platform/http/route.ts';
import { readOverview } from './read-overview.ts';
import { Overview } from './schemas.ts';

export const overviewRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/overview',
    id: 'get_overview',
    tag: 'Analytics',
    summary: 'Read the state of sending, and whether anything changed',
    description:
      'The queue, the pace, the provider, paused sends and workers, for a page that reads it every few seconds. ' +
      '`changes` tells which lists to read again.',
    access: { scope: 'emails:read' },
    response: Overview,
    handler: (ctx) => readOverview(ctx),
  }),
];
