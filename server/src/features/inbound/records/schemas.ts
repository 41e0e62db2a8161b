import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { nullable } from '#platform/records/wire-types.ts';

const Id = Type.String({ format: 'uuid', examples: ['0197f400-1c2d-7abc-8def-0123456789ab'] });
const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:05.123Z'] });
const Text = Type.String();

export const InboundParams = Type.Object({ id: Id });

export const InboundFileParams = Type.Object({
  id: Id,
  attachmentId: Type.String({ maxLength: 100, description: 'The `id` in `attachments`.', examples: ['1'] }),
});

export const InboundLinkParams = Type.Object({
  token: Type.String({ maxLength: 200, description: 'Of a `url` or `raw_url`.' }),
});

export const InboundQuery = Type.Object({
  ...pageQuery,
  domain_id: Type.Optional(Id),
  thread_id: Type.Optional(Id),
  from: Type.Optional(
    Type.String({ maxLength: 320, description: 'The address in From.', examples: ['ada@example.com'] }),
  ),
});

const Mailbox = Type.Object(
  { email: Type.String({ examples: ['ada@example.com'] }), name: nullable(Text) },
  { title: 'InboundMailbox', additionalProperties: false },
);

const Envelope = Type.Object(
  { from: Type.String({ description: 'Empty: a report or an automatic answer.' }), to: Type.Array(Text) },
  { title: 'InboundEnvelope', additionalProperties: false },
);

const common = {
  id: Id,
  from: nullable(Mailbox),
  envelope: Envelope,
  subject: nullable(Text),
  message_id: nullable(Text),
  mailbox_hash: nullable(Type.String({ description: 'Behind the `+` of the recipient.', examples: ['42'] })),
  size: Type.Integer({ description: 'Bytes of the message.' }),
  parse_error: nullable(Type.String({ description: 'Why its parts could not be read. The bytes are kept.' })),
  auto_submitted: Type.Boolean({ description: 'A program wrote it: never answer it by a program.' }),
  in_reply_to_email_id: nullable(Type.String({ format: 'uuid', description: 'The email of yours that it answers.' })),
  thread_id: nullable(Type.String({ format: 'uuid', description: 'The same for all mail of a conversation.' })),
  received_at: Instant,
};

export const InboundSummary = Type.Object(
  {
    ...common,
    domain_id: Id,
    attachments: Type.Integer({ description: 'How many.' }),
    status: Type.Enum(['waiting', 'read'], { description: '`waiting`: it is stored, and read within seconds.' }),
  },
  { title: 'InboundEmailSummary', additionalProperties: false },
);

const AuthResult = Type.String({
  description:
    '`pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`; ' +
    '`unknown` of ARC when Amazon SES received the message.',
  examples: ['pass'],
});

const ContentVerdict = Type.String({
  description:
    '`pass` or `fail` when Amazon SES received the message. `unknown` when it came over SMTP, where nobody looks, or ' +
    'when SES cannot say.',
  examples: ['unknown'],
});

export const InboundEmail = Type.Object(
  {
    ...common,
    domain: nullable(Type.Object({ id: Id, domain: Text }, { title: 'InboundDomain', additionalProperties: false })),
    to: Type.Array(Mailbox),
    cc: Type.Array(Mailbox),
    reply_to: Type.Array(Mailbox),
    date: nullable(Instant),
    in_reply_to: nullable(Text),
    references: Type.Array(Text),
    text: nullable(Type.String({ description: 'Made of the html when the message has no text.' })),
    html: nullable(Type.String({ description: 'As it came: show it in a sandboxed frame only.' })),
    stripped_text: nullable(Type.String({ description: 'The new words, without quotation and signature.' })),
    quoted_text: nullable(Type.String({ description: 'The rest: both together are `text`.' })),
    reply_email_ids: Type.Array(Id, { description: 'The emails that answered it here, oldest first: at most 20.' }),
    stripped_confidence: nullable(Type.Number({ description: 'From 0 to 1.', examples: [0.95] })),
    headers: Type.Array(
      Type.Object({ name: Text, value: Text }, { title: 'InboundHeader', additionalProperties: false }),
    ),
    attachments: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['1'] }),
          filename: Text,
          content_type: Text,
          size: Type.Integer({ description: 'Bytes, decoded.' }),
          content_id: nullable(Text),
          disposition: Type.Enum(['attachment', 'inline']),
          url: Type.String({ description: 'Needs no key.' }),
          url_expires_at: Instant,
        },
        { title: 'InboundAttachment', additionalProperties: false },
      ),
    ),
    spam: Type.Object(
      { verdict: ContentVerdict, score: nullable(Type.Number({ description: 'Nobody gives one yet: null.' })) },
      { title: 'InboundSpam', additionalProperties: false },
    ),
    virus: Type.Object({ verdict: ContentVerdict }, { title: 'InboundVirus', additionalProperties: false }),
    auth: nullable(
      Type.Object(
        { spf: AuthResult, dkim: AuthResult, dmarc: AuthResult, arc: AuthResult },
        { title: 'InboundAuth', additionalProperties: false },
      ),
    ),
    matched_by: nullable(
      Type.Enum(['in_reply_to', 'references', 'provider_id', 'plus_address'], {
        description: 'How `in_reply_to_email_id` is known.',
      }),
    ),
    contact_id: Type.Null(),
    raw_url: Type.String({ description: 'The message as it came. Needs no key.' }),
    raw_url_expires_at: Instant,
    status: Type.Enum(['waiting', 'read']),
    forward: nullable(
      Type.Object(
        {
          event_id: Type.String({ examples: ['evt_0197f4001c2d7abc8def0123456789ab'] }),
          status: Type.Enum(['pending', 'succeeded', 'failed', 'discarded']),
          attempts: Type.Integer(),
          response_status: nullable(Type.Integer()),
          error: nullable(Text),
          next_attempt_at: nullable(Instant),
          delivered_at: nullable(Instant),
        },
        {
          title: 'InboundForward',
          description: 'Its last delivery to the `webhook_url` of the domain; null: it was not forwarded.',
          additionalProperties: false,
        },
      ),
    ),
  },
  { title: 'InboundEmail', additionalProperties: false },
);

export const Redelivered = Type.Object(
  { success: Type.Literal(true), event_id: Type.String({ examples: ['evt_0197f4001c2d7abc8def0123456789ab'] }) },
  { title: 'InboundRedelivered', additionalProperties: false },
);
