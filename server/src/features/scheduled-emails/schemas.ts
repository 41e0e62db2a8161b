import { Type } from 'typebox';
import { MaxDelay, SEND_NAMES, SendBody, Tag } from '#features/emails';
import { otherNames } from '#platform/http/fields/other-names.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { SCHEDULED_STATUSES } from './scheduled-email.ts';

const { scheduledFor: _at, timezone: _zone, maxDelaySeconds: _late, from, to, ...optional } = SendBody.properties;

const ScheduledFor = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'An instant with its offset (`2026-12-01T09:00:00+01:00`), a wall time (`2026-12-01T09:00:00`) in `timezone`, or ' +
    '`in 2 hours` (seconds, minutes, hours, days, weeks). At most 365 days ahead. 422 for a time that has passed.',
  examples: ['2026-12-01T09:00:00+01:00'],
});

const Timezone = Type.Optional(
  nullable(
    Type.String({
      maxLength: 64,
      description:
        'Name of an IANA zone, of today or of earlier; the name of today is kept. Without one, a wall time is in the ' +
        'zone of the workspace.',
      examples: ['Europe/Berlin'],
    }),
  ),
);

export const ScheduleBody = Type.Object(
  { from, to, ...optional, scheduled_for: ScheduledFor, timezone: Timezone, max_delay_seconds: MaxDelay },
  { title: 'ScheduleEmailRequest', description: 'An email to send later.' },
);

export const ChangeBody = Type.Object(
  { from: Type.Optional(from), to: Type.Optional(to), ...optional, max_delay_seconds: MaxDelay },
  { title: 'ChangeScheduledEmailRequest', description: 'The fields to change; a list of attachments replaces all.' },
);

export const RescheduleBody = Type.Object(
  {
    scheduled_for: ScheduledFor,
    timezone: Timezone,
    idempotency_token: Type.Optional(
      nullable(
        Type.String({
          maxLength: 256,
          description: 'The same as the header `Idempotency-Key`: the same token again has no second effect.',
          examples: ['move-42'],
        }),
      ),
    ),
  },
  { title: 'RescheduleRequest' },
);

/** Other services call the time as they do in a send. */
const TIMES = { scheduled_at: 'scheduled_for', send_at: 'scheduled_for', deliver_at: 'scheduled_for' };
const TIME_NAMES = otherNames({ same: TIMES, refused: { delay: { field: 'scheduled_for' } } });
export const RESCHEDULE_NAMES = TIME_NAMES;
export const SCHEDULE_NAMES = {
  ...SEND_NAMES,
  same: new Map([...SEND_NAMES.same, ...TIME_NAMES.same]),
  refused: new Map([...SEND_NAMES.refused, ...TIME_NAMES.refused, ['deliverytime', { field: 'scheduled_for' }]]),
};
const BY_ITS_ROUTE = 'is changed with PATCH /scheduled/:id/reschedule';
const NOT_HERE = otherNames({
  refused: Object.fromEntries(['scheduled_for', 'timezone', ...Object.keys(TIMES)].map((name) => [name, BY_ITS_ROUTE])),
}).refused;
const withoutTimes = [...SEND_NAMES.same].filter(([name]) => !NOT_HERE.has(name));
export const CHANGE_NAMES = {
  ...SEND_NAMES,
  same: new Map(withoutTimes),
  refused: new Map([...SEND_NAMES.refused, ...NOT_HERE]),
};

export const ScheduledParams = Type.Object({ id: Type.String({ examples: ['0197f420-1c2d-7abc-8def-0123456789ab'] }) });

const at = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-12-01T00:00:00Z'] }));

export const ScheduledQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...SCHEDULED_STATUSES], { description: 'Only emails in this state.' })),
  from: at('Only emails that are to leave at this instant or later.'),
  to: at('Only emails that are to leave before this instant.'),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description:
        'Only emails with this text in their subject or an address of theirs. A page looks at 10,000 emails.',
      examples: ['ada@'],
    }),
  ),
});

