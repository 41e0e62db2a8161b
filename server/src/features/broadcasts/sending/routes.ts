import { type Route, route } from '#platform/http/route.ts';
import { linksVersion, version } from '../broadcast-version.ts';
import { getBroadcast } from '../get-broadcast.ts';
import { ClickedLinks, readClickedLinks, RedirectLinkBody } from '../reading/clicked-links.ts';
import { note } from '../reading/read-broadcast.ts';
import * as schemas from '../schemas.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { cancelBroadcast } from './cancel-broadcast.ts';
import { pauseBroadcast, resumeBroadcast } from './pause-broadcast.ts';
import { readSendFields } from './read-send-fields.ts';
import { redirectLink } from './redirect-link.ts';
import { countRetryable, retryFailed } from './retry-failed.ts';
import { sendBroadcast } from './send-broadcast.ts';

const senders = { scope: 'broadcasts:send' } as const;
const mailers = { ...senders, newMail: true } as const;

const changes = { path: '/broadcasts/:id', version };
const one = { tag: 'Broadcasts', params: schemas.BroadcastParams } as const;

export const broadcastSendingRoutes = (wiring: BroadcastsWiring): Route[] => [
  route({
    ...one,
    path: '/broadcasts/:id/links',
    aliases: ['/v1/broadcasts/:id/links'],
    method: 'PATCH',
    id: 'redirect_broadcast_link',
    version: linksVersion,
    changes: { path: '/broadcasts/:id/clicked-links', version: linksVersion },
    summary: 'Redirect a link of a broadcast that was sent',
    description:
      'From now on the link leads to `to`, in mail that has left and in mail that still leaves. Its clicks are counted for ' +
      'the new address from then on, which `GET …/clicked-links` lists behind the others. In force within a few seconds. 409 ' +
      'without tracked links, 422 for a link that it does not have, or for an address that is none of the web.',
    access: senders,
    body: { json: RedirectLinkBody },
    example: { body: { from: 'https://example.com/sale', to: 'https://example.com/sale-2026' } },
    response: ClickedLinks,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => {
      const redirected = await redirectLink(ctx, params.id, body);
      note(ctx, wiring, redirected);
      return readClickedLinks(ctx.db, redirected.broadcast);
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/broadcasts/:id/send',
    aliases: ['/v1/broadcasts/:id/send'],
    id: 'send_broadcast',
    changes,
    summary: 'Send a broadcast',
    description:
      'Sends it once to everybody in its audience, as the audience is now; or schedules it, with a `scheduled_for` here ' +
      'or stored in the draft (null here: now). A scheduled broadcast is sent now. 409 once it is being sent: nobody gets ' +
      'it twice. 422 without a verified sender, a subject, a body or anybody in the audience, or when it cannot be done by ' +
      '`finish_by`.',
    access: mailers,
    status: 202,
    body: { json: schemas.SendBroadcastBody, others: schemas.BROADCAST_NAMES, optional: true, read: readSendFields },
    example: { body: { scheduled_for: 'in 2 hours' } },
    response: schemas.SendAnswer,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => {
      const sent = await sendBroadcast(ctx, params.id, body ?? {});
      note(ctx, wiring, sent);
      const { id, status, scheduledFor, totalRecipients } = sent.broadcast;
      if (status === 'scheduled') return { success: true, id, status, scheduled_for: scheduledFor };
      const { estimatedCompletionAt } = sent;
      return { success: true, id, status, total_recipients: totalRecipients, estimatedCompletionAt };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/broadcasts/:id/cancel',
    aliases: ['/v1/broadcasts/:id/cancel'],
    id: 'cancel_broadcast',
    changes,
    summary: 'Cancel a broadcast',
    description:
      'A cancelled scheduled broadcast is not sent. If it is already being sent, the emails released to the queue still ' +
      'leave: about ten seconds of sending. The answer counts them exactly. 409 in every other state.',
    access: senders,
    response: schemas.CancelAnswer,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const cancelled = await cancelBroadcast(ctx, params.id);
      note(ctx, wiring, cancelled);
      return { success: true, status: 'cancelled', alreadyQueued: cancelled.alreadyQueued };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/broadcasts/:id/pause',
    aliases: ['/v1/broadcasts/:id/pause'],
    id: 'pause_broadcast',
    changes,
    summary: 'Pause a broadcast',
    description:
      'Takes what waits out of the queue, until you resume it. The answer counts the emails that are being handed over at ' +
      'this moment. 409 when it is not being sent or is paused already.',
    access: senders,
    response: schemas.PauseAnswer,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const paused = await pauseBroadcast(ctx, params.id);
      note(ctx, wiring, paused);
      return { success: true, status: 'sending', paused: true, alreadyQueued: paused.alreadyQueued };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/broadcasts/:id/resume',
    aliases: ['/v1/broadcasts/:id/resume'],
    id: 'resume_broadcast',
    changes,
    summary: 'Resume a paused broadcast',
    description:
      'Whatever paused it: you, too many bounces or complaints, or a limit. The waiting emails leave as before. 409 when ' +
      'it is not paused.',
    access: senders,
    response: schemas.PauseAnswer,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const { alreadyQueued } = await resumeBroadcast(ctx, params.id);
      const { status } = await getBroadcast(ctx, params.id);
      return { success: true, status, paused: false, alreadyQueued };
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/broadcasts/:id/retry-failed',
    aliases: ['/v1/broadcasts/:id/retry-failed'],
    id: 'count_retryable_of_broadcast',
    summary: 'Count the emails of a broadcast that would be tried again',
    description: 'Without those that the provider took and rejected later, for their content. 0 before it was sent.',
    access: { scope: 'broadcasts:read' },
    response: schemas.RetryableAnswer,
    errors: [404],
    handler: (ctx, { params }) => countRetryable(ctx, params.id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/broadcasts/:id/retry-failed',
    aliases: ['/v1/broadcasts/:id/retry-failed'],
    id: 'retry_failed_of_broadcast',
    summary: 'Send a broadcast again to recipients that the provider refused',
    description:
      'For a broadcast that was sent. Nobody gets it twice; suppressed recipients and contacts who left stay without it.',
    access: mailers,
    status: 202,
    response: schemas.RetryAnswer,
    errors: [404, 409, 422],
    outsideTransaction: true,
    handler: async (ctx, { params }) => {
      const retried = await retryFailed(ctx, params.id);
      note(ctx, wiring, retried);
      return { success: true, queued: retried.queued };
    },
  }),
];
