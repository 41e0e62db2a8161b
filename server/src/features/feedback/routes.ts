import { Type } from 'typebox';
import { invalid } from '#platform/errors/app-error.ts';
import { type Route, route } from '#platform/http/route.ts';
import { RAW_DELIVERY } from './notifications/sns/sns-message.ts';

/** The largest message of SNS (256 KiB), and its envelope with every quote of it escaped. */
const BODY_BYTES_MAX = 600_000;

/** Where providers report. `receive` takes a message of Amazon SNS, or throws. */
export function feedbackRoutes(receive: (body: Buffer) => Promise<void>): Route[] {
  return [
    route({
      method: 'POST',
      path: '/events/ses',
      id: 'receive_ses_events',
      tag: 'Operations',
      summary: 'Receive a message of Amazon SNS',
      description:
        'The HTTPS endpoint for an SNS topic to which Amazon SES reports. A message must have a valid ' +
        'signature of SNS, and its topic must be in POSTHORN_SES_TOPIC_ARNS. Posthorn confirms subscriptions ' +
        'automatically.',
      access: 'public',
      body: { bytes: ['text/plain', 'application/json'], bytesMax: BODY_BYTES_MAX },
      errors: [413, 415, 503],
      example: {
        body: '{"Type":"Notification","MessageId":"…","TopicArn":"…","Message":"…","Signature":"…"}',
      },
      response: Type.Object({ success: Type.Literal(true) }, { additionalProperties: false }),
      async handler(_ctx, { body, request }) {
        if (request.headers['x-amz-sns-rawdelivery'] === 'true') throw invalid('body', RAW_DELIVERY);
        await receive(body);
        return { success: true };
      },
    }),
  ];
}
