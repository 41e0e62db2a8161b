import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp, type TestRequest } from '../../../test/harness/app.ts';
import { aDomain, anEmail, anInbound, aWorkspace } from '../../../test/harness/builders.ts';
import { deliverMail, type Envelope, wire } from '../../../test/harness/deliver-mail.ts';
import { until } from '../../../test/harness/until.ts';
import { type Receiver, startReceiver } from '../../../test/harness/webhook-receiver.ts';
import { hopsValue } from './replying/hops.ts';

let app: TestApp;
let receiver: Receiver;
let domainId: string;
let secret: string;
before(async () => {
  app = await createTestApp({
    worker: true,
    mail: true,
    env: {
      POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
      POSTHORN_INBOUND_MESSAGE_MB: '1',
      POSTHORN_INBOUND_MB: '3',
      POSTHORN_WEBHOOK_RETRY_SECONDS: '1,1',
    },
  });
  receiver = await startReceiver();
  domainId = await aDomain(app.db, app.workspaceId, 'reply.acme.example');
  await call({ method: 'POST', url: `/v1/domains/${domainId}/receiving/enable` });
  const set = await call({
    method: 'PATCH',
    url: `/v1/domains/${domainId}/webhook`,
    body: { webhookUrl: receiver.url },
  });
  secret = set.body.data.webhook_secret;
});
afterEach(async () => {
  receiver.answerWith((_request, response) => response.end('ok'));
  receiver.received.length = 0;
  await sql`delete from inbound_emails where workspace_id = ${app.workspaceId}`.execute(app.db);
  await sql`delete from inbound_usage where workspace_id = ${app.workspaceId}`.execute(app.db);
});
after(async () => {
  await receiver.close();
  await app.close();
  assert.deepEqual(app.logged, []);
});

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const call = async (request: TestRequest): Promise<{ status: number; body: Body }> => app.request(request);
const to = 'support+42@reply.acme.example';
const deliver = (raw: Buffer | string, envelope: Partial<Envelope> = {}): Promise<string> =>
  deliverMail(app.mailPort, { to, ...envelope }, typeof raw === 'string' ? wire(raw) : raw);
const stored = async (): Promise<Body[]> => (await call({ url: '/v1/inbound' })).body.data;
/** The event that the receiver got for the message with this subject; those of other endpoints have another shape. */
const forwarded = (subject: string): Promise<Body> =>
  until(`the event of ${subject}`, async () =>
    receiver.received.map(({ raw }): Body => JSON.parse(raw)).find(({ inbound }) => inbound?.subject === subject),
  );

const reply = (subject: string, more = ''): string => `From: Ada <Ada@example.net>
To: ${to}
Subject: ${subject}
Message-ID: <${subject.replaceAll(/\W/g, '')}@example.net>
Date: Fri, 20 Nov 2026 10:00:00 +0000
${more}MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Thanks, J=C3=BCrgen!

On Fri, 20 Nov 2026 at 09:00, Shop <shop@acme.example> wrote:
> Here is your receipt.
--b
Content-Type: image/png; name="a.png"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="=?utf-8?q?=C3=A4.png?="

aGVsbG8=
--b--
`;

