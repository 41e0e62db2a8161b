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
        filename: Type.Union([Type.String(), Type.Null()]),
        content_type: Type.String(),
        content_id: Type.Union([Type.String(), Type.Null()]),
        disposition: Type.Union([Type.String(), Type.Null()]),
        size: Type.Integer({ description: 'Bytes, decoded.' }),
      }),
    ),
  },
  { title: 'CapturedEmail' },
);

export const CapturedParams = Type.Object({ id: Type.String() });

export const CapturedQuery = Type.Object({
  ...pageQuery,
  to: Type.Optional(Type.String({ minLength: 1, description: 'Exactly this address in the envelope.' })),
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 998, description: 'Part of the subject or of a recipient, in any case.' }),
  ),
});
