import { Type } from 'typebox';
import { bulkSends, EMAIL_STATUSES, PAUSE_CODES } from '#features/outbox';
import { otherNames } from '#platform/http/fields/other-names.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { Corrects } from './corrections/correction.ts';
import { RECIPIENT } from './reading/issue-recipients.ts';
import { LIMITS } from './writing/issue-input.ts';
import { BODIES, EDITOR, EditorDocument, Id, ISSUE, ISSUE_STATUSES } from './issue.ts';

const Subject = Type.String({
  minLength: 1,
  maxLength: LIMITS.subjectChars,
  description: 'One line, at most 998 characters. A Liquid template, as the bodies are.',
  examples: ['News of October'],
});
const HtmlBody = Type.String({
  description: 'At most 2 MB. A part of a document or a whole one; the footer with the link to unsubscribe is added.',
  examples: ['<h1>Hi {{ subscriber.name | default: "there" }}</h1>'],
});
const ScheduledFor = Type.String({
  maxLength: 64,
  description:
    'An instant with its offset (`2026-12-01T09:00:00+01:00`), or a local time (`2026-12-01T09:00:00`) in ' +
    '`timezone`, or else in the time zone of the newsletter, or `in 2 hours`. 30 seconds to 30 days ahead.',
  examples: ['2026-12-01T09:00:00+01:00'],
});
const Timezone = Type.String({
  maxLength: 128,
  description:
    'An IANA zone, such as `Europe/Berlin`; an old name is kept under the name of today. A local time is read in it, ' +
    'and the time is shown in it.',
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
  editor: Type.Optional(nullable(EditorDocument)),
  scheduled_for: Type.Optional(nullable(ScheduledFor)),
  timezone: Type.Optional(nullable(Timezone)),
};

/** Names of other services whose loss nobody would see before the issue is out. */
export const ISSUE_NAMES = otherNames({
  anyCase: false,
  refused: {
    html: { field: 'html_body' },
    html_content: { field: 'html_body' },
    body: { field: 'html_body' },
    content: { field: 'html_body' },
    text: { field: 'text_body' },
    plain_text: { field: 'text_body' },
    title: { field: 'subject' },
    preview_text: { field: 'preheader' },
    scheduled_at: { field: 'scheduled_for' },
    send_at: { field: 'scheduled_for' },
    publish_date: { field: 'scheduled_for' },
  },
});

/** Nothing can be said to the send itself: who writes one of these means another request, and would mail everybody. */
const TIME =
  'cannot be given here: this sends the issue now. Schedule it with POST …/schedule, or store a time with PATCH';
export const SEND_ISSUE_NAMES = otherNames({
  anyCase: false,
  refused: {
    scheduled_for: TIME,
    scheduled_at: TIME,
    send_at: TIME,
    publish_date: TIME,
    timezone: TIME,
    to: 'cannot be given here: an issue goes to all active subscribers. Send it to one address with POST …/send-test',
  },
});
export const SendIssueBody = Type.Object({}, { title: 'SendIssueRequest', description: 'Takes no fields.' });

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
      description: 'Only recipients in this state, or who opened or clicked.',
      examples: ['failed'],
    }),
  ),
  counted: Type.Optional(
    Type.Enum([...bulkSends.recipientCounts], {
      description: 'Only the recipients in this count of `GET …/stats`; not together with `status`.',
      examples: ['delivered'],
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 320,
      description:
        'Only addresses with this text in them: three letters or digits at least, and at most 1,000 people of the list. ' +
        'Somebody who was deleted since is found by the whole address.',
      examples: ['ada@'],
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { description: '`csv`: all of them as a file, not a page.', examples: ['json'] }),
  ),
});

const body = {
  ...BODIES.schema,
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
    ...ISSUE.schema,
    html_body: Type.Optional(body.html_body),
    text_body: Type.Optional(body.text_body),
    audit_log: Type.Optional(body.audit_log),
  },
  { title: 'IssueSummary', additionalProperties: false },
);

export const IssueRecord = Type.Object(
  {
    ...ISSUE.schema,
    ...body,
    editor: EDITOR.schema.editor,
    corrects: nullable(Corrects),
    progress: nullable(
      Type.Object(
        {
          state: Type.String({ examples: ['releasing'] }),
          reason: nullable(
            Type.String({
              description:
                'The reason why sending makes no progress, or the recipients who were left out; null otherwise.',
            }),
          ),
          code: nullable(
            Type.Enum([...PAUSE_CODES], {
              description:
                'The cause of a pause, for programs. `domain_limit`, `quota`, `domain_unverified` and ' +
                '`workspace_paused` end by themselves; after `reputation` (too many bounces or complaints) a person ' +
                'resumes the issue.',
              examples: ['domain_limit'],
            }),
          ),
          since: nullable(Instant),
          resumes_at: nullable(
            Type.String({
              format: 'date-time',
              description: 'When a paused issue is expected to go on by itself; null: that is not known.',
              examples: ['2026-11-21T00:00:00.000Z'],
            }),
          ),
        },
        {
          title: 'IssueProgress',
          additionalProperties: false,
          description: 'The progress of sending; null when the issue is not being sent.',
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
      total_recipients: Type.Integer({ description: 'The exact number of people on the list now.', examples: [4_812] }),
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
    alreadyQueued: Type.Integer({ description: 'The exact number of emails that still leave.', examples: [120] }),
  },
  { additionalProperties: false },
);

export const PauseAnswer = Type.Object(
  {
    success: Type.Literal(true),
    status: Type.Literal('sending'),
    paused: Type.Literal(true),
    alreadyQueued: Type.Integer({ description: 'Emails that are being handed over now.', examples: [2] }),
  },
  { title: 'IssuePaused', additionalProperties: false },
);

export const ResumeAnswer = Type.Object(
  { success: Type.Literal(true), id: Id, status: Type.Enum([...ISSUE_STATUSES], { examples: ['sending'] }) },
  { additionalProperties: false },
);

export const RetryableAnswer = Type.Object(
  {
    count: Type.Integer({ description: 'Refused emails that `retry-failed` would try again. Exact up to 10,000.' }),
    is_estimate: Type.Boolean({ description: 'There are more than `count`.' }),
  },
  { title: 'IssueRetryable', additionalProperties: false },
);

export const RetryAnswer = Type.Object(
  { success: Type.Literal(true), queued: Type.Integer({ description: 'Emails that are tried again.' }) },
  { additionalProperties: false },
);

export const Removed = Type.Object(
  { success: Type.Literal(true), id: Id },
  { title: 'DeletedIssue', additionalProperties: false },
);

export const Recipient = Type.Object(RECIPIENT.schema, { title: 'IssueRecipient', additionalProperties: false });
