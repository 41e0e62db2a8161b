import { type Route, route } from '#platform/http/route.ts';
import { getApiKey } from '../get-api-key.ts';
import { ApiKeyParams } from '../schemas.ts';
import { readUses } from './read-uses.ts';
import { KeyUses, RateLimitParams, RateLimits } from './schemas.ts';
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
  route({
    method: 'GET',
    path: '/v1/api-keys/:id/uses',
    id: 'get_api_key_uses',
    tag: 'API keys',
    summary: 'Read how often an API key was used',
    description:
      'By UTC days, whether the key has limits or not. Uses are stored some seconds later; a server that is killed ' +
      'loses those of the last five seconds.',
    access: { scope: 'api_keys:read' },
    params: ApiKeyParams,
    response: KeyUses,
    errors: [404],
    handler: async (ctx, { params }) => readUses(ctx, await getApiKey(ctx, params.id)),
  }),
];
