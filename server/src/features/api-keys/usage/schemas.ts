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

export const KeyUses = Type.Object(
  {
    total: Type.Integer({ description: 'On all of these days.', examples: [18_200] }),
    data: Type.Array(
      Type.Object(
        {
          date: Type.String({ description: 'A UTC day.', examples: ['2026-11-20'] }),
          requests: Type.Integer({
            description:
              'Requests with the key, and sign-ins of the SMTP relay. A request that was refused later counts.',
            examples: [640],
          }),
        },
        { title: 'KeyUsesOfDay', additionalProperties: false },
      ),
      { description: 'The last 30 days, today included, oldest first.' },
    ),
  },
  { title: 'KeyUses', additionalProperties: false },
);
