import assert from 'node:assert/strict';
import { test } from 'node:test';
// The only import of server code here: this test verifies a signature of the server with the code that is shown.
import { signatureHeaders } from '../../../../server/src/features/webhooks/signature.ts';
import { SAMPLES } from './verify-samples.ts';

test('the code that is shown accepts a delivery of Posthorn, and refuses a changed one', async () => {
  const code = SAMPLES[0].code;
  const { verifyWebhook } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    verifyWebhook: (body: Buffer, signature: string | undefined, secret: string) => unknown;
  };
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"id":"evt_1"}';
  const { 'X-Service-Signature': signature } = signatureHeaders({
    body,
    secrets: [secret],
    timestampSeconds: Math.floor(Date.now() / 1000),
    eventId: '01a1f866-2103-7abc-8def-0123456789ab',
    eventType: 'bounce',
    deliveryId: 'd1',
    attempt: 1,
  });
  assert.deepEqual(verifyWebhook(Buffer.from(body), signature, secret), { id: 'evt_1' });
  assert.throws(() => verifyWebhook(Buffer.from(`${body} `), signature, secret), /does not match/);
});
