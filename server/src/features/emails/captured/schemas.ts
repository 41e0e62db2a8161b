import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';

const summary = {
  id: Type.String({ format: 'uuid' }),
  email_id: Type.String({ format: 'uuid' }),
  message_id: Type.String(),
  from: Type.String({ description: 'Envelope sender.' }),
  to: Type.Array(Type.String(), { description: 'Envelope recipients, including bcc.' }),
  subject: Type.String(),
  size: Type.Integer({ description: 'Bytes of the message.' }),
  attachment_count: Type.Integer({ description: 'Files, without pictures in the text.' }),
  captured_at: Type.String({ format: 'date-time' }),
};

export const CapturedSummary = Type.Object(summary, { title: 'CapturedEmailSummary' });

export const CapturedEmail = Type.Object(
  {
    ...summary,
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'In order, decoded.',
    }),
    html: Type.Union([Type.String(), Type.Null()]),
    text: Type.Union([Type.String(), Type.Null()]),
    attachments: Type.Array(
      Type.Object({
        id: Type.String({ description: 'To download it: its place in the message.', examples: ['1'] }),
        filename: Type.Union([Type.String(), Type.Null()]),
        content_type: Type.String(),
        content_id: Type.Union([Type.String(), Type.Null()]),
        disposition: Type.Union([Type.String(), Type.Null()]),
        size: Type.Integer({ description: 'Bytes, decoded.' }),
      }),
    ),
    links: Type.Array(
      Type.Object({
        url: Type.String({ description: 'Where it leads; of a tracked link, its target.' }),
        tracked: Type.Boolean(),
      }),
      { description: 'Links of the html, in order; the first 500.' },
    ),
    html_path: Type.Union([Type.String(), Type.Null()], {
      description:
        'For the `src` of a frame, for one hour and without a key: the html with its own pictures, without scripts and ' +
        'without a network. `&images=true` at its end lets it load pictures of others. null: there is no html.',
    }),
  },
  { title: 'CapturedEmail' },
);

export const CapturedParams = Type.Object({ id: Type.String() });

export const CapturedAttachmentParams = Type.Object({ id: Type.String(), attachmentId: Type.String() });

export const CapturedHtmlQuery = Type.Object({
  token: Type.String({ maxLength: 200, description: 'Part of `html_path`.' }),
  images: Type.Optional(Type.Enum(['true', 'false'], { description: 'true: pictures of other servers are loaded.' })),
});

const OUTCOMES = ['delivery', 'delay', 'bounce', 'soft_bounce', 'complaint', 'reject', 'open', 'click'] as const;

export const SimulateBody = Type.Object({
  outcome: Type.Enum(OUTCOMES, {
    description: '`bounce` is permanent and suppresses the address, as does `complaint`.',
    examples: ['bounce'],
  }),
  recipient: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'One of `to`; every one of them when left out.' }),
  ),
  link: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'For a click: a `url` of `links`; the first tracked one when left out.',
    }),
  ),
});

export const Simulated = Type.Object(
  {
    success: Type.Literal(true),
    id: Type.String({ format: 'uuid' }),
    email_id: Type.String({ format: 'uuid' }),
    outcome: Type.Enum(OUTCOMES),
    recipients: Type.Array(Type.String()),
  },
  { title: 'SimulatedOutcome' },
);

export const CapturedQuery = Type.Object({
  ...pageQuery,
  email_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Copies of this email, mostly one: an email that was retried has more.',
    }),
  ),
  to: Type.Optional(Type.String({ minLength: 1, description: 'Exactly this address in the envelope.' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 998,
      description:
        'Part of the subject, of a recipient or of the sender, in any case. Its first 100 characters are looked for, ' +
        'in the first 300.',
    }),
  ),
});
