import { ConsentRecord, consentView, listConsents, noEvidence } from '#features/consents';
import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../get-newsletter.ts';
import { NewsletterParams, Removed } from '../schemas.ts';
import type { NewslettersWiring } from '../wiring.ts';
import { changeSubscriber } from './change-subscriber.ts';
import { readNewSubscriber, readSubscriberChange } from './joining/read-subscriber-fields.ts';
import { createSubscriber } from './joining/create-subscriber.ts';
import { getSubscriber } from './get-subscriber.ts';
import { listSubscribers } from './listing/list-subscribers.ts';
import { receivedIssueView } from './listing/received-issue.ts';
import { listReceivedIssues } from './listing/received-issues.ts';
import { remindPending } from './confirmation/remind-pending.ts';
import { eraseSubscriber } from './removal/erase-subscriber.ts';
import { resendConfirmation } from './confirmation/resend-confirmation.ts';
import { lockSubscriber } from './queries.ts';
import * as schemas from './schemas.ts';
import { personOf, subscriberView } from './subscriber.ts';
import { unsubscribeSubscriber } from './leaving/unsubscribe-subscriber.ts';

const version = recordVersion(schemas.ChangeSubscriberBody, (ctx, { id = '', subscriberId = '' }) =>
  lockSubscriber(ctx.db, ctx.workspaceId, id, subscriberId),
);

const TAG = 'Subscribers';
const REMIND_DAYS = 3;

