import { type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../get-newsletter.ts';
import { NewsletterParams } from '../schemas.ts';
import { readGrowth } from './read-growth.ts';
import { Growth, GrowthQuery } from './schemas.ts';

export const growthRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/growth',
    id: 'get_newsletter_growth',
    tag: 'Newsletters',
    summary: 'Read how a newsletter grows',
    description:
      'Active subscribers by day, and who came and left, counted when it happens. `total` of the newest period is the ' +
      'number of active subscribers at this moment. An unsubscribe that is undone is in `unsubscribed` and later in ' +
      '`confirmed`.',
    access: { scope: 'newsletters:read' },
    params: NewsletterParams,
    query: GrowthQuery,
    response: Growth,
    errors: [404],
    example: { query: { start: '2026-11-16', end: '2026-11-23', timezone: 'Europe/Berlin' } },
    handler: async (ctx, { params, query }) => readGrowth(ctx, await getNewsletter(ctx, params.id), query),
  }),
];