const Id = Type.String({ format: 'uuid' });
const Text = Type.String();
const summary = {
  id: Id,
  status: Type.Enum([...SCHEDULED_STATUSES], {
    title: 'ScheduledEmailStatus',
    description: '`processing`: its emails are in the queue. `sent`: the provider has taken at least one of them.',
  }),
  version: Type.Integer({ description: 'Grows with every change.' }),
  from: Type.Union([Text, Type.Null()], { description: 'null: the sender of the template.' }),
  to: Type.Array(Text),
  cc: Type.Array(Text),
  bcc: Type.Array(Text),
  reply_to: Type.Array(Text),
  subject: nullable(Text),
  preheader: nullable(Text),
  template_id: nullable(Text),
  variables: Type.Record(Type.String(), Type.Unknown()),
  newsletter_id: nullable(Id),
  tags: Type.Array(Tag),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  sandbox: Type.Boolean({ description: 'It is kept on this server and delivered to nobody.' }),
  scheduled_for: Instant,
  timezone: nullable(Type.String({ description: 'null: the time came with its offset.', examples: ['Europe/Berlin'] })),
  local_time: nullable(
    Type.String({ description: 'The time that a clock in `timezone` shows then.', examples: ['2026-12-01T09:00:00'] }),
  ),
  schedule_note: nullable(Type.String({ description: 'When a change of the clocks skips or repeats the wall time.' })),
  max_delay_seconds: nullable(Type.Integer()),
  expires_at: nullable(Instant),
  job_id: nullable(Type.String({ format: 'uuid', description: 'Once it began: follow it at GET /v1/send/:jobId.' })),
  batch_id: nullable(Id),
  message_id: nullable(Type.String({ description: 'Message-ID of the first email that was sent.' })),
  error: nullable(Text),
  error_code: nullable(
    Type.String({ description: 'For programs: `missed_window`, `suppressed`, `from`, …', examples: ['missed_window'] }),
  ),
  cancelled_by: nullable(Type.Object({ type: Text, id: nullable(Id) }, { additionalProperties: false })),
  sent_at: nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
};

export const ScheduledSummaryRecord = Type.Object(summary, {
  title: 'ScheduledEmailSummary',
  additionalProperties: false,
});

export const ScheduledRecord = Type.Object(
  {
    ...summary,
    html: nullable(Text),
    text: nullable(Text),
    attachments: Type.Array(
      Type.Object(
        { filename: Text, content_type: Text, size: Type.Integer({ description: 'Bytes.' }) },
        { title: 'ScheduledAttachment', additionalProperties: false },
      ),
      { description: 'Until it is sent; the files of a sent email are at GET /v1/emails/:id/content.' },
    ),
    audit_log: Type.Array(
      Type.Object(
        { at: Instant, action: Text, details: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
        { title: 'ScheduledAuditEntry', additionalProperties: false },
      ),
      { description: 'The changes to it, in order.' },
    ),
    warnings: Type.Optional(
      Type.Array(Text, { description: 'Names each unknown field of the request. Missing when there is none.' }),
    ),
  },
  { title: 'ScheduledEmail', additionalProperties: false },
);

const done = { success: Type.Literal(true), id: Id };

export const Rescheduled = Type.Object(
  {
    ...done,
    status: Type.Literal('scheduled'),
    scheduled_for: Instant,
    previous_scheduled_for: Instant,
    schedule_note: nullable(Text),
    idempotency_token: Text,
  },
  { title: 'ScheduledEmailMoved', additionalProperties: false },
);

export const Cancelled = Type.Object(
  { ...done, status: Type.Literal('cancelled') },
  { title: 'ScheduledEmailCancelled', additionalProperties: false },
);

export const SentNow = Type.Object(
  { ...done, status: Type.Literal('scheduled'), scheduled_for: Instant },
  { title: 'ScheduledEmailSentNow', additionalProperties: false },
);
