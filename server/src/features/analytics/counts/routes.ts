import { type Route, route } from '#platform/http/route.ts';
import { readAnalytics } from './read-analytics.ts';
import { readHealth } from './read-health.ts';
import { Analytics, AnalyticsQuery, Health } from './schemas.ts';

export const countRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/analytics',
    id: 'get_analytics',
    tag: 'Analytics',
    summary: 'Read counts of emails over time',
    description:
      'Each count is of emails, at the time when it happened: an email that was sent on Monday and opened on Tuesday ' +
      'is in `sent` of Monday and in `opened` of Tuesday. `GET /v1/emails` with `counted`, `counted_since`, ' +
      '`counted_until` and the same filters lists the emails of a count. Counts stay when emails are removed.\n\n' +
      'With the dimension `tag`, an email is counted once for each of its tags, and emails without tags are not shown.',
    access: { scope: 'analytics:read' },
    query: AnalyticsQuery,
    response: Analytics,
    example: { query: { start: '2026-11-16', end: '2026-11-23', timezone: 'Europe/Berlin' } },
    handler: (ctx, { query }) => readAnalytics(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/v1/analytics/health',
    id: 'get_analytics_health',
    tag: 'Analytics',
    summary: 'Check the rates that providers watch',
    description:
      'Bounces and complaints of the last seven days. The status tells and stops nothing: a send to many is paused ' +
      'by its own rates.',
    access: { scope: 'analytics:read' },
    response: Health,
    handler: (ctx) => readHealth(ctx),
  }),
];