test('a message is stored before 250, read, and forwarded with a signature', async () => {
  const raw = wire(reply('Re: Your receipt'));
  assert.match(await deliver(raw), /^250 /);
  assert.equal((await stored()).length, 1);
  const event = await forwarded('Re: Your receipt');
  const { inbound } = event;
  assert.partialDeepStrictEqual(event, {
    type: 'inbound',
    test: false,
    workspace_id: app.workspaceId,
    domain: { id: domainId, domain: 'reply.acme.example' },
  });
  assert.partialDeepStrictEqual(inbound, {
    from: { email: 'ada@example.net', name: 'Ada' },
    to: [{ email: to, name: null }],
    envelope: { from: 'ada@example.net', to: [to] },
    date: '2026-11-20T10:00:00.000Z',
    message_id: '<ReYourreceipt@example.net>',
    mailbox_hash: '42',
    stripped_text: 'Thanks, Jürgen!',
    stripped_confidence: 0.95,
    html: null,
    truncated: false,
    parse_error: null,
    auto_submitted: false,
    in_reply_to_email_id: null,
    matched_by: null,
    contact_id: null,
    size: raw.length + 2,
  });
  assert.match(inbound.quoted_text, /\n> /);
  assert.equal(inbound.stripped_text + inbound.quoted_text, inbound.text);
  assert.deepEqual(Object.keys(inbound.auth).toSorted(), ['arc', 'dkim', 'dmarc', 'spf']);
  assert.partialDeepStrictEqual(inbound.attachments, [
    { filename: 'ä.png', content_type: 'image/png', size: 5, disposition: 'attachment', content_id: null },
  ]);
  const [delivery] = receiver.received;
  assert.equal(delivery?.headers['x-service-event'], 'inbound');
  const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(delivery?.headers['x-service-signature'])) ?? [];
  assert.equal(digest, createHmac('sha256', secret).update(`${time}.${delivery?.raw}`).digest('hex'));

  const shown = (await call({ url: `/v1/inbound/${inbound.id}` })).body;
  assert.equal(shown.stripped_text + shown.quoted_text, shown.text);
  assert.deepEqual(shown.reply_email_ids, []);
  assert.deepEqual([shown.status, shown.forward.event_id], ['read', event.id]);
});

test('files and bytes are given to whoever has a key or the link, decoded and unchanged', async () => {
  const raw = wire(reply('With a file'));
  await deliver(raw);
  const { inbound } = await forwarded('With a file');
  const [file] = inbound.attachments;
  const pathOf = (url: string): string => url.slice(app.settings.publicUrl.length);
  for (const request of [
    { url: pathOf(file.url), key: null },
    { url: `/v1/inbound/${inbound.id}/attachments/${file.id}` },
  ]) {
    const got = await app.request(request);
    assert.deepEqual([got.status, got.text], [200, 'hello']);
    assert.match(String(got.headers['content-disposition']), /^attachment; filename\*=UTF-8''%C3%A4\.png$/);
  }
  for (const request of [{ url: pathOf(inbound.raw_url), key: null }, { url: `/v1/inbound/${inbound.id}/raw` }]) {
    assert.equal((await app.request(request)).text, `${raw.toString()}\r\n`);
  }
  assert.equal((await app.request({ url: `${pathOf(file.url).slice(0, -1)}x`, key: null })).status, 404);
  assert.equal((await call({ url: `/v1/inbound/${inbound.id}/attachments/2` })).status, 404);
});

test('the same message delivered again is stored and forwarded once; to another address it is another one', async () => {
  for (let time = 0; time < 3; time += 1) assert.match(await deliver(reply('Twice')), /^250 /);
  assert.equal((await stored()).length, 1);
  assert.match(await deliver(reply('Twice'), { to: 'other@reply.acme.example' }), /^250 /);
  assert.equal((await stored()).length, 2);
});

test('an answer is matched with the email by its Message-ID, by References, by the id of the provider, by the address', async () => {
  const { emailId } = await anEmail(app.db, app.workspaceId, { status: 'sent' });
  await sql`update emails set provider_message_id = '0102018f-aaaa-000000'
    where workspace_id = ${app.workspaceId} and id = ${emailId}`.execute(app.db);
  const own = `<${emailId}@posthorn.test>`;
  const ways: [subject: string, fields: string, matchedBy: string, address?: string][] = [
    ['by reply', `In-Reply-To: ${own}\n`, 'in_reply_to'],
    ['by references', `References: <x@example.net> ${own}\n`, 'references'],
    ['by provider', 'In-Reply-To: <0102018f-aaaa-000000@eu-west-1.amazonses.com>\n', 'provider_id'],
    ['by address', '', 'plus_address', `support+${emailId}@reply.acme.example`],
  ];
  for (const [subject, fields, matchedBy, address] of ways) {
    await deliver(reply(subject, fields), address === undefined ? {} : { to: address });
    const { inbound } = await forwarded(subject);
    assert.deepEqual(
      [inbound.in_reply_to_email_id, inbound.matched_by, inbound.thread_id],
      [emailId, matchedBy, emailId],
      subject,
    );
  }
  const thread = (await call({ url: `/v1/inbound?thread_id=${emailId}` })).body;
  assert.equal(thread.total, 4);
});

