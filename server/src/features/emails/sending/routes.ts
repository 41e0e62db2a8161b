import { invalid } from '#platform/errors/app-error.ts';
import { addUnknown, unknownWarnings, warningsOf } from '#platform/http/fields/unknown-fields.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import type { SendingPorts } from './newsletter-permission.ts';
import { BATCH_NAMES, SEND_NAMES } from './other-services.ts';
import { previewSend } from './preview-send.ts';
import { readBatch } from './read-batch.ts';
import { readTimedSend } from './read-send.ts';
import { isScheduled, type SchedulePorts } from './later/schedule.ts';
import { BatchAccepted, BatchBody, LIMITS, SendAccepted, SendBody, SendPreview, SendQuery } from './schemas.ts';
import { sendBatch } from './send-batch.ts';
import { sendEmail } from './send-email.ts';
import { scheduleEmail } from './later/schedule-email.ts';

export const sendingRoutes = (ports: SendingPorts & SchedulePorts): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/send',
    aliases: ['/api/v1/email/send'],
    // Resend, Postmark, useSend, SendGrid and listmonk.
    elsewhere: ['/emails', '/v1/emails', '/email', '/v1/email', '/api/v1/emails', '/v3/mail/send', '/api/tx'],
    id: 'send_email',
    tag: 'Sending',
    summary: 'Send an email',
    description:
      'Accepts an email to one or many recipients and queues it. The answer comes after the email is stored on ' +
      'disk. The emails then leave at the rate of the server. Addresses on the suppression list are skipped ' +
      'and reported; they are not an error. With `scheduledFor` the email is kept until its time comes. With ' +
      '`?dryRun=true` nothing is stored and the answer is 200.',
    access: { scope: 'emails:send', sendLimited: true, newMail: true },
    status: 202,
    query: SendQuery,
    body: {
      json: SendBody,
      bytesMax: LIMITS.requestBytes,
      others: SEND_NAMES,
      warns: true,
      takesKey: true,
      read: readTimedSend,
    },
    example: {
      body: {
        from: 'Acme <hello@posthorn.test>',
        to: 'ada@example.com',
        subject: 'Your receipt',
        html: '<p>Thank you!</p>',
      },
    },
    response: SendAccepted,
    otherResponses: { 200: SendPreview },
    errors: [409, 413, 422, 429],
    handler: async (ctx, { query, body, request }) => {
      if (query.dryRun !== 'true' && isScheduled(body)) {
        return { ...(await scheduleEmail(ctx, body, ports)), ...warningsOf(request) };
      }
      if (query.dryRun !== 'true') {
        const { accepted, limits } = await sendEmail(ctx, body, ports);
        return answer({ ...accepted, ...warningsOf(request) }, { headers: limits });
      }
      // Its answer would be kept, and given in place of the real send that has the same body.
      if (request.headers['idempotency-key'] !== undefined) {
        throw invalid(
          'Idempotency-Key',
          'Idempotency-Key cannot be combined with dryRun, which does nothing that could be repeated.',
        );
      }
      if (isScheduled(body)) await ports.checkTime(ctx, body.schedule, 'scheduledFor');
      const preview = await previewSend(ctx, body, ports);
      return answer({ ...preview, warnings: [...preview.warnings, ...unknownWarnings(request)] }, { status: 200 });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/batch',
    // Resend, Postmark and useSend.
    elsewhere: ['/emails/batch', '/v1/emails/batch', '/email/batch', '/api/v1/emails/batch'],
    id: 'send_batch',
    tag: 'Sending',
    summary: 'Send up to 100 different emails',
    description:
      'Takes a list of bodies of `POST /v1/send`, bare or as `emails`. `mode: "strict"` (default) accepts all or nothing; `"permissive"` (or the header `x-batch-validation: permissive`) accepts the good ones and reports the others; without a good one nothing was done, and the answer is the error of `strict`. One Idempotency-Key covers the batch.',
    access: { scope: 'emails:send', newMail: true },
    status: 202,
    body: {
      json: BatchBody,
      bytesMax: LIMITS.requestBytes,
      others: BATCH_NAMES,
      warns: true,
      takesKey: true,
      read: readBatch,
    },
    example: {
      body: {
        emails: [
          { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Hello Ada', text: 'Welcome.' },
          { from: 'hello@posthorn.test', to: 'bob@example.com', subject: 'Hello Bob', text: 'Welcome.' },
        ],
      },
    },
    response: BatchAccepted,
    errors: [409, 413, 422],
    handler: async (ctx, { body, request }) => {
      const { items } = body;
      const mode = modeOf(body.mode, request.headers['x-batch-validation']);
      for (const { unknown } of items)
        addUnknown(
          request,
          unknown.map((name) => `emails[].${name}`),
        );
      return { ...(await sendBatch(ctx, items, mode, ports)), ...warningsOf(request) };
    },
  }),
];

type Mode = 'strict' | 'permissive';

/** The body and the header say the same; of two that differ, neither is dropped. */
function modeOf(given: Mode | undefined, header: string | string[] | undefined): Mode {
  if (header === undefined) return given ?? 'strict';
  if (header !== 'strict' && header !== 'permissive') {
    throw invalid('x-batch-validation', 'x-batch-validation must be one of strict, permissive');
  }
  if (given !== undefined && given !== header) {
    throw invalid('x-batch-validation', 'x-batch-validation and mode have different values; give one of them');
  }
  return header;
}
