import { type TSchema, Type } from 'typebox';
import { EMAIL_STATUSES } from '#features/outbox';
import { pageQuery } from '#platform/http/paging.ts';
import { LIMITS } from './writing/issue-input.ts';
import { ISSUE_STATUSES } from './issue.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });
const Id = Type.String({ format: 'uuid', examples: ['0197f3e0-1c2d-7abc-8def-0123456789ab'] });
const Count = Type.Integer({ minimum: 0 });

const Subject = Type.String({
  minLength: 1,
  maxLength: LIMITS.subjectChars,
  description: 'One line, at most 998 characters. A Liquid template, as the bodies are.',
  examples: ['What we shipped'],
});
const HtmlBody = Type.String({
  description: 'At most 2 MB. A part of a document or a whole one; the footer with the link to unsubscribe is added.',
  examples: ['<h1>Hi {{ subscriber.name | default: "there" }}</h1>'],
});
const ScheduledFor = Type.String({
  maxLength: 64,
  description:
    'An instant with its offset (`2026-12-01T09:00:00+01:00`), or what a clock on the wall shows ' +
    '(`2026-12-01T09:00:00`) in `timezone`, else in the newsletter’s. 30 seconds to 30 days ahead.',
  examples: ['2026-12-01T09:00:00+01:00'],
});
const Timezone = Type.String({
  maxLength: 128,
  description: 'An IANA zone, such as `Europe/Berlin`: of a wall time, and the one the time is shown in.',
  examples: ['Europe/Berlin'],
});

const optional = {
  preheader: Type.Optional(
    nullable(
      Type.String({
        maxLength: LIMITS.preheaderChars,
        description: 'The text that inboxes show beside the subject.',
        examples: ['Three things'],
      }),
    ),
  ),
  text_body: Type.Optional(
    nullable(
      Type.String({ description: 'At most 2 MB. Made from `html_body` when left out.', examples: ['Hi there'] }),
    ),
  ),
  scheduled_for: Type.Optional(nullable(ScheduledFor)),
  timezone: Type.Optional(nullable(Timezone)),
};

export const CreateIssueBody = Type.Object({ subject: Subject, html_body: HtmlBody, ...optional });

export const UpdateIssueBody = Type.Object({
  subject: Type.Optional(Subject),
  html_body: Type.Optional(HtmlBody),
  ...optional,
});

export const ScheduleIssueBody = Type.Object({
  scheduled_for: ScheduledFor,
  timezone: Type.Optional(nullable(Timezone)),
});

export const IssuesParams = Type.Object({ id: Id });
export const IssueParams = Type.Object({ id: Id, issueId: Id });

export const IssuesQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...ISSUE_STATUSES], { description: 'Only issues in this state.' })),
  include: Type.Optional(
    Type.Enum(['body'], { description: '`body`: with `html_body`, `text_body` and `audit_log` of each.' }),
  ),
});

export const RecipientsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.Enum([...EMAIL_STATUSES.filter((status) => status !== 'deferred'), 'opened', 'clicked'], {
      description: 'Only those in this state, or who opened or clicked.',
      examples: ['failed'],
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { description: '`csv`: all of them as a file, not a page.', examples: ['json'] }),
  ),
});

export const Stats = Type.Object(
  {
    total: Type.Integer({ description: 'Recipients, frozen when the issue was sent: `pending + sent + failed`.' }),
    pending: Type.Integer({ description: 'Not yet taken by the provider.' }),
    sent: Type.Integer({ description: 'Taken by the provider, whatever became of it.' }),
    delivered: Count,
    opened: Type.Integer({ description: 'Opened by a person; machines are in `opened_machine`.' }),
    clicked: Count,
    bounced: Count,
    complained: Count,
    failed: Type.Integer({ description: 'Never taken: refused, suppressed or cancelled.' }),
    first_event_at: nullable(Instant),
    last_event_at: nullable(Instant),
    opened_machine: Count,
    clicked_machine: Count,
    unsubscribed: Type.Integer({ description: 'Left by the link in this issue.' }),
    waiting: Type.Integer({ description: 'Of `pending`: not released to the queue yet; a cancel stops these.' }),
    queued: Count,
    sending: Count,
    unconfirmed: Type.Integer({ description: 'Of `pending`: handed over, and no answer came.' }),
    refused: Type.Integer({
      description:
        'Of `failed`: the provider would not take it, which `retry-failed` tries again, or took and then rejected it.',
    }),
    suppressed: Count,
    cancelled: Count,
  },
  { title: 'IssueStats', additionalProperties: false },
);