test('endpoints that subscribe to inbound.received hear of it without its texts; others do not', async () => {
  const subscribed = await call({
    url: '/v1/webhooks',
    body: { url: `${receiver.url}/events`, events: ['inbound.received'] },
  });
  await call({ url: '/v1/webhooks', body: { url: `${receiver.url}/bounces`, events: ['bounce'] } });
  await deliver(reply('Told'));
  const { inbound } = await forwarded('Told');
  const told = await until('the event', async () =>
    receiver.received.map(({ raw }): Body => JSON.parse(raw)).find(({ type }) => type === 'inbound.received'),
  );
  assert.partialDeepStrictEqual(told.event_data, {
    domain: { id: domainId, domain: 'reply.acme.example' },
    inbound: {
      id: inbound.id,
      from: { email: 'ada@example.net', name: 'Ada' },
      subject: 'Told',
      attachments: 1,
      thread_id: inbound.id,
    },
  });
  assert.equal(JSON.stringify(told).includes('Thanks'), false);
  assert.equal(receiver.received.length, 2);
  const endpoints = (await call({ url: '/v1/webhooks' })).body;
  for (const { id } of endpoints) await call({ method: 'DELETE', url: `/v1/webhooks/${id}` });
  assert.equal(
    endpoints.some(({ id }: Body) => id === subscribed.body.id),
    true,
  );
});

test('a key that is limited to another domain sees nothing of the mail', async () => {
  const other = await aDomain(app.db, app.workspaceId, 'limited.acme.example');
  const made = await call({
    url: '/v1/api-keys',
    body: { name: 'limited', scopes: ['*'], domain_ids: [other] },
  });
  await deliver(reply('Not yours'));
  const { inbound } = await forwarded('Not yours');
  const asked = (path: string, method = 'GET') =>
    app.request({ method, url: `/v1/inbound${path}`, key: made.body.key });
  assert.deepEqual(Reflect.get((await asked('')).body as object, 'data'), []);
  for (const [path, method] of [[''], ['/raw'], ['/attachments/1'], ['/redeliver', 'POST']] as const) {
    assert.equal((await asked(`/${inbound.id}${path}`, method)).status, 404, path);
  }
  assert.equal(
    (await app.request({ url: `/v1/inbound/${inbound.id}/reply`, body: { text: 'x' }, key: made.body.key })).status,
    404,
  );
});

test('an email of another workspace is never matched', async () => {
  const other = await aWorkspace(app.db);
  const { emailId } = await anEmail(app.db, other, { status: 'sent' });
  await deliver(reply('Foreign', `In-Reply-To: <${emailId}@posthorn.test>\n`));
  const { inbound } = await forwarded('Foreign');
  assert.deepEqual([inbound.in_reply_to_email_id, inbound.thread_id], [null, inbound.id]);
});

test('an answer to received mail is in its thread', async () => {
  await deliver(reply('Begin'));
  const first = await forwarded('Begin');
  await deliver(reply('Go on', 'In-Reply-To: <Begin@example.net>\n'));
  const second = await forwarded('Go on');
  assert.equal(second.inbound.thread_id, first.inbound.thread_id);
  assert.equal(first.inbound.thread_id, first.inbound.id);
});

