import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApp, TEST_ADMIN, type TestApp } from '../../../test/harness/app.ts';
import { until } from '../../../test/harness/until.ts';

let api: TestApp;
before(async () => {
  api = await createTestApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '1000' } });
});
after(() => api.close());

const good = { from: 'Acme <hello@posthorn.test>', subject: 'Receipt', html: '<p>Hi <b>Ada</b></p>' };

// biome-ignore lint: a test reads whatever came back
const json = async (url: string, body?: unknown): Promise<any> =>
  (await api.request({ url, ...(body === undefined ? {} : { body }) })).body;

const settled = (id: string, status: string) =>
  until(`email ${id} as ${status}`, async () => {
    const email = await json(`/v1/emails/${id}`);
    return email.status === status ? email : undefined;
  });

test('202, then captured and delivered: the whole path of an email', async () => {
  const sent = await json('/v1/send', { ...good, to: ['Ada <ada@example.com>'], bcc: ['blind@example.com'] });
  const email = await settled(sent.emails[0].id, 'delivered');
  const types = email.events.map((event: { type: string }) => event.type);
  assert.equal(types[0], 'send');
  assert.ok(types.includes('delivery'));
  assert.ok(email.sent_at && email.delivered_at);
  const list = await json('/v1/captured-emails?to=ada@example.com');
  const captured = await json(`/v1/captured-emails/${list.data[0].id}`);
  assert.equal(captured.email_id, email.id);
  assert.equal(captured.message_id, email.message_id);
  assert.deepEqual(captured.to, ['ada@example.com', 'blind@example.com']);
  assert.match(captured.html, /<p>Hi <b>Ada<\/b><\/p>/);
  assert.equal(captured.text.trim(), 'Hi Ada');
  const raw = (await api.request({ url: `/v1/captured-emails/${list.data[0].id}/raw` })).text;
  assert.doesNotMatch(raw, /blind@example\.com/);
  assert.match(raw, /^DKIM-Signature:/m);
  const job = await json(`/v1/send/${sent.jobId}`);
  assert.equal(job.status, 'completed');
});

const outcomes: [string, string, string | null][] = [
  ['success', 'delivered', null],
  ['bounce', 'bounced', 'hard_bounce'],
  ['bounce+label', 'bounced', 'hard_bounce'],
  ['softbounce', 'bounced', null],
  ['complaint', 'complained', 'complaint'],
  ['ooto', 'delivered', null],
  ['suppressionlist', 'bounced', 'hard_bounce'],
  ['reject', 'failed', null],
];

for (const [who, status, suppression] of outcomes) {
  test(`an email to ${who}@simulator.amazonses.com is ${status}${suppression === null ? '' : ' and the next one suppressed'}`, async () => {
    const to = `${who}@simulator.amazonses.com`;
    const sent = await json('/v1/send', { ...good, to });
    await settled(sent.emails[0].id, status);
    const explained = await json(`/v1/emails/${sent.emails[0].id}/explain`);
    assert.equal(explained.status, status);
    const next = await json('/v1/send', { ...good, to });
    assert.equal(next.status, suppression === null ? 'queued' : 'suppressed');
  });
}

const simulated: [string, string, string | null][] = [
  ['bounce', 'bounced', 'hard_bounce'],
  ['complaint', 'complained', 'complaint'],
  ['soft_bounce', 'delivered', null],
  ['delay', 'delivered', null],
  ['open', 'delivered', null],
  ['click', 'delivered', null],
];

for (const [outcome, status, suppression] of simulated) {
  test(`202 for a simulated ${outcome} of a captured email, which is applied like one of a provider`, async () => {
    const to = `${outcome}@simulated.example`;
    const html = '<p>Hi <a href="https://example.com/a">a</a> <a href="https://example.com/b">b</a></p>';
    const sent = await json('/v1/send', { ...good, html, to, trackOpens: true, trackClicks: true });
    const { id } = sent.emails[0];
    await settled(id, 'delivered');
    const captured = (await json(`/v1/captured-emails?to=${to}`)).data[0];
    const link = outcome === 'click' ? { link: 'https://example.com/b' } : {};
    const url = `/v1/captured-emails/${captured.id}/simulate`;
    const answer = await api.request({ url, body: { outcome, ...link } });
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual(answer.body, { success: true, id: captured.id, email_id: id, outcome, recipients: [to] });
    const type = { soft_bounce: 'bounce', delay: 'delivery_delay' }[outcome] ?? outcome;
    const email = await until(`a ${type}`, async () => {
      const read = await json(`/v1/emails/${id}`);
      return read.events.some((event: { type: string }) => event.type === type) ? read : undefined;
    });
    await settled(id, status);
    const [event] = email.events.filter((one: { type: string }) => one.type === type);
    assert.equal(event.recipient, to);
    if (outcome === 'click') assert.equal(event.event_data.click.link, 'https://example.com/b');
    const next = await json('/v1/send', { ...good, to });
    assert.equal(next.status, suppression === null ? 'queued' : 'suppressed');
  });
}

test('409 to simulate what an email does not track, 400 for a recipient or link of another', async () => {
  const sent = await json('/v1/send', {
    ...good,
    to: 'plain@simulated.example',
    trackOpens: false,
    trackClicks: false,
  });
  await settled(sent.emails[0].id, 'delivered');
  const captured = (await json('/v1/captured-emails?to=plain@simulated.example')).data[0];
  const simulate = async (body: object) => api.request({ url: `/v1/captured-emails/${captured.id}/simulate`, body });
  for (const [body, status] of [
    [{ outcome: 'open' }, 409],
    [{ outcome: 'click' }, 409],
    [{ outcome: 'bounce', recipient: 'other@example.com' }, 400],
    [{ outcome: 'bounce', link: 'https://example.com/' }, 400],
  ] as const) {
    assert.equal((await simulate(body)).status, status, JSON.stringify(body));
  }
  assert.equal((await json(`/v1/emails/${sent.emails[0].id}`)).status, 'delivered');
});

test('a password reset leaves, and nobody reads it who could not act as the owner anyway', async () => {
  const asked = await api.request({ url: '/auth/forgot-password', key: null, body: { email: TEST_ADMIN.email } });
  assert.equal(asked.status, 200);
  const mail = await until('the mail', async () => (await json(`/v1/captured-emails?to=${TEST_ADMIN.email}`)).data[0]);
  assert.match((await json(`/v1/captured-emails/${mail.id}`)).text, /http/);
  const { key } = await json('/v1/api-keys', { name: 'logs', scopes: ['emails:read', 'emails:send'] });
  const as = async (url: string, method = 'GET') => api.request({ url, method, key });
  for (const url of [
    `/v1/captured-emails/${mail.id}`,
    `/v1/captured-emails/${mail.id}/raw`,
    `/v1/emails/${mail.email_id}`,
    `/v1/emails/${mail.email_id}/content`,
  ]) {
    assert.equal((await as(url)).status, 404, url);
    assert.equal((await api.request({ url })).status, 200, url);
  }
  assert.equal((await as(`/v1/emails/${mail.email_id}/resend`, 'POST')).status, 404);
  for (const list of ['/v1/emails', '/v1/captured-emails', '/v1/emails?source=system']) {
    assert.ok(!(await as(list)).text.includes(TEST_ADMIN.email), list);
  }
});

test('nothing went wrong unseen', () => {
  assert.deepEqual(api.logged, []);
});
