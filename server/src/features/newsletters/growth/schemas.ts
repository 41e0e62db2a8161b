import { Type } from 'typebox';
import { GRANULARITIES } from '#platform/time/periods.ts';
import { Instant } from '#platform/records/wire-types.ts';

export const GrowthQuery = Type.Object({
  start: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'The beginning, included: a day in the zone (`2026-11-20`), or an instant at a full quarter of an hour. 30 ' +
        'days before `end` when left out.',
      examples: ['2026-11-01'],
    }),
  ),
  end: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'The end, not included: a day in the zone, or an instant. The end of this quarter when left out.',
      examples: ['2026-11-23'],
    }),
  ),
  granularity: Type.Optional(
    Type.Enum([...GRANULARITIES], {
      description: 'The length of a period; `day` when left out. At most 2,000 periods. Weeks begin on Monday.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: 'An IANA zone; the zone of the workspace when left out.' }),
  ),
});

const count = (description: string) => Type.Integer({ description });

const counts = {
  confirmed: count('People who became active: confirmed, added, imported, or back again.'),
  unsubscribed: count('Active people who left, or were unsubscribed by you or by a suppression made by hand.'),
  bounced: count('Active people whose address was suppressed because of bounces.'),
  complained: count('Active people who marked mail as spam.'),
  removed: count('Active people who were deleted or erased, or must confirm a new address.'),
  net: count('`confirmed` without all others.'),
  total: count('Active subscribers at the end.'),
};

export const Growth = Type.Object(
  {
    totals: Type.Object(counts, { title: 'GrowthCounts', additionalProperties: false }),
    data: Type.Array(
      Type.Object(
        {
          period: Type.String({
            description: '`2026-11-20T14:00+01:00`, `2026-11-20` (a day, or the Monday of a week) or `2026-11`.',
            examples: ['2026-11-20'],
          }),
          ...counts,
        },
        { title: 'GrowthPeriod', additionalProperties: false },
      ),
    ),
    start: Instant,
    end: Instant,
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    counted_since: Type.String({
      format: 'date-time',
      description:
        'Each change is counted from here on. Before it, the numbers are of the people who were still on the list then.',
      examples: ['2026-11-23T04:00:00.000Z'],
    }),
  },
  { title: 'NewsletterGrowth', additionalProperties: false },
);