test('mail of programs is marked: null sender, Auto-Submitted, Precedence, lists', async () => {
  const programs: [string, string, string?][] = [
    ['null sender', '', ''],
    ['auto replied', 'Auto-Submitted: auto-replied (vacation)\n'],
    ['bulk', 'Precedence: bulk\n'],
    ['a list', 'List-Id: <x.example.net>\n'],
  ];
  for (const [subject, fields, from] of programs) {
    await deliver(reply(subject, fields), from === undefined ? {} : { from });
    assert.equal((await forwarded(subject)).inbound.auto_submitted, true, subject);
  }
  await deliver(reply('a person', 'Auto-Submitted: no\n'));
  assert.equal((await forwarded('a person')).inbound.auto_submitted, false);
});

test('long texts are cut in the event and complete in the API', async () => {
  const long = 'ä'.repeat(200_000);
  await deliver(`From: ada@example.net\nSubject: Long\nContent-Type: text/plain; charset=utf-8\n\n${long}`);
  const { inbound } = await forwarded('Long');
  assert.equal(inbound.truncated, true);
  assert.equal(Buffer.byteLength(inbound.text), 256 * 1_024);
  assert.ok(long.startsWith(inbound.text));
  assert.equal(inbound.stripped_text + inbound.quoted_text, inbound.text);
  const shown = (await call({ url: `/v1/inbound/${inbound.id}` })).body;
  assert.equal(shown.text, `${long}\r\n`);
});

test('a receiver that fails is tried again with the same bytes, and a message can be forwarded once more', async () => {
  let failures = 1;
  receiver.answerWith((_request, response) => {
    response.statusCode = failures-- > 0 ? 500 : 200;
    response.end();
  });
  await deliver(reply('Again'));
  const { inbound, id } = await forwarded('Again');
  const [first, second] = await until('the second attempt', async () =>
    receiver.received.length > 1 ? receiver.received : undefined,
  );
  assert.equal(second?.raw, first?.raw);
  await until('its success', async () => {
    const { forward } = (await call({ url: `/v1/inbound/${inbound.id}` })).body;
    return forward.status === 'succeeded' ? true : undefined;
  });
  const again = await call({ method: 'POST', url: `/v1/inbound/${inbound.id}/redeliver` });
  assert.deepEqual([again.status, again.body], [202, { success: true, event_id: id }]);
  await until('the third', async () => (receiver.received.length > 2 ? true : undefined));
  assert.equal(receiver.received[2]?.raw, first?.raw);
});

test('409 for forwarding mail of a domain without a webhook once more; with one, two calls at once forward one event', async () => {
  const quiet = await aDomain(app.db, app.workspaceId, 'quiet.acme.example');
  await call({ method: 'POST', url: `/v1/domains/${quiet}/receiving/enable` });
  await deliver(reply('Quiet'), { to: 'x@quiet.acme.example' });
  const [mail] = await until('it to be read', async () => {
    const all = await stored();
    return all[0]?.status === 'read' ? all : undefined;
  });
  assert.equal((await call({ url: `/v1/inbound/${mail.id}` })).body.forward, null);
  const again = () => call({ method: 'POST', url: `/v1/inbound/${mail.id}/redeliver` });
  assert.equal((await again()).status, 409);
  assert.deepEqual(receiver.received, []);
  const body = { webhookUrl: receiver.url };
  await call({ method: 'PATCH', url: `/v1/domains/${quiet}/webhook`, body });
  const both = await Promise.all([again(), again()]);
  assert.deepEqual([both[0].status, both[0].body], [202, both[1].body], 'two at once forward one event');
});

