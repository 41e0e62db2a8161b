import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { SCOPES_OF_EVENTS } from '../catalogue.ts';
import { EventEnvelope, EventsQuery } from '../schemas.ts';
import type { EmailEvents } from './email-events.ts';
import { listEvents } from './list-events.ts';

export const eventRoutes = (emailEvents: EmailEvents): Route[] => [
  route({
    method: 'GET',
    path: '/v1/events',
    id: 'list_events',
    tag: 'Events',
    summary: 'List events',
    description:
      'The events of the last 30 days, each in the form that a webhook sends. Use this to catch up, or instead ' +
      'of webhooks. An API key sees the types whose records it can read: events of subscribers need ' +
      '`subscribers:read`, of issues `issues:read`, and so on. Newest first. To catch up, give `since` and `order=asc`, and `cursor` for each next page. ' +
      'With `type` a page ends after 10,000 events that were looked at, even when it is short or empty: continue while ' +
      '`has_more` is true.',
    // An event shows what the record that it tells of shows.
    access: { scope: 'emails:read', orScope: SCOPES_OF_EVENTS },
    query: EventsQuery,
    response: listEnvelope(EventEnvelope),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { events, total, goOnAfter } = await listEvents(ctx, emailEvents, query, page);
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      const view = (event: (typeof events)[number]) => event.envelope;
      return answerPage(page, events, { total, totalIsEstimate, url: request.url, view, goOnAfter });
    },
  }),
];
