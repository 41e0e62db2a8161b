import { type Route, route } from '#platform/http/route.ts';
import { InboundParams } from '../records/schemas.ts';
import { readReply } from './read-reply.ts';
import { replyToInbound } from './reply-to-inbound.ts';
import { Replied, ReplyBody } from './schemas.ts';

const REQUEST_BYTES_MAX = 5 * 1_024 * 1_024;

export const replyRoutes = (): Route[] => [
  route({
    method: 'POST',
    path: '/v1/inbound/:id/reply',
    id: 'reply_to_inbound_email',
    tag: 'Received emails',
    summary: 'Answer a received email',
    description:
      'The answer goes to its Reply-To or From, with In-Reply-To and References, so that mail programs show one ' +
      'conversation. The domain of `from` must be verified. Use an Idempotency-Key when you may ask twice. 409 when a ' +
      'program wrote the message (RFC 3834), or when it ends a row of five answers by API.',
    access: { scope: 'emails:send', newMail: true },
    status: 202,
    params: InboundParams,
    body: { json: ReplyBody, bytesMax: REQUEST_BYTES_MAX, read: readReply },
    example: { body: { text: 'You are welcome.', from: 'Acme <hello@posthorn.test>' } },
    response: Replied,
    errors: [404, 409, 413, 422],
    handler: (ctx, { params, body }) => replyToInbound(ctx, params.id, body),
  }),
];
