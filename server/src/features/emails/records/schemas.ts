import { Type } from 'typebox';
import { emailRecords } from '#features/outbox';
import { SOURCE_NAMES } from '#mail/email-sources.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { EmailStatus, Tag } from '../sending/schemas.ts';

const id = Type.String({ format: 'uuid' });
const nullableId = Type.Union([id, Type.Null()]);
const text = Type.String();
const nullableText = Type.Union([text, Type.Null()]);
const time = Type.String({ format: 'date-time' });
const nullableTime = Type.Union([time, Type.Null()]);

const EmailEvent = Type.Object(
  {
    id: Type.String({
      pattern: '^evt_[0-9a-f]{32}$',
      description: 'As in webhooks.',
      examples: ['evt_0197f4001c2d7abc8def0123456789ab'],
    }),
    sequence: Type.Union([Type.Integer(), Type.Null()], {
      description: 'From 1, in the order in which the events were recorded; null before November 2026.',
    }),
    type: Type.Enum(['send', 'delivery', 'bounce', 'complaint', 'reject', 'delivery_delay', 'open', 'click']),
    recipient: text,
    at: time,
    event_data: Type.Record(text, Type.Unknown()),
  },
  { title: 'EmailEvent' },
);

const summary = {
  id,
  job_id: nullableId,
  source: Type.Union([Type.Enum(SOURCE_NAMES), Type.Null()]),
  from: text,
  to: Type.Array(text),
  cc: Type.Array(text),
  bcc: Type.Array(text),
  reply_to: Type.Array(text),
  subject: text,
  status: EmailStatus,
  message_id: Type.String({ description: 'The Message-ID header: the same on every attempt.' }),
  provider_message_id: nullableText,
  domain_id: nullableId,
  api_key_id: nullableId,
  request_id: Type.Union([text, Type.Null()], {
    description:
      'The `X-Request-ID` of the request that accepted it, or that sent or scheduled its issue or broadcast: `GET /v1/requests?request_id=…` finds that request.',
  }),
  template_id: nullableId,
  template_version: Type.Union([Type.Integer(), Type.Null()], { description: 'The version that it was made from.' }),
  newsletter_id: nullableId,
  issue_id: nullableId,
  broadcast_id: nullableId,
  scheduled_id: nullableId,
  automation_run_id: nullableId,
  tags: Type.Array(Tag),
  metadata: Type.Record(text, Type.Unknown()),
  sandbox: Type.Boolean({ description: 'Kept on this server, never delivered.' }),
  open_count: Type.Integer({ description: 'Opens or clicks that seem to be by people; counting stops at 1,000.' }),
  click_count: Type.Integer({ description: 'Opens or clicks that seem to be by people; counting stops at 1,000.' }),
  machine_open_count: Type.Integer({
    description: 'By mail scanners, image proxies that fetch ahead and other robots.',
  }),
  machine_click_count: Type.Integer({ description: 'By link scanners and other robots.' }),
  first_opened_at: nullableTime,
  error: nullableText,
  expires_at: nullableTime,
  created_at: time,
  sent_at: nullableTime,
  delivered_at: nullableTime,
  last_event_at: nullableTime,
};

export const EmailSummary = Type.Object(summary, { title: 'EmailSummary' });
export const Email = Type.Object(
  {
    ...summary,
    events: Type.Array(EmailEvent, { description: 'In the order of their time; the first 1,000.' }),
    events_truncated: Type.Boolean({
      description: 'There are more than 1,000 events: `GET /v1/events?email_id=…` lists all of them.',
    }),
  },
  { title: 'Email' },
);

export const EmailParams = Type.Object({ id: Type.String() });
export const AttachmentParams = Type.Object({ id: Type.String(), attachmentId: Type.String() });

const uuidFilter = (what: string) => Type.Optional(Type.String({ format: 'uuid', description: what }));

const BY_DOMAIN =
  'A domain (`@example.com`, without what is below it) needs `since` and `until`, at most 31 days apart. A page then ' +
  'ends after 10,000 emails that were looked at, even when it is short or empty: continue while `has_more` is true.';

