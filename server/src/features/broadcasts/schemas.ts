import { Type } from 'typebox';
import { PAUSE_CODES } from '#features/outbox';
import { otherNames } from '#platform/http/fields/other-names.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { Count, Instant, nullable } from '#platform/records/wire-types.ts';
import { AudienceInput } from './audience/audience.ts';
import { BROADCAST, BROADCAST_STATUSES, Id, TEXTS } from './broadcast.ts';
import { Corrects } from './corrections/correction.ts';
import { RECIPIENT_TYPES } from './reading/recipients.ts';
import { LIMITS } from './writing/broadcast-input.ts';

const Mailbox = Type.String({ maxLength: 998, examples: ['Acme <hello@posthorn.test>'] });
const ScheduledFor = Type.String({
  maxLength: 64,
  description:
    'An instant with its offset (`2026-12-01T09:00:00+01:00`), a local time (`2026-12-01T09:00:00`) in `timezone`, or ' +
    'else in the time zone of the workspace, or `in 2 hours`. 30 seconds to 365 days ahead.',
  examples: ['2026-12-01T09:00:00+01:00'],
});
const Timezone = Type.String({
  maxLength: 128,
  description:
    'An IANA zone, such as `Europe/Berlin`; an old name is kept under the name of today. A local time is read in it, ' +
    'and the time is shown in it.',
  examples: ['Europe/Berlin'],
});
const RecipientTimezone = Type.Boolean({
  description:
    'true: each contact gets it at the local time of `scheduled_for` in their own time zone, and at once where that ' +
    'has passed. Contacts without a time zone get it at `scheduled_for`.',
});
const times = { scheduled_for: Type.Optional(nullable(ScheduledFor)), timezone: Type.Optional(nullable(Timezone)) };

const content = {
  name: Type.Optional(
    Type.String({
      maxLength: LIMITS.nameChars,
      description: 'For you; no recipient sees it. The subject when left out.',
      examples: ['Black Friday'],
    }),
  ),
  from: Type.Optional(
    nullable(
      Type.String({
        ...Mailbox,
        description: 'One mailbox at a verified domain. Needed to send, unless the template has one.',
      }),
    ),
  ),
  reply_to: Type.Optional(
    nullable(
      Type.Union([Mailbox, Type.Array(Mailbox, { maxItems: LIMITS.replyTo })], {
        description: 'The addresses for replies, instead of `from`.',
        examples: [['support@example.com']],
      }),
    ),
  ),
  subject: Type.Optional(
    nullable(
      Type.String({
        maxLength: LIMITS.subjectChars,
        description: 'One line. A Liquid template, as the bodies are.',
        examples: ['Hi {{ first_name | default: "there" }}'],
      }),
    ),
  ),
  preheader: Type.Optional(
    nullable(
      Type.String({
        maxLength: LIMITS.preheaderChars,
        description: 'The text that inboxes show beside the subject.',
        examples: ['Two days only'],
      }),
    ),
  ),
  html: Type.Optional(
    nullable(
      Type.String({
        description: 'At most 2 MB. The footer with the link to unsubscribe is added.',
        examples: ['<p>Hi {{ first_name | default: "there" }}</p>'],
      }),
    ),
  ),
  text: Type.Optional(
    nullable(Type.String({ description: 'At most 2 MB. Made from `html` when left out.', examples: ['Hi there'] })),
  ),
  template_id: Type.Optional(
    nullable(
      Type.String({
        format: 'uuid',
        description: 'A template in the place of `html` and `text`; its published version is kept when it is sent.',
        examples: ['0197f3d4-0000-7a50-9b1f-3f2f6f0c9a12'],
      }),
    ),
  ),
  variables: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The same for everybody. Fields of the contact, such as `first_name`, take precedence.',
      examples: [{ discount: 20 }],
    }),
  ),
  audience: Type.Optional(AudienceInput),
  recipient_timezone: Type.Optional(RecipientTimezone),
  follow_up_of: Type.Optional(
    nullable(
      Type.String({
        format: 'uuid',
        description:
          'The broadcast or issue that this one follows; of a follow-up, its root. Nobody gets two follow-ups of one ' +
          'root. The audience says who gets it, such as a segment of those who did not open the root.',
        examples: ['0197f3e1-1c2d-7abc-8def-0123456789ab'],
      }),
    ),
  ),
  track_opens: Type.Optional(nullable(Type.Boolean({ description: 'null: the setting of the workspace.' }))),
  track_clicks: Type.Optional(nullable(Type.Boolean({ description: 'null: the setting of the workspace.' }))),
  tags: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$', examples: ['campaign'] }),
          value: Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$', examples: ['black-friday'] }),
        },
        { title: 'BroadcastTagInput' },
      ),
      { maxItems: LIMITS.tags, description: 'Labels to filter and count by. At most 20.' },
    ),
  ),
};

