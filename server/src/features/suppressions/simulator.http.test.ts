import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';

let api: TestApp;
before(async () => {
  api = await createTestApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '1000' } });
});
after(() => api.close());

/** Sends one mail and waits until its bounce is known; the status it ends in. */
async function statusOfMailTo(to: string): Promise<string> {
  const body = { from: 'hello@posthorn.test', to: [to], subject: 'Hello', text: 'Hello' };
  const sent = await api.request({ url: '/v1/send', body });
  const { emails } = sent.body as { emails: { id: string }[] }; // held against the OpenAPI document by the harness
  const deadline = performance.now() + 20_000;
  for (;;) {
    const email = await api.request({ url: `/v1/emails/${emails[0]?.id}` });
    const { status } = email.body as { status: string };
    if (status === 'bounced' || status === 'suppressed') return status;
    assert.ok(performance.now() < deadline, status);
    await new Promise(setImmediate);
  }
}

const reasonOf = async (address: string): Promise<string> => {
  const answer = await api.request({ url: `/v1/suppressions/${address}` });
  return answer.status === 200 ? (answer.body as { reason: string }).reason : String(answer.status);
};

test('the simulator’s soft bounces suppress with the fifth, and the sixth mail does not leave', async () => {
  const address = 'softbounce@simulator.amazonses.com';
  for (let n = 1; n <= 5; n += 1) {
    assert.equal(await reasonOf(address), '404', `before mail ${n}`);
    assert.equal(await statusOfMailTo(address), 'bounced');
  }
  assert.equal(await reasonOf(address), 'soft_bounce');
  assert.equal(await statusOfMailTo(address), 'suppressed');
});

test('an address on the provider’s own list is suppressed at once', async () => {
  const address = 'suppressionlist@simulator.amazonses.com';
  assert.equal(await statusOfMailTo(address), 'bounced');
  assert.equal(await reasonOf(address), 'hard_bounce');
});