test('a message that was begun three times is given up, and forwarded with its bytes', async () => {
  const id = await anInbound(app.db, app.workspaceId, { domainId, subject: 'Deadly' });
  await sql`update inbound_emails set read_at = null, tries = 3, next_try_at = now()
    where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  const { inbound } = await until('its event', async () =>
    receiver.received.map(({ raw }): Body => JSON.parse(raw)).find((event) => event.inbound?.id === id),
  );
  assert.match(inbound.parse_error, /given up after three/);
  assert.equal(inbound.text, null);
  const raw = await app.request({ url: inbound.raw_url.slice(app.settings.publicUrl.length), key: null });
  assert.match(raw.text, /^Subject: Deadly\r$/m);
});

const answerTo = (id: string, body: object, headers: Record<string, string> = {}) =>
  call({ url: `/v1/inbound/${id}/reply`, body, headers });
const sentBytes = (emailId: string): Promise<string> =>
  until('the answer to be captured', async () => {
    const { data } = (await call({ url: '/v1/captured-emails' })).body;
    const found = data.find((one: Body) => one.email_id === emailId);
    return found === undefined ? undefined : (await app.request({ url: `/v1/captured-emails/${found.id}/raw` })).text;
  });

test('202 for an answer in the conversation, from the address that was written to, once for a key', async () => {
  await deliver(reply('Question', 'References: <first@example.net>\nReply-To: Team <team@example.net>\n'));
  const { inbound } = await forwarded('Question');
  const key = { 'idempotency-key': 'answer-1' };
  const first = await answerTo(inbound.id, { text: 'You are welcome.' }, key);
  assert.partialDeepStrictEqual(first, {
    status: 202,
    body: { success: true, status: 'queued', threadId: inbound.thread_id },
  });
  assert.deepEqual((await answerTo(inbound.id, { text: 'You are welcome.' }, key)).body, first.body);
  const { reply_email_ids: replies } = (await call({ url: `/v1/inbound/${inbound.id}` })).body;
  assert.deepEqual(replies, [first.body.emailId]);
  const raw = (await sentBytes(first.body.emailId)).replace(/\r\n[ \t]+/g, ' ');
  assert.match(raw, /^From: support\+42@reply\.acme\.example\r$/m);
  assert.match(raw, /^To: Team <team@example\.net>\r$/m);
  assert.match(raw, /^Subject: Re: Question\r$/m);
  assert.match(raw, /^In-Reply-To: <Question@example\.net>\r$/m);
  assert.match(raw, /^References: <first@example\.net> <Question@example\.net>\r$/m);
  await deliver(reply('And again', `In-Reply-To: <${first.body.emailId}@reply.acme.example>\n`));
  const next = await forwarded('And again');
  assert.partialDeepStrictEqual(next.inbound, {
    thread_id: inbound.thread_id,
    in_reply_to_email_id: first.body.emailId,
    matched_by: 'in_reply_to',
  });
});

test('an id with other characters than a header may have is left out of an answer, which leaves', async () => {
  const references = 'References: <one@example.net> <two\u0001@example.net>\n';
  await deliver(reply('Odd references', references));
  await deliver(reply('Odd id').replace('<Oddid@', '<Odd\u0001id@'));
  const raws = [];
  for (const subject of ['Odd references', 'Odd id']) {
    const { body } = await answerTo((await forwarded(subject)).inbound.id, { text: 'Hello.' });
    raws.push((await sentBytes(body.emailId)).replace(/\r\n[ \t]+/g, ' '));
  }
  assert.match(raws[0] ?? '', /^References: <one@example\.net> <Oddreferences@example\.net>\r$/m);
  assert.doesNotMatch(raws[1] ?? '', /^(In-Reply-To|References):/m);
});

test('202 for answers beyond the limits of the key, which count /v1/send alone', async () => {
  const limits = { hourly: 1, daily: 1, monthly: 1 };
  const made = await call({ url: '/v1/api-keys', body: { name: 'one', scopes: ['emails:send'], limits } });
  await deliver(reply('Twice asked'));
  const { inbound } = await forwarded('Twice asked');
  for (const text of ['One.', 'Two.']) {
    const url = `/v1/inbound/${inbound.id}/reply`;
    const answered = await app.request({ url, body: { text }, key: made.body.key });
    assert.deepEqual([answered.status, answered.headers['x-ratelimit-limit']], [202, undefined]);
  }
});

test('409 for an answer to a program, and at the end of a row of five; a number that others wrote counts for nothing', async () => {
  await deliver(reply('Absent', 'Auto-Submitted: auto-replied\n'));
  const absent = await forwarded('Absent');
  const before = (await call({ url: '/v1/emails' })).body.total;
  assert.equal((await answerTo(absent.inbound.id, { text: 'x' })).status, 409);
  await deliver(reply('Row of five', `X-Posthorn-Hops: ${hopsValue(app.secrets, 5)}\n`));
  const row = await forwarded('Row of five');
  assert.equal((await answerTo(row.inbound.id, { text: 'x' })).status, 409);
  assert.equal((await call({ url: '/v1/emails' })).body.total, before, 'nothing was sent');
  await deliver(reply('Forged row', `X-Posthorn-Hops: 5 ${'0'.repeat(32)}\n`));
  const forged = await forwarded('Forged row');
  const { body } = await answerTo(forged.inbound.id, { text: 'x' });
  assert.match(await sentBytes(body.emailId), /^X-Posthorn-Hops: 1 [0-9a-f]{32}\r$/m);
});

test('400 without words or with a subject that is none, 422 from a domain that is not verified; nothing is sent', async () => {
  await deliver(reply('Refused'));
  const { inbound } = await forwarded('Refused');
  const before = (await call({ url: '/v1/emails' })).body.total;
  for (const body of [{}, { text: '' }, { text: 'x', from: 'nobody' }]) {
    assert.equal((await answerTo(inbound.id, body)).status, 400, JSON.stringify(body));
  }
  for (const [param, given] of [
    ['subject', { subject: 'Thanks\r\nBcc: eve@example.com' }],
    ['subject', { subject: ' ' }],
    ['html', { html: 'é'.repeat(1_048_577) }],
  ] as const) {
    const refused = await answerTo(inbound.id, { text: 'x', ...given });
    assert.deepEqual([refused.status, refused.body.param], [400, param], refused.body.message);
  }
  const foreign = await answerTo(inbound.id, { text: 'x', from: 'a@example.com' });
  assert.deepEqual([foreign.status, foreign.body.param], [422, 'from']);
  assert.equal((await call({ url: '/v1/emails' })).body.total, before);
});

const nested = (depth: number): string =>
  Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join('');
const hostile: Record<string, [raw: string, parseError: RegExp | null]> = {
  'a bomb of nested parts': [nested(500), /nested more than 50/],
  'a bomb of many parts': [
    `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\n'.repeat(5_000)}`,
    /more than 1000 parts/,
  ],
  'a header of 300 KB': [`Subject: ${'a'.repeat(300_000)}\n\nx`, /larger than 256 KB/],
  'no header': ['just words, and more of them\nand a line', null],
  'no words': ['Subject: empty\n', null],
  NUL: ['Subject: a\0b\nX: \0\n\nc\0d', null],
  '8-bit text that is no UTF-8': ['Subject: caf\xe9\nFrom: \xff <x@example.net>\n\n\xff\xfe', null],
  'broken addresses': ['From: <<<>>>,,;"\nTo: (((\nReply-To: @\nDate: never\nMessage-ID: <\n\nx', null],
};
for (const [what, [text, parseError]] of Object.entries(hostile))
  test(`${what}: stored, forwarded and given back unchanged`, async () => {
    const raw = Buffer.from(text.replace(/\n/g, '\r\n'), 'latin1');
    assert.match(await deliver(raw), /^250 /);
    const { inbound } = await until('its event', async () =>
      receiver.received.map(({ raw: body }): Body => JSON.parse(body)).at(0),
    );
    if (parseError === null) assert.equal(inbound.parse_error, null);
    else assert.match(inbound.parse_error, parseError);
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from inbound_messages
       where workspace_id = ${app.workspaceId} and inbound_id = ${inbound.id}`.execute(app.db);
    assert.deepEqual(rows[0]?.bytes, Buffer.concat([raw, Buffer.from('\r\n')]));
    assert.equal((await call({ url: `/v1/inbound/${inbound.id}` })).status, 200);
  });

test('mail for other domains is not relayed, and not stored', async () => {
  for (const address of ['ada@example.com', 'ada@acme.example', 'ada@x.reply.acme.example']) {
    assert.match(await deliver(reply('Relay'), { to: address }), /^550 5\.7\.1 /, address);
  }
  const off = await aDomain(app.db, app.workspaceId, 'off.acme.example');
  assert.match(await deliver(reply('Off'), { to: 'x@off.acme.example' }), /^550 /);
  await call({ method: 'POST', url: `/v1/domains/${off}/receiving/enable` });
  await call({ method: 'POST', url: `/v1/domains/${off}/receiving/disable` });
  assert.match(await deliver(reply('Off'), { to: 'x@off.acme.example' }), /^550 /);
  assert.deepEqual(await stored(), []);
});

test('451 while a domain is not verified, and the verified one of two workspaces gets the mail', async () => {
  const pending = await aDomain(app.db, app.workspaceId, 'pending.acme.example', { sendingEnabled: false });
  await call({ method: 'POST', url: `/v1/domains/${pending}/receiving/enable` });
  assert.match(await deliver(reply('Pending'), { to: 'x@pending.acme.example' }), /^451 /);
  assert.deepEqual(await stored(), []);
  const other = await aWorkspace(app.db);
  const theirs = await aDomain(app.db, other, 'pending.acme.example');
  await sql`update domains set receiving_enabled = true where workspace_id = ${other} and id = ${theirs}`.execute(
    app.db,
  );
  assert.match(await deliver(reply('Pending'), { to: 'x@pending.acme.example' }), /^250 /);
  assert.deepEqual(await stored(), [], 'not in this workspace');
  const { rows } = await sql`select id from inbound_emails where workspace_id = ${other}`.execute(app.db);
  assert.equal(rows.length, 1);
});

test('550 for a name that is verified elsewhere and does not receive there, whoever else added it', async () => {
  const ours = await aDomain(app.db, app.workspaceId, 'taken.acme.example', { sendingEnabled: false });
  await call({ method: 'POST', url: `/v1/domains/${ours}/receiving/enable` });
  const other = await aWorkspace(app.db);
  const theirs = await aDomain(app.db, other, 'taken.acme.example');
  await sql`insert into verified_domains (domain, workspace_id, domain_id)
    values ('taken.acme.example', ${other}, ${theirs})`.execute(app.db);
  assert.match(await deliver(reply('Taken'), { to: 'x@taken.acme.example' }), /^550 /);
  assert.deepEqual(await stored(), []);
});

test('452 when the room of a domain is taken, and what is stored stays', async () => {
  const large = (name: string): string => `Subject: ${name}\n\n${'x'.repeat(900_000)}`;
  for (const name of ['one', 'two', 'three']) assert.match(await deliver(large(name)), /^250 /);
  assert.match(await deliver(large('four')), /^452 4\.2\.2 /);
  assert.equal((await stored()).length, 3);
});

test('552 beyond the size of a message, 550 for a bare line end, 554 for a message that goes in circles', async () => {
  assert.match(await deliver(`Subject: x\n\n${'x'.repeat(1_100_000)}`), /^552 /);
  assert.match(await deliver(Buffer.from('Subject: x\r\n\r\nfirst\n.\nsecond\r\n')), /^550 5\.6\.0 /);
  assert.match(await deliver(Buffer.from('Subject: x\r\n\r\nfirst\rsecond\r\n')), /^550 5\.6\.0 /);
  const hops = (count: number): string => 'Received: from a by b; Fri, 20 Nov 2026 10:00:00 +0000\n'.repeat(count);
  assert.match(await deliver(`${hops(51)}Subject: loop\n\nx`), /^554 5\.4\.6 /);
  assert.deepEqual(await stored(), []);
  assert.match(await deliver(`${hops(50)}Subject: far\n\nx`), /^250 /);
});