const summary = {
  id: Id,
  newsletter_id: Id,
  subject: Type.String({ examples: ['What we shipped'] }),
  preheader: nullable(Type.String()),
  slug: Type.String({ description: 'Its place in the archive, made from the subject.', examples: ['what-we-shipped'] }),
  status: Type.Enum([...ISSUE_STATUSES], { examples: ['draft'] }),
  scheduled_for: nullable(Instant),
  timezone: nullable(Type.String({ examples: ['Europe/Berlin'] })),
  local_time: nullable(
    Type.String({ description: '`scheduled_for` on the wall there.', examples: ['2026-12-01T09:00:00'] }),
  ),
  schedule_note: nullable(Type.String({ description: 'When a change of the clocks skips or repeats the wall time.' })),
  started_at: nullable(Instant),
  sent_at: nullable(Instant),
  cancelled_at: nullable(Instant),
  failed_at: nullable(Instant),
  error: nullable(Type.String({ description: 'Why sending it failed.' })),
  error_code: nullable(Type.String({ examples: ['from_email'] })),
  total_recipients: nullable(
    Type.Integer({
      description: 'The number of recipients; until they are frozen, the number expected. null: not sent.',
    }),
  ),
  archive_url: nullable(Type.String({ description: 'Where anybody can read it, once it is sent.' })),
  stats: Stats,
  created_at: Instant,
  updated_at: Instant,
};

const body = {
  html_body: Type.String(),
  text_body: nullable(Type.String()),
  audit_log: Type.Array(
    Type.Object(
      { at: Instant, action: Type.String(), details: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
      { title: 'IssueAuditEntry', additionalProperties: false },
    ),
    { description: 'The changes to the issue, in order.' },
  ),
};

export const IssueInList = Type.Object(
  {
    ...summary,
    html_body: Type.Optional(body.html_body),
    text_body: Type.Optional(body.text_body),
    audit_log: Type.Optional(body.audit_log),
  },
  { title: 'IssueSummary', additionalProperties: false },
);

export const IssueRecord = Type.Object(
  {
    ...summary,
    ...body,
    progress: nullable(
      Type.Object(
        {
          state: Type.String({ examples: ['releasing'] }),
          reason: nullable(
            Type.String({ description: 'Why it does not move, or who was not sent it; null otherwise.' }),
          ),
          since: nullable(Instant),
        },
        {
          title: 'IssueProgress',
          additionalProperties: false,
          description: 'How its sending goes; null when it is not on its way.',
        },
      ),
    ),
  },
  { title: 'Issue', additionalProperties: false },
);

export const SendAnswer = Type.Union([
  Type.Object(
    {
      success: Type.Literal(true),
      id: Id,
      status: Type.Enum(['sending', 'sent']),
      total_recipients: Type.Integer({ description: 'Exactly those who are on the list now.', examples: [4_812] }),
      estimatedCompletionAt: nullable(Instant),
    },
    { title: 'IssueSending', additionalProperties: false },
  ),
  Type.Object(
    { success: Type.Literal(true), id: Id, status: Type.Literal('scheduled'), scheduled_for: Instant },
    { title: 'IssueScheduled', additionalProperties: false },
  ),
]);

export const CancelAnswer = Type.Object(
  {
    success: Type.Literal(true),
    status: Type.Literal('cancelled'),
    alreadyQueued: Type.Integer({ description: 'Emails that still leave, exactly.', examples: [120] }),
  },
  { additionalProperties: false },
);

export const ResumeAnswer = Type.Object(
  { success: Type.Literal(true), id: Id, status: Type.Enum([...ISSUE_STATUSES], { examples: ['sending'] }) },
  { additionalProperties: false },
);

export const RetryAnswer = Type.Object(
  { success: Type.Literal(true), queued: Type.Integer({ description: 'Emails that are tried again.' }) },
  { additionalProperties: false },
);

export const Removed = Type.Object(
  { success: Type.Literal(true), id: Id },
  { title: 'DeletedIssue', additionalProperties: false },
);

export const Recipient = Type.Object(
  {
    subscriber_id: nullable(Id),
    email_id: Id,
    email: Type.String({ examples: ['ada@example.com'] }),
    status: Type.String({ examples: ['delivered'] }),
    message_id: nullable(Type.String()),
    last_event_at: nullable(Instant),
    error: nullable(Type.String({ description: 'The answer of the provider, or why it was not sent.' })),
    open_count: Count,
    click_count: Count,
  },
  { title: 'IssueRecipient', additionalProperties: false },
);
