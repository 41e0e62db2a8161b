import { Type } from 'typebox';

const Tier = Type.Object(
  {
    limit: Type.Integer({ description: 'Send requests per window; 0 = unlimited, and not counted.', examples: [100] }),
    remaining: Type.Integer({ description: 'Remaining requests; 2147483647 without a limit.', examples: [99] }),
    resetAt: Type.String({
      format: 'date-time',
      description: 'When the next window begins (UTC).',
      examples: ['2026-11-20T11:00:00.000Z'],
    }),
  },
  { title: 'RateLimitTier', additionalProperties: false },
);

export const RateLimits = Type.Object(
  { hourly: Tier, daily: Tier, monthly: Tier },
  { title: 'RateLimits', additionalProperties: false },
);
export const RateLimitParams = Type.Object({ apiKeyId: Type.String({ format: 'uuid' }) });
