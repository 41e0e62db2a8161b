import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

const send = (body: unknown, headers: Record<string, string> = {}, url = '/v1/send') =>
  api.call({ method: 'POST', url, body, headers });
const good = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Hello', text: 'Hi' };

/** The email that was accepted, as its record and its content show it. */
async function stored(body: unknown) {
  const { status, body: answer } = await send(body);
  assert.equal(status, 202, JSON.stringify(answer));
  const id: string = answer.emails[0].id;
  const { body: record } = await api.call({ method: 'GET', url: `/v1/emails/${id}` });
  const { body: content } = await api.call({ method: 'GET', url: `/v1/emails/${id}/content` });
  const { to, cc, reply_to, subject, tags, metadata } = record;
  const { html, text, headers, attachments } = content;
  return { to, cc, reply_to, subject, tags, metadata, html, text, headers, attachments, warnings: answer.warnings };
}

async function refused(body: unknown, url = '/v1/send', headers: Record<string, string> = {}) {
  const earlier = await countStored(api.t);
  const { status, body: answer } = await send(body, headers, url);
  assert.deepEqual(await countStored(api.t), earlier, 'nothing is stored');
  return [status, answer.param, answer.message];
}

const FILE = Buffer.from('%PDF-').toString('base64');

test('202 for a body as Postmark takes it: every field does what it does there', async () => {
  const email = await stored({
    From: 'hello@posthorn.test',
    To: 'ada@example.com',
    Cc: 'bob@example.com',
    Bcc: 'carol@example.com',
    Subject: 'Hello',
    Tag: 'welcome',
    HtmlBody: '<p>Hi</p>',
    TextBody: 'Hi',
    ReplyTo: 'support@example.com',
    Metadata: { Colour: 'blue', reply_to: 'x' },
    Headers: [{ Name: 'X-Order', Value: '42' }],
    TrackOpens: false,
    TrackLinks: 'None',
    Attachments: [{ Name: 'a.pdf', Content: FILE, ContentType: 'application/pdf', ContentID: 'cid:a' }],
  });
  assert.equal(email.warnings, undefined);
  const { attachments, ...rest } = email;
  assert.deepEqual(rest, {
    to: ['ada@example.com'],
    cc: ['bob@example.com'],
    reply_to: ['support@example.com'],
    subject: 'Hello',
    tags: [{ name: 'tag', value: 'welcome' }],
    metadata: { Colour: 'blue', reply_to: 'x' },
    html: '<p>Hi</p>',
    text: 'Hi',
    headers: { 'X-Order': '42' },
    warnings: undefined,
  });
  assert.equal(attachments.length, 1);
  const [{ filename, content_type, content_id }] = attachments;
  assert.deepEqual([filename, content_type, content_id], ['a.pdf', 'application/pdf', 'a']);
});

test('202 for a body as Resend takes it', async () => {
  const email = await stored({
    from: 'Acme <hello@posthorn.test>',
    to: ['ada@example.com'],
    reply_to: 'support@example.com',
    subject: 'Hello',
    html: '<p>Hi</p>',
    tags: [{ name: 'kind', value: 'welcome' }],
    attachments: [{ filename: 'a.pdf', content: FILE, content_type: 'application/pdf' }],
  });
  assert.deepEqual([email.reply_to, email.html, email.warnings], [['support@example.com'], '<p>Hi</p>', undefined]);
  assert.equal(email.attachments[0].content_type, 'application/pdf');
});

test('422 for mail that another service would send later, at a time that has passed: it never leaves at once', async () => {
  for (const name of ['scheduled_at', 'send_at', 'sendAt', 'scheduledFor', 'scheduled_for', 'ScheduledAt']) {
    const [status, param] = await refused({ ...good, [name]: '2020-12-01T09:00:00Z' });
    assert.deepEqual([status, param], [422, 'scheduledFor'], name);
  }
});