export const subscriberRoutes = (_wiring: NewslettersWiring): Route[] => [
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/subscribers',
    id: 'list_subscribers',
    tag: TAG,
    summary: 'List subscribers',
    description: 'Newest first unless `sort` says otherwise.',
    access: { scope: 'subscribers:read' },
    params: NewsletterParams,
    query: schemas.SubscribersQuery,
    response: listEnvelope(schemas.Subscriber),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const listed = await listSubscribers(ctx, params.id, query);
      const timeOf = (index: number): string => {
        const row = listed.rows[index];
        return row === undefined ? '' : listed.keyOf(row);
      };
      const { total, totalIsEstimate } = listed;
      return answerPage(listed.page, listed.rows.map(subscriberView), {
        total,
        totalIsEstimate,
        url: request.url,
        timeOf,
      });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/subscribers',
    id: 'create_subscriber',
    version,
    tag: TAG,
    summary: 'Add a subscriber',
    description:
      'With double opt-in the subscriber is pending and gets an email with a link to confirm. Without it the ' +
      'subscriber is active at once. An address that is already on the list gives 200, `X-Existing-Resource: ' +
      'true` and the unchanged record. 422 for a suppressed address, and when there is no sender for the ' +
      'confirmation email (`from_email`). If this server has sent 3 confirmation emails to the address in the ' +
      'last hour, or 10 in the last day, the subscriber is stored and gets no further one.',
    access: { scope: 'subscribers:write' },
    status: 201,
    params: NewsletterParams,
    body: { json: schemas.CreateSubscriberBody, others: schemas.CONSENT_NAMES, read: readNewSubscriber },
    example: { body: { email: 'ada@example.com', name: 'Ada' } },
    response: schemas.Subscriber,
    otherResponses: { 200: schemas.Subscriber },
    errors: [404, 422],
    handler: async (ctx, { params, body }) => {
      const { subscriber, outcome } = await createSubscriber(ctx, await getNewsletter(ctx, params.id), body);
      const record = subscriberView(subscriber);
      if (outcome === 'created') return record;
      return answer(record, { status: 200, headers: { 'x-existing-resource': 'true' } });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/subscribers/remind',
    id: 'remind_subscribers',
    tag: TAG,
    summary: 'Remind unconfirmed subscribers',
    description:
      'Sends the confirmation email again to pending subscribers who have received at most one, oldest first. ' +
      'The reminders leave in the background, at a sixth of the send rate. Nobody is reminded twice.',
    access: { scope: 'subscribers:write', newMail: true },
    params: NewsletterParams,
    body: { json: schemas.RemindBody, optional: true },
    example: { body: { older_than_days: 3 } },
    response: schemas.Reminded,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const options = { olderThanDays: body?.older_than_days ?? REMIND_DAYS };
      const { count, isEstimate } = await remindPending(ctx, newsletter, options);
      return { success: true, queued: count, ...(isEstimate && { queued_is_estimate: true }) };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/subscribers/:subscriberId',
    id: 'get_subscriber',
    version,
    tag: TAG,
    summary: 'Read a subscriber',
    access: { scope: 'subscribers:read' },
    params: schemas.SubscriberParams,
    response: schemas.Subscriber,
    errors: [404],
    handler: async (ctx, { params }) => subscriberView((await getSubscriber(ctx, params)).subscriber),
  }),
  route({
    method: 'PATCH',
    path: '/v1/newsletters/:id/subscribers/:subscriberId',
    id: 'update_subscriber',
    version,
    tag: TAG,
    summary: 'Change a subscriber',
    description:
      'Only the fields in the body change; null clears a field. `metadata` is merged key by key: null removes a key. ' +
      'With a new `email` and double opt-in an active subscriber is pending again and gets an email to confirm, ' +
      'unless `consent` describes how the person agreed. A subscriber who has left stays unsubscribed. 409 when ' +
      'another subscriber has the address, 422 when it is suppressed.',
    access: { scope: 'subscribers:write' },
    params: schemas.SubscriberParams,
    body: {
      json: schemas.ChangeSubscriberBody,
      others: schemas.CONSENT_NAMES,
      optional: true,
      read: readSubscriberChange,
    },
    example: { body: { name: 'Ada Lovelace' } },
    response: schemas.Subscriber,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) =>
      subscriberView(await changeSubscriber(ctx, (await getSubscriber(ctx, params)).subscriber, body ?? {})),
  }),
  route({
    method: 'DELETE',
    path: '/v1/newsletters/:id/subscribers/:subscriberId',
    id: 'delete_subscriber',
    version,
    tag: TAG,
    summary: 'Erase a subscriber',
    description:
      'This cannot be undone. Waiting emails to the subscriber are stopped. Within the hour the address is ' +
      'removed from emails, events and consents. A keyed hash of it stays, with the times of each step. A ' +
      'suppression of the address stays. The address is also erased from the consents that are kept of ' +
      'deleted newsletters; with a key that is restricted to some newsletters, from these only.',
    access: { scope: 'subscribers:write' },
    params: schemas.SubscriberParams,
    response: Removed,
    errors: [404],
    handler: async (ctx, { params }) => {
      await eraseSubscriber(ctx, (await getSubscriber(ctx, params)).subscriber);
      return { success: true, id: params.subscriberId };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/subscribers/:subscriberId/unsubscribe',
    id: 'unsubscribe_subscriber',
    tag: TAG,
    summary: 'Unsubscribe a subscriber',
    description: 'Ends the subscription to this newsletter. A repeated call changes nothing and sends no event.',
    access: { scope: 'subscribers:write' },
    params: schemas.SubscriberParams,
    response: schemas.Subscriber,
    errors: [404],
    handler: async (ctx, { params }) => {
      const { newsletter } = await getSubscriber(ctx, params);
      const asked = { newsletterId: newsletter.id, subscriberId: params.subscriberId, issueId: null };
      const { subscriber } = await unsubscribeSubscriber(ctx, { ...asked, reason: 'api', evidence: noEvidence });
      return subscriberView(subscriber);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/subscribers/:subscriberId/resend-confirmation',
    id: 'resend_confirmation',
    tag: TAG,
    summary: 'Send the confirmation email again',
    description:
      'For pending subscribers only. 409 for any other status, and while the confirmation emails of the ' +
      'newsletter are paused. 429 after three in an hour to one subscriber, or ten in a day to one address ' +
      'from this server.',
    access: { scope: 'subscribers:write', newMail: true },
    params: schemas.SubscriberParams,
    response: schemas.Resent,
    errors: [404, 409, 422, 429],
    handler: async (ctx, { params }) => {
      const { newsletter, subscriber } = await getSubscriber(ctx, params);
      const { id, confirmationSentAt } = await resendConfirmation(ctx, newsletter, subscriber, { via: 'api' });
      return { success: true, id, status: 'pending', confirmation_sent_at: confirmationSentAt };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/subscribers/:subscriberId/consents',
    id: 'list_subscriber_consents',
    tag: TAG,
    summary: 'List the consents of a subscriber',
    description:
      'All consents of this address in this newsletter, newest first: the times of sign-up, confirmation and ' +
      'unsubscribe, their origin, and the email and link used. They cannot be changed.',
    access: { scope: 'subscribers:read' },
    params: schemas.SubscriberParams,
    query: schemas.PagesQuery,
    response: listEnvelope(ConsentRecord),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const { subscriber } = await getSubscriber(ctx, params);
      const { rows, total } = await listConsents(ctx, personOf(subscriber), page);
      return answerPage(page, rows.map(consentView), { total, url: request.url });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/subscribers/:subscriberId/issues',
    id: 'list_subscriber_issues',
    tag: TAG,
    summary: 'List the issues sent to a subscriber',
    description: 'Newest first, each with the state of its email.',
    access: { scope: 'subscribers:read' },
    params: schemas.SubscriberParams,
    query: schemas.PagesQuery,
    response: listEnvelope(schemas.ReceivedIssue),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const { subscriber } = await getSubscriber(ctx, params);
      const { rows, total } = await listReceivedIssues(ctx, subscriber, page);
      return answerPage(page, rows, { total, url: request.url, view: (row) => receivedIssueView(row) });
    },
  }),
];
