import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookDelivery } from '../../api/generated/types.gen.ts';
// The only import of server code here: this test compares the headers with those that are sent.
import { signatureHeaders } from '../../../../server/src/features/webhooks/signature.ts';
import { healthOf, requestHeadersOf } from './webhook-state.ts';

const AT = '2026-11-20T10:00:05.123Z';
const LATER = '2026-11-20T10:00:06.000Z';

test('the health of an endpoint follows its last answer', () => {
  const never = { enabled: true, disabled_reason: null, last_success_at: null, last_failure_at: null };
  assert.equal(healthOf(never).label, 'No delivery yet');
  assert.equal(healthOf({ ...never, last_success_at: LATER, last_failure_at: AT }).label, 'Healthy');
  assert.equal(healthOf({ ...never, last_success_at: AT, last_failure_at: LATER }).label, 'Failing');
  assert.equal(healthOf({ ...never, enabled: false }).label, 'Disabled');
  assert.equal(healthOf({ ...never, enabled: false, disabled_reason: 'gone' }).label, 'Disabled by Posthorn');
});

test('the request headers of a delivery are the ones that Posthorn sends', () => {
  const eventId = '01a1f866-2103-7abc-8def-0123456789ab';
  const sent = signatureHeaders({
    body: '{}',
    secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
    timestampSeconds: Math.floor(Date.parse(AT) / 1000),
    eventId,
    eventType: 'bounce',
    deliveryId: 'd1',
    attempt: 2,
  });
  const shown = requestHeadersOf({
    id: 'd1',
    event_id: sent['webhook-id'],
    event_type: 'bounce',
    attempt: 2,
    attempts: [{ at: AT, status: 500, response_time_ms: 3, error: null }],
  } as WebhookDelivery); // only what the headers are made of
  const withoutDigests = (text: string) => text.replaceAll(/(v1[=,])[\w+/=]+/g, '$1…');
  assert.equal(
    shown,
    Object.entries(sent)
      .map(([name, value]) => withoutDigests(`${name}: ${value}`))
      .join('\n'),
  );
});
