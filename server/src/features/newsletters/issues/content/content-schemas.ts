import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';

export const PreviewQuery = Type.Object({
  subscriber_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The subscriber for whom the issue is rendered; an invented one when left out.',
    }),
  ),
  content_version: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}$',
      description: 'A version of the content of an issue that was sent: the newest when left out.',
      examples: ['1'],
    }),
  ),
  number_links: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true`: each link of a sent issue has its `number` of `GET …/links` in the attribute `data-posthorn-link`.',
    }),
  ),
});

export const Preview = Type.Object(
  {
    subject: Type.String({ examples: ['News of October'] }),
    html: Type.String({ description: 'The whole document as it is sent, without tracked links and the pixel.' }),
    text: Type.String({ examples: ['Hi there'] }),
    content_version: nullable(
      Type.Integer({ description: 'The version of the content; null before it is sent.', examples: [1] }),
    ),
  },
  { title: 'IssuePreview' },
);

export const SendTestBody = Type.Object({
  to: Type.String({ maxLength: 400, description: 'One address.', examples: ['me@acme.com'] }),
});

export const SendTestAnswer = Type.Object({
  success: Type.Literal(true),
  to: Type.String({ examples: ['me@acme.com'] }),
  emailId: Type.String({ format: 'uuid', examples: ['0197f3e0-1c2d-7abc-8def-0123456789ab'] }),
});

const Count = Type.Integer({ minimum: 0 });

export const CheckAnswer = Type.Object(
  {
    ok: Type.Boolean({ description: 'No check has the level `error`.' }),
    checks: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['size'] }),
        level: Type.Enum(['ok', 'warning', 'error']),
        message: Type.String({ examples: ['The HTML is 131 KB; Gmail clips at 102 KB.'] }),
      }),
    ),
    recipients: Type.Object({
      will_send: Type.Integer({
        minimum: 0,
        description: 'Active subscribers that are not suppressed: who gets the issue.',
      }),
      suppressed: Type.Integer({
        minimum: 0,
        description: 'Active subscribers whose address is suppressed. They get no mail.',
      }),
      pending: Count,
      unsubscribed: Count,
    }),
  },
  { title: 'IssueCheck' },
);