/** Names of other services whose loss nobody would see before the broadcast is out. */
export const BROADCAST_NAMES = otherNames({
  anyCase: false,
  refused: {
    html_body: { field: 'html' },
    html_content: { field: 'html' },
    body: { field: 'html' },
    content: { field: 'html' },
    text_body: { field: 'text' },
    plain_text: { field: 'text' },
    title: { field: 'name' },
    preview_text: { field: 'preheader' },
    audience_id: { field: 'audience' },
    segment_id: { field: 'audience' },
    list_ids: { field: 'audience' },
    scheduled_at: { field: 'scheduled_for' },
    send_at: { field: 'scheduled_for' },
    deliver_at: { field: 'scheduled_for' },
    delivery_time: { field: 'scheduled_for' },
    publish_date: { field: 'scheduled_for' },
  },
});

export const CreateBroadcastBody = Type.Object({ ...content, ...times });
export const UpdateBroadcastBody = Type.Object({ ...content, ...times });
export const SendBroadcastBody = Type.Object({
  ...times,
  recipient_timezone: Type.Optional(RecipientTimezone),
  finish_by: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description:
          'When its last email is to have left, in the forms of `scheduled_for`. 422 with the earliest time when the ' +
          'pace and the queue cannot make it.',
        examples: ['2026-12-01T12:00:00+01:00'],
      }),
    ),
  ),
});

export const BroadcastParams = Type.Object({ id: Id });

export const BroadcastsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...BROADCAST_STATUSES], { description: 'Only broadcasts in this state.' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the name or the subject. Its first 100 characters are looked for, in the first 300.',
      examples: ['Friday'],
    }),
  ),
});

const Starts = nullable(
  Type.Array(
    Type.Object(
      { at: Instant, recipients: Count },
      { title: 'BroadcastStart', additionalProperties: false, description: 'Recipients who get it from one time on.' },
    ),
    { description: 'With `recipient_timezone`: when it leaves, in order, and for how many. null: to all at once.' },
  ),
);

export const BroadcastInList = Type.Object(BROADCAST.schema, {
  title: 'BroadcastSummary',
  additionalProperties: false,
});

