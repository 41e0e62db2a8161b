import { type Route, route } from '#platform/http/route.ts';
import { getApiKey } from '../get-api-key.ts';
import { RateLimitParams, RateLimits } from './schemas.ts';
import { type TierUsage, usageOf } from './usage-of-key.ts';

const tierView = ({ limit, remaining, resetAt }: TierUsage) => ({ limit, remaining, resetAt: resetAt.toISOString() });

export const rateLimitRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/rate-limits/:apiKeyId',
    aliases: ['/v1/rate-limits/:apiKeyId'],
    id: 'get_rate_limits',
    tag: 'API keys',
    summary: 'Read the remaining requests of an API key',
    description: 'Counts accepted requests of POST /v1/send in fixed UTC windows: hour, day, calendar month.',
    access: { scope: 'api_keys:read' },
    params: RateLimitParams,
    response: RateLimits,
    errors: [404],
    handler: async (ctx, { params }) => {
      const usage = await usageOf(ctx.db, await getApiKey(ctx, params.apiKeyId), ctx.clock.now());
      return Object.fromEntries(usage.map((one) => [one.tier, tierView(one)]));
    },
  }),
];
