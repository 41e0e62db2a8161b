import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { wrapped } from '../records/schemas.ts';

const Id = Type.String({ format: 'uuid', examples: ['0197f3c0-1122-7d44-8a55-66778899aabb'] });
const URL_CHARS_MAX = 2_048;

export const WebhookUrlBody = Type.Object({
  webhookUrl: nullable(
    Type.String({
      minLength: 1,
      maxLength: URL_CHARS_MAX,
      description: 'Where received mail is posted to: https, a public address, no user name. null: nowhere.',
      examples: ['https://example.com/inbound'],
    }),
  ),
});

export const WebhookUrlAnswer = wrapped(
  Type.Object(
    {
      id: Id,
      webhook_url: nullable(Type.String({ examples: ['https://example.com/inbound'] })),
      webhook_secret: nullable(
        Type.String({ description: 'Signs what is forwarded, as the secret of a webhook does.' }),
      ),
    },
    { title: 'DomainWebhook', additionalProperties: false },
  ),
  'DomainWebhookAnswer',
);

export const WebhookTestResult = Type.Object(
  {
    success: Type.Boolean({ description: 'The receiver answered 200 to 299.' }),
    status: Type.Integer({ description: 'Of the answer; 0: none came.', examples: [200] }),
    statusText: Type.String({ description: '`blocked` when the address is not public.', examples: ['OK'] }),
    error: Type.Optional(Type.String({ description: 'Why it is no success.' })),
  },
  { title: 'DomainWebhookTest', additionalProperties: false },
);

export const ReceivingEnabled = wrapped(
  Type.Object(
    {
      id: Id,
      receiving_enabled: Type.Literal(true),
      mx_record: Type.Object(
        {
          type: Type.Literal('MX'),
          name: Type.String({ examples: ['reply.acme.example'] }),
          value: Type.String({ examples: ['10 mail.example.com'] }),
        },
        { title: 'ReceivingRecord', additionalProperties: false },
      ),
    },
    { title: 'ReceivingEnabled', additionalProperties: false },
  ),
  'ReceivingEnabledAnswer',
);

export const ReceivingDisabled = wrapped(
  Type.Object(
    { id: Id, receiving_enabled: Type.Literal(false) },
    { title: 'ReceivingDisabled', additionalProperties: false },
  ),
  'ReceivingDisabledAnswer',
);