export const BroadcastRecord = Type.Object(
  {
    ...BROADCAST.schema,
    ...TEXTS.schema,
    corrects: nullable(Corrects),
    audit_log: Type.Array(
      Type.Object(
        { at: Instant, action: Type.String(), details: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
        { title: 'BroadcastAuditEntry', additionalProperties: false },
      ),
      { description: 'The changes to the broadcast, in order.' },
    ),
    progress: nullable(
      Type.Object(
        {
          state: Type.String({ examples: ['releasing'] }),
          reason: nullable(Type.String({ description: 'Why sending makes no progress; null otherwise.' })),
          code: nullable(
            Type.Enum([...PAUSE_CODES], { description: 'The cause of a pause, for programs.', examples: ['quota'] }),
          ),
          since: nullable(Instant),
          resumes_at: nullable(Instant),
          is_late: Type.Boolean({ description: 'It will not be done by `finish_by` at the pace of now, or was not.' }),
          starts: Starts,
          estimated_completion_at: nullable(
            Type.String({
              format: 'date-time',
              description: 'Of one with `finish_by` that is being sent: when its last email leaves at the pace of now.',
            }),
          ),
        },
        {
          title: 'BroadcastProgress',
          additionalProperties: false,
          description: 'The progress of sending; null when it was not let go.',
        },
      ),
    ),
  },
  { title: 'Broadcast', additionalProperties: false },
);

export const Removed = Type.Object(
  { success: Type.Literal(true), id: Id },
  { title: 'DeletedBroadcast', additionalProperties: false },
);

export const PreviewQuery = Type.Object({
  contact_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'The contact for whom it is rendered; an invented one when left out.' }),
  ),
  content_version: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}$',
      description: 'A version of the content of a broadcast that was sent: the newest when left out.',
      examples: ['1'],
    }),
  ),
  number_links: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true`: each link of a sent broadcast has its place in `GET …/clicked-links`, from 1, in the attribute ' +
        '`data-posthorn-link`.',
    }),
  ),
});

export const Preview = Type.Object(
  {
    subject: Type.String({ examples: ['Hi Ada'] }),
    html: Type.String({ description: 'The whole document as it is sent, without tracked links and the pixel.' }),
    text: Type.String({ examples: ['Hi Ada'] }),
    content_version: nullable(
      Type.Integer({ description: 'The version of the content; null before it is sent.', examples: [1] }),
    ),
  },
  { title: 'BroadcastPreview' },
);

export const SendTestBody = Type.Object({
  to: Type.String({ maxLength: 400, description: 'One address.', examples: ['me@acme.com'] }),
});

export const SendTestAnswer = Type.Object(
  {
    success: Type.Literal(true),
    to: Type.String({ examples: ['me@acme.com'] }),
    emailId: Type.String({ format: 'uuid', examples: ['0197f3e0-1c2d-7abc-8def-0123456789ab'] }),
  },
  { title: 'BroadcastTestSent' },
);

export const AudienceQuery = Type.Object({
  local_time: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'With this local time in the time zone of each contact, instead of the time of the broadcast: `starts` says when ' +
        'it would leave.',
      examples: ['2026-12-01T09:00:00'],
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Of those without a time zone, beside `local_time`.',
      examples: ['Europe/Berlin'],
    }),
  ),
});

export const AudienceCounted = Type.Object(
  {
    total: Count,
    suppressed: Count,
    unsubscribed: Type.Integer({ minimum: 0, description: 'They left, altogether or every list of the audience.' }),
    will_send: Type.Integer({ minimum: 0, description: 'The others: who would get it now.' }),
    is_estimate: Type.Boolean({ description: 'true: only the first million contacts were counted.' }),
    starts: Starts,
    without_timezone: nullable(
      Type.Integer({
        minimum: 0,
        description: 'With `recipient_timezone`: of `will_send`, those of whom no time zone is known.',
      }),
    ),
  },
  { title: 'BroadcastAudienceCount', additionalProperties: false },
);

export const SendAnswer = Type.Union([
  Type.Object(
    {
      success: Type.Literal(true),
      id: Id,
      status: Type.Literal('sending'),
      total_recipients: Type.Integer({
        description: 'The contacts of the audience who have not left.',
        examples: [5_000],
      }),
      estimatedCompletionAt: Instant,
    },
    { title: 'BroadcastSending', additionalProperties: false },
  ),
  Type.Object(
    { success: Type.Literal(true), id: Id, status: Type.Literal('scheduled'), scheduled_for: Instant },
    { title: 'BroadcastScheduled', additionalProperties: false },
  ),
]);

export const CancelAnswer = Type.Object(
  {
    success: Type.Literal(true),
    status: Type.Literal('cancelled'),
    alreadyQueued: Type.Integer({ description: 'The exact number of emails that still leave.', examples: [120] }),
  },
  { title: 'BroadcastCancelled', additionalProperties: false },
);

export const PauseAnswer = Type.Object(
  {
    success: Type.Literal(true),
    status: Type.Enum([...BROADCAST_STATUSES], { examples: ['sending'] }),
    paused: Type.Boolean(),
    alreadyQueued: Type.Integer({
      description: 'Emails that are in the queue or being handed over now.',
      examples: [2],
    }),
  },
  { title: 'BroadcastPaused', additionalProperties: false },
);

export const RecipientsQuery = Type.Object({
  ...pageQuery,
  type: Type.Optional(
    Type.Enum([...RECIPIENT_TYPES], {
      description: 'Only the recipients in this count of `GET …/stats`.',
      examples: ['delivered'],
    }),
  ),
});

export const RetryableAnswer = Type.Object(
  {
    count: Type.Integer({ description: 'Refused emails that `retry-failed` would try again. Exact up to 10,000.' }),
    is_estimate: Type.Boolean({ description: 'There are more than `count`.' }),
  },
  { title: 'BroadcastRetryable', additionalProperties: false },
);

export const RetryAnswer = Type.Object(
  { success: Type.Literal(true), queued: Type.Integer({ description: 'Emails that are tried again.' }) },
  { title: 'BroadcastRetried', additionalProperties: false },
);