export const EmailsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(EmailStatus),
  to: Type.Optional(
    Type.String({ minLength: 1, description: `Exactly this address, as to, cc or bcc; or a domain. ${BY_DOMAIN}` }),
  ),
  from: Type.Optional(
    Type.String({ minLength: 1, description: `Exactly this sender address, or a domain. ${BY_DOMAIN}` }),
  ),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 998,
      description: 'Part of the subject, in any case. Its first 100 characters are looked for, in the first 300.',
    }),
  ),
  provider_message_id: Type.Optional(
    Type.String({
      maxLength: 998,
      pattern: '^<?[^\\s<>]+>?$',
      'x-says': 'must be an id of the provider, or a Message-ID with such an id',
      description: 'The id that the provider gave the email, also as Amazon SES writes it into the Message-ID header.',
    }),
  ),
  tag: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,256}(:[A-Za-z0-9_-]{1,256})?$',
      'x-says': 'must be the name of a tag, or name:value, such as kind:receipt',
      description: '`name`, or `name:value`.',
    }),
  ),
  metadata: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      pattern: '^[^:]+(:[\\s\\S]*)?$',
      'x-says': 'must be the name of a field of the metadata, or name:value',
      description: 'A field of the metadata: `name`, or `name:value` where its value is exactly this text or number.',
      examples: ['order_id:4711'],
    }),
  ),
  source: Type.Optional(Type.Enum(SOURCE_NAMES)),
  domain_id: uuidFilter('Sent from this domain.'),
  api_key_id: uuidFilter('Accepted from this key.'),
  template_id: uuidFilter('Made from this template.'),
  newsletter_id: uuidFilter(
    'Sent for this newsletter: issues and confirmations. Newest send first, and newest email first in each.',
  ),
  issue_id: uuidFilter('Sent for this issue.'),
  broadcast_id: uuidFilter('Belongs to this broadcast.'),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Created at or after.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Created before.' })),
  counted: Type.Optional(
    Type.Enum([...emailRecords.counts.names], {
      description:
        'The emails of this count of the analytics, which happened from `counted_since` and before `counted_until`. ' +
        'A page ends after 10,000 emails that were looked at, even when it is short or empty: continue while ' +
        '`has_more` is true.',
    }),
  ),
  counted_since: Type.Optional(
    Type.String({ format: 'date-time', description: 'The start of the count, included. Needs `counted`.' }),
  ),
  counted_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'The end of the count, not included. Needs `counted`.' }),
  ),
  mailbox_provider: Type.Optional(
    Type.Enum([...emailRecords.counts.mailboxProviders], {
      description: 'To a mailbox at this provider, as the count has it. Needs `counted`.',
    }),
  ),
});

export const EmailContent = Type.Object(
  {
    id,
    subject: text,
    html: nullableText,
    text: nullableText,
    headers: Type.Record(text, text),
    attachments: Type.Array(
      Type.Object({
        id: Type.Union([id, Type.Null()], { description: 'null: a part of a message that was given whole.' }),
        filename: text,
        content_type: text,
        content_id: nullableText,
        disposition: Type.Enum(['attachment', 'inline']),
        size: Type.Integer({ description: 'Bytes.' }),
      }),
    ),
  },
  { title: 'EmailContent' },
);

export const EmailExplanation = Type.Object(
  {
    id,
    status: EmailStatus,
    verdict: Type.String({ description: 'The outcome, in a sentence.' }),
    next_step: Type.Union([text, Type.Null()], {
      description: 'The next step; null when there is nothing to do.',
    }),
    timeline: Type.Array(Type.Object({ at: time, what: text, detail: nullableText })),
  },
  { title: 'EmailExplanation' },
);

export const ResendBody = Type.Object({
  to: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'One mailbox that gets a copy in place of the recipients of the email. The subject of a copy begins with `Copy: `.',
      examples: ['me@example.com'],
    }),
  ),
});

export const Resent = Type.Object({
  success: Type.Literal(true),
  jobId: id,
  status: Type.Enum(['queued', 'suppressed']),
  emails: Type.Array(Type.Object({ id, to: text, status: EmailStatus })),
});

export const Settled = Type.Object(
  {
    success: Type.Literal(true),
    id,
    status: EmailStatus,
  },
  { title: 'SettledEmail' },
);
