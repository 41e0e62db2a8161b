/** The checker of the webhooks, fed with doctored accounts: each planted bug must be seen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFound } from './assert-found.ts';
import { compareWebhooks, WEBHOOKS_FLAWLESS, type WebhookComparison } from './compare-webhooks.ts';
import type { WebhookRecords } from './webhook-records.ts';

const all = { id: 'w1', name: 'all', events: ['*'], enabled: true };
const bounces = { id: 'w2', name: 'bounces', events: ['bounce'], enabled: true };
const off = { id: 'w3', name: 'off', events: ['*'], enabled: false };
const sent = { id: 'v1', emailId: 'e1', type: 'send' };
const arrival = (change: object = {}) => ({
  endpoint: 'all',
  deliveryId: 'd1',
  attempt: 1,
  eventId: 'v1',
  bodyHash: 'aa',
  at: 0,
  answered: 200,
  ...change,
});
const delivery = (change: object = {}) => ({
  id: 'd1',
  webhookId: 'w1',
  eventId: 'v1',
  status: 'succeeded',
  attempt: 1,
  ...change,
});

const GOOD: WebhookRecords = {
  told: ['e1'],
  events: [sent],
  endpoints: [all, bounces, off],
  received: [arrival()],
  deliveries: [delivery()],
};

const sees = (change: Partial<WebhookRecords>, found: Partial<WebhookComparison>): void =>
  assertFound(compareWebhooks({ ...GOOD, ...change }), found);

test('a good run has nothing to report', () => {
  assert.deepEqual(compareWebhooks(GOOD), {
    ...WEBHOOKS_FLAWLESS,
    expected: 1,
    received: 1,
    repeated: 0,
    repeatedMax: 0,
    retried: 0,
    attemptsMax: 1,
  });
});

test('an email that a 2xx named and whose acceptance is no event is unknown', () => {
  sees({ events: [], received: [], deliveries: [] }, { unknownEmails: ['e1'] });
  sees({ events: [{ ...sent, type: 'delivery' }] }, { unknownEmails: ['e1'] });
});

test('an event without a delivery is lost, although every delivery there is has succeeded', () => {
  sees({ received: [], deliveries: [] }, { expected: 1, lost: ['all v1'], undecided: [] });
});

test('an event at one endpoint only is lost for the other', () => {
  sees({ events: [{ ...sent, type: 'bounce' }] }, { expected: 2, lost: ['bounces v1'] });
});

test('a delivery marked succeeded that was not received is lost and false', () => {
  sees({ received: [] }, { lost: ['all v1'], falselySucceeded: ['d1'] });
});

test('success without an answer, on a failure, or on another delivery of the event is false', () => {
  for (const change of [{ answered: null }, { answered: 500 }, { answered: 301 }, { deliveryId: 'd9' }])
    sees({ received: [arrival(change)] }, { falselySucceeded: ['d1'], lost: [] });
  sees({ received: [arrival({ answered: 204 })] }, { falselySucceeded: [] });
});

test('a repeated attempt is counted, at the endpoint where it was; a retry is none', () => {
  sees({ received: [arrival(), arrival(), arrival()] }, { repeated: 2, repeatedMax: 2, retried: 0 });
  sees({ received: [arrival({ answered: 500 }), arrival({ attempt: 2 })] }, { repeated: 0, retried: 1 });
});

test('two copies of an event with other bytes are seen, also at two endpoints', () => {
  sees({ received: [arrival(), arrival({ bodyHash: 'bb' })] }, { changedBodies: ['v1'] });
  const bounced = { ...sent, type: 'bounce' };
  sees(
    { events: [bounced], received: [arrival(), arrival({ endpoint: 'bounces', bodyHash: 'bb' })] },
    { changedBodies: ['v1'], lost: [] },
  );
});

test('a delivery without a request is unwanted: disabled, not subscribed, no event, no endpoint', () => {
  sees({ received: [arrival(), arrival({ endpoint: 'off' })] }, { unwanted: ['off v1'] });
  sees({ received: [arrival(), arrival({ endpoint: 'bounces' })] }, { unwanted: ['bounces v1'] });
  sees({ received: [arrival(), arrival({ eventId: 'v9' })] }, { unwanted: ['all v9'] });
  sees({ received: [arrival(), arrival({ endpoint: 'nobody' })] }, { unwanted: ['nobody v1'] });
});

test('a delivery that never ends is undecided, and one that was given up has failed', () => {
  sees({ deliveries: [delivery({ status: 'pending' })] }, { undecided: ['d1'] });
  sees({ deliveries: [delivery({ status: 'failed' })] }, { failed: ['d1'] });
  sees({ deliveries: [delivery({ status: 'discarded' })] }, { failed: ['d1'] });
});

test('an event with two deliveries to one endpoint is doubled', () => {
  sees({ deliveries: [delivery(), delivery({ id: 'd2' })] }, { doubled: ['all v1'] });
});
