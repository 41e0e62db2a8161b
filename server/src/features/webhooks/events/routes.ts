import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { EventEnvelope, EventsQuery } from '../schemas.ts';
import { listEvents } from './list-events.ts';

export const eventRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/events',
    id: 'list_events',
    tag: 'Events',
    summary: 'List events',
    description:
      'Those of the last 30 days, each as a webhook sends it: to catch up, or to do without webhooks. Newest first; ' +
      '`order=asc` with `since` for catching up. Nothing is counted: `cursor` is the way through.',
    // An event of an email shows what its record shows.
    access: { scope: 'emails:read' },
    query: EventsQuery,
    response: listEnvelope(EventEnvelope),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const events = await listEvents(ctx, query, page);
      return answerPage(page, events, { total: null, url: request.url, view: (event) => event.envelope });
    },
  }),
];
