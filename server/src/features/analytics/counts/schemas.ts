import { Type } from 'typebox';
import { emailRecords } from '#features/outbox';
import { SOURCE_NAMES } from '#mail/email-sources.ts';
import { GRANULARITIES } from '#platform/time/periods.ts';

const id = Type.String({ format: 'uuid' });
const nullable = <T extends ReturnType<typeof Type.String>>(of: T) => Type.Union([of, Type.Null()]);

export const AnalyticsQuery = Type.Object({
  start: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'The beginning, included: a day in the zone (`2026-11-20`), or an instant at a full quarter of an hour. 30 ' +
        'days before `end` when left out.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'The end, not included: a day in the zone, or an instant. The end of this quarter when left out.',
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
  dimensions: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Several of `period`, `domain`, `source`, `newsletter`, `broadcast`, `template`, `tag` and `mailbox_provider`, ' +
        'separated by commas; `period` when left out. Not `tag` and `mailbox_provider` together.',
    }),
  ),
  domain_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only emails from this domain.' })),
  source: Type.Optional(Type.Enum(SOURCE_NAMES)),
  newsletter_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only emails of this newsletter.' })),
  broadcast_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only emails of this broadcast.' })),
  template_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only emails made from this template.' })),
  mailbox_provider: Type.Optional(
    Type.Enum([...emailRecords.counts.mailboxProviders], {
      description: 'Only emails to mailboxes at this provider, by the MX of the domain. Not together with a tag.',
    }),
  ),
  tag: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$',
      'x-says': 'must be a tag as name:value, such as kind:receipt',
      description: 'Only emails with this tag: `name:value`.',
    }),
  ),
});

const count = (description: string) => Type.Integer({ description });
const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const counts = {
  sent: count('Taken by the provider.'),
  delivered: count('Taken by the server of the recipient.'),
  opened: count('Opened by a person, for the first time.'),
  opened_machine: count('Fetched by a machine, for the first time.'),
  clicked: count('Clicked by a person, for the first time.'),
  bounced: count('Returned.'),
  bounced_permanent: count('Returned for good; part of `bounced`.'),
  complained: count('Marked as spam by the recipient.'),
  unsubscribed: count('Issues by whose link the recipient left.'),
  suppressed: count('Not sent, because the address is suppressed or its person had left.'),
  failed: count('Refused, or not sent for another reason. Without `suppressed`.'),
  deferred: count('Delayed by the server of the recipient, for the first time.'),
  delivery_rate: rate('`delivered` of `sent`; 0 when nothing was sent.'),
  open_rate: rate('`opened` of `delivered`.'),
  click_rate: rate('`clicked` of `delivered`.'),
};

export const Analytics = Type.Object(
  {
    totals: Type.Object(counts, { title: 'EmailCounts' }),
    data: Type.Array(
      Type.Object(
        {
          period: Type.Optional(
            Type.String({
              description: '`2026-11-20T14:00+01:00`, `2026-11-20` (a day, or the Monday of a week) or `2026-11`.',
              examples: ['2026-11-20'],
            }),
          ),
          domain_id: Type.Optional(nullable(id)),
          source: Type.Optional(Type.Union([Type.Enum(SOURCE_NAMES), Type.Null()])),
          newsletter_id: Type.Optional(nullable(id)),
          broadcast_id: Type.Optional(nullable(id)),
          template_id: Type.Optional(nullable(id)),
          mailbox_provider: Type.Optional(
            Type.Enum([...emailRecords.counts.mailboxProviders], {
              description: '`other`: not known, or none of these.',
            }),
          ),
          median_seconds_to_delivery: Type.Optional(
            Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
              description: 'From the hand-off to the delivery, with `mailbox_provider`; null without deliveries.',
            }),
          ),
          tag: Type.Optional(
            Type.Union([Type.String(), Type.Null()], {
              description: '`name:value`; null: all tags after the first hundred of a UTC day.',
            }),
          ),
          ...counts,
        },
        { title: 'AnalyticsRow' },
      ),
    ),
    start: Type.String({ format: 'date-time' }),
    end: Type.String({ format: 'date-time' }),
    timezone: Type.String(),
    counted_since: Type.String({
      format: 'date-time',
      description: 'Counting began here, with the installation or its upgrade. Nothing before it is counted.',
    }),
  },
  { title: 'Analytics' },
);

export const Health = Type.Object(
  {
    bounce_rate: rate('Permanent bounces of the emails sent in the window.'),
    complaint_rate: rate('Complaints of the emails delivered in the window.'),
    window_days: Type.Literal(7),
    sent: Type.Integer({ description: 'Emails sent in the window. Under 100 the status is `ok`.' }),
    status: Type.Enum(['ok', 'warning', 'paused'], {
      description:
        '`warning`: more than 5 % bounced or 0.1 % complained. `paused`: the double after 500 emails, where providers ' +
        'pause accounts.',
    }),
    reasons: Type.Array(Type.String(), { description: 'A sentence for each rate over its limit.' }),
  },
  { title: 'SendingHealth' },
);