test('400 for a dry run that is asked for in the body, in a batch, or in a query that is misspelled', async () => {
  for (const name of ['dryRun', 'dry_run']) {
    assert.deepEqual((await refused({ ...good, [name]: true })).slice(0, 2), [400, name]);
    assert.deepEqual((await refused({ emails: [good], [name]: true }, '/v1/batch')).slice(0, 2), [400, name]);
    assert.deepEqual((await refused([{ ...good, [name]: true }], '/v1/batch')).slice(0, 2), [400, `emails[0].${name}`]);
    assert.deepEqual((await refused([good], `/v1/batch?${name}=true`)).slice(0, 2), [400, name]);
  }
  assert.deepEqual((await refused(good, '/v1/send?dryrun=true')).slice(0, 2), [400, 'dryrun']);
  const preview = await send(good, {}, '/v1/send?dry_run=true');
  assert.deepEqual([preview.status, preview.body.ok], [200, true]);
});

test('a key in the body counts like the header, and not as a field', async () => {
  const body = { ...good, idempotency_key: 'order-1' };
  const first = await send(body);
  assert.equal(first.status, 202);
  assert.equal(first.headers['x-unknown-fields'], undefined);
  const again = await send({ ...good, idempotencyKey: 'order-1' });
  assert.deepEqual([again.headers['idempotent-replayed'], again.body.jobId], ['true', first.body.jobId]);
  const byHeader = await send(good, { 'idempotency-key': 'order-1' });
  assert.deepEqual(byHeader.body, first.body);
  const [status, param] = await refused(body, '/v1/send', { 'idempotency-key': 'other' });
  assert.deepEqual([status, param], [400, 'idempotency_key']);
  assert.deepEqual((await refused({ ...good, idempotency_key: 7 })).slice(0, 2), [400, 'idempotency_key']);
  assert.deepEqual((await refused([{ ...good, idempotency_key: 'x' }], '/v1/batch')).slice(0, 2), [
    400,
    'emails[0].idempotency_key',
  ]);
});

test('a batch reads the names of each item, and reports each by itself', async () => {
  const items = [
    { ...good, htlm: '<p>Hi</p>' },
    { From: good.from, To: good.to, Subject: 'Hi', TextBody: 'Hi', x: 1 },
  ];
  const sentence = 'htlm is unknown: did you mean html?';
  assert.deepEqual(await refused(items, '/v1/batch'), [400, 'emails[0].htlm', `emails[0].${sentence}`]);
  const { body, headers } = await send({ emails: items, mode: 'permissive' }, {}, '/v1/batch');
  assert.deepEqual([body.accepted, body.rejected, body.results[0].error.message], [1, 1, sentence]);
  assert.equal(headers['x-unknown-fields'], 'emails[].x');
  assert.deepEqual(body.warnings, ['emails[].x is unknown and was ignored.']);
});

test('a refused send names ignored fields too, because one of them may be what is missing', async () => {
  const { status, body, headers } = await send({ ...good, text: undefined, zebra: 'Hi' });
  assert.deepEqual([status, body.param], [400, 'html']);
  assert.equal(headers['x-unknown-fields'], 'zebra');
  assert.deepEqual(body.warnings, ['zebra is unknown and was ignored.']);
});

test('400 for a name that is nearly one of another service, or that asks for a later time, a test or a reply', async () => {
  const at = '2030-01-01T00:00:00Z';
  for (const [name, value, field] of [
    ['schedule_at', at, 'scheduledFor'],
    ['delivery_tme', at, 'scheduledFor'],
    ['o:deliverytime', at, 'scheduledFor'],
    ['send_time', at, 'scheduledFor'],
    ['expires', at, 'expiresAt'],
    ['o:testmode', true, 'sandbox'],
    ['sandbox_mode', true, 'sandbox'],
    ['h:Reply-To', 'eve@example.com', 'replyTo'],
    ['merge_vars', {}, 'variables'],
  ]) {
    const message = `${name} is unknown: did you mean ${field}?`;
    assert.deepEqual(await refused({ ...good, [String(name)]: value }), [400, name, message]);
  }
});
