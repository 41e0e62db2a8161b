import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { RAW_MIMES, rawMime } from '../../../test/harness/raw-messages.ts';
import { connectRelay, type RelayClient, relayClient, signInTo } from '../../../test/harness/relay-client.ts';
import { forgetSenderDomains } from '#features/domains';
import { newId } from '#platform/ids.ts';

let api: TestApp;
const clients: RelayClient[] = [];
before(async () => {
  api = await createTestApp({ relay: true, env: { POSTHORN_SMTP_RELAY_PER_MINUTE: '60' } });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.destroy();
});
after(() => api.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
type Body = any;

const aKey = async (body: object = {}): Promise<Body> =>
  (await api.request({ url: '/v1/api-keys', body: { name: 'relay', scopes: ['emails:send'], ...body } })).body;
const keep = (client: RelayClient): RelayClient => {
  clients.push(client);
  return client;
};
const client = async (key?: string): Promise<RelayClient> =>
  keep(await relayClient(api.relayPort, key ?? (await aKey()).key));
const anonymous = async (): Promise<RelayClient> => keep(await connectRelay(api.relayPort));
const jobOf = (reply: string): string =>
  /^250 2\.0\.0 Queued as ([0-9a-f-]{36})$/.exec(reply)?.[1] ?? assert.fail(reply);
const emailsOf = async (jobId: string): Promise<Body[]> =>
  ((await api.request({ url: `/v1/send/${jobId}` })).body as Body).emails.data;
const emailCount = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from emails
    where workspace_id = ${api.workspaceId}`.execute(api.db);
  return rows[0]?.n ?? 0;
};
const otherDomain = async (domain: string): Promise<string> => {
  const id = newId();
  await sql`insert into domains (workspace_id, id, domain, sending_enabled, dkim_selector, dkim_status)
    values (${api.workspaceId}, ${id}, ${domain}, true, 'x', 'verified')`.execute(api.db);
  return id;
};
const message = (fields: readonly string[] = [], body = 'Hello\r\n'): Buffer => rawMime(body, { fields });
/** With an id of its own, so that it repeats no other. */
let made = 0;
const fresh = (fields: readonly string[] = [], body?: string): Buffer =>
  Buffer.from(
    message(fields, body)
      .toString('latin1')
      .replace('<4711@', `<${(made += 1)}@`),
    'latin1',
  );

test('250 names the job; each address of the envelope gets an email of its own, whoever stands in To', async () => {
  const one = await client();
  const jobId = jobOf(
    await one.send(fresh(['Bcc: eve@example.com']), ['ada@example.com', 'Bob@example.com', 'ADA@example.com']),
  );
  const emails = await emailsOf(jobId);
  assert.deepEqual(emails.map(({ to }) => to.toLowerCase()).toSorted(), ['ada@example.com', 'bob@example.com']);
  const { body } = await api.request({ url: `/v1/emails/${emails[0].id}` });
  assert.partialDeepStrictEqual(body, { source: 'relay', subject: 'Grüße', tags: [], metadata: {}, status: 'queued' });
});

test('the stored message is the given one, without the fields that steer it', async () => {
  const fields = [
    'X-Service-Tags: kind=receipt, plan=pro',
    'X-Service-Metadata: {"orderId":"42",',
    '  "name":"=?utf-8?Q?Gr=C3=BC=C3=9Fe?="}',
    'X-Service-Track-Opens: no',
    'X-Idempotency-Key: fields-1',
    'X-Own: stays',
  ];
  const jobId = jobOf(await (await client()).send(fresh(fields)));
  const [email] = await emailsOf(jobId);
  const { body } = await api.request({ url: `/v1/emails/${email.id}` });
  assert.partialDeepStrictEqual(body, {
    tags: [
      { name: 'kind', value: 'receipt' },
      { name: 'plan', value: 'pro' },
    ],
    metadata: { orderId: '42', name: 'Grüße' },
  });
  const { rows } = await sql<{ mime: Buffer }>`select mime from contents
    where workspace_id = ${api.workspaceId} order by id desc limit 1`.execute(api.db);
  const stored = rows[0]?.mime.toString('latin1') ?? '';
  assert.match(stored, /X-Own: stays/);
  assert.doesNotMatch(stored, /X-Service|X-Idempotency/);
});

test('550 5.7.1 for a sender domain that is not verified, in the envelope and in From', async () => {
  const before = await emailCount();
  const one = await client();
  assert.match(
    await one.send(fresh(), ['ada@example.com'], 'a@acme.example'),
    /^550 5\.7\.1 The domain acme\.example is not verified/,
  );
  const foreign = Buffer.from(
    fresh().toString('latin1').replace('hello@posthorn.test', 'hello@acme.example'),
    'latin1',
  );
  assert.match(await one.send(foreign), /^550 5\.7\.1 The domain acme\.example is not verified/);
  jobOf(await one.send(fresh(), ['ada@example.com'], ''));
  assert.equal(await emailCount(), before + 1);
});

test('550 5.7.1 for a Sender or a Resent field of a domain that is not verified; 554 when it is not one mailbox', async () => {
  const before = await emailCount();
  const one = await client();
  for (const name of ['Sender', 'Resent-From', 'RESENT-SENDER']) {
    const foreign = await one.send(fresh([`${name}: "hello@posthorn.test" <eve@acme.example>`]));
    assert.match(foreign, /^550 5\.7\.1 The domain acme\.example is not verified/, name);
    for (const value of ['a@posthorn.test, b@posthorn.test', 'root', ''])
      assert.match(
        await one.send(fresh([`${name}: ${value}`])),
        new RegExp(`^554 5\\.6\\.0 The ${name} field`, 'i'),
        name,
      );
  }
  assert.match(
    await one.send(fresh(['Resent-From: a@posthorn.test', 'Resent-From: b@acme.example'])),
    /^550 5\.7\.1 The domain acme\.example/,
  );
  assert.equal(await emailCount(), before);
  jobOf(await one.send(fresh(['Sender: Robot <robot@posthorn.test>', 'Resent-From: <b@POSTHORN.test>'])));
  await otherDomain('sender.test');
  const { rows } = await sql<{ id: string }>`select id from domains
    where workspace_id = ${api.workspaceId} and domain = 'posthorn.test'`.execute(api.db);
  const limited = await client((await aKey({ domain_ids: [rows[0]?.id] })).key);
  assert.match(
    await limited.send(fresh(['Sender: a@sender.test'])),
    /^550 5\.7\.1 This key may not send from sender\.test/,
  );
});

test('550 5.7.1 for a key that is limited to other domains', async () => {
  const id = await otherDomain('other.test');
  const one = await client((await aKey({ domain_ids: [id] })).key);
  assert.match(await one.send(fresh()), /^550 5\.7\.1 This key may not send from posthorn\.test/);
  assert.match(
    await one.send(fresh(), ['ada@example.com'], ''),
    /^550 5\.7\.1 This key may not send from posthorn\.test/,
  );
});

test('535 5.7.8 for a wrong key, a missing scope, a wrong network, a revoked key', async () => {
  const one = await anonymous();
  assert.equal(
    await signInTo(one, 'ph_live_00000000000000000000000000000000000000'),
    '535 5.7.8 The API key is not valid.',
  );
  assert.match(
    await signInTo(one, (await aKey({ scopes: ['emails:read'] })).key),
    /^535 5\.7\.8 This key needs the scope "emails:send"/,
  );
  const elsewhere = await aKey({ allowed_ips: ['203.0.113.0/24'] });
  assert.match(await signInTo(one, elsewhere.key), /^535 5\.7\.8 .*may not be used from 127\.0\.0\.1/);
  const revoked = await aKey();
  await api.request({ method: 'DELETE', url: `/v1/api-keys/${revoked.id}` });
  assert.match(await signInTo(one, revoked.key), /^535 5\.7\.8 This API key is revoked/);
});

test('a key that is revoked while a client is signed in sends nothing more', async () => {
  const key = await aKey();
  const one = await client(key.key);
  jobOf(await one.send(fresh()));
  await api.request({ method: 'DELETE', url: `/v1/api-keys/${key.id}` });
  assert.match(await one.send(fresh()), /^535 5\.7\.8 This API key is revoked/);
});

test('554 5.6.0 for a message that cannot leave as it is, with the reason', async () => {
  const one = await client();
  for (const [body, reason] of [
    ['a bare\nline\r\n', 'bare LF'],
    ['a bare\rreturn\r\n', 'bare CR'],
    ['a NUL \0\r\n', 'a NUL'],
    [`${'x'.repeat(999)}\r\n`, 'longer than 998'],
  ] as const)
    assert.match(await one.send(fresh([], body)), new RegExp(`^554 5\\.6\\.0 .*${reason}`));
  for (const [fields, reason] of [
    [['From: Eve <eve@posthorn.test>'], 'more than one From'],
    [['not a field'], 'not a field'],
    [[`Subject: again`], '2 subject'],
    [['X-Raw: \xe9'], 'above 127'],
    [Array.from({ length: 51 }, () => 'Received: from a by b; now'), 'loop'],
  ] as const)
    assert.match(await one.send(fresh(fields)), new RegExp(`^554 5\\.6\\.0 .*${reason}`));
  assert.match(await one.send('Sender: hello@posthorn.test\r\n\r\nx'), /^554 5\.6\.0 .*no From/);
  assert.match(await one.send('no header'), /^554 5\.6\.0/);
});

for (const end of [
  '\n.\n',
  '\n.\r',
  '\r.\n',
  '\r.\r',
  '\n.\r\n',
  '\r.\r\n',
  '\r\n.\r\r\n',
  '\r\r\n.\r\r\n',
  '\r\n\0.\r\n',
])
  test(`no second message is smuggled in behind ${JSON.stringify(end)}: all of it is refused`, async () => {
    const before = await emailCount();
    const one = await client();
    for (const line of ['MAIL FROM:<hello@posthorn.test>', 'RCPT TO:<ada@example.com>', 'DATA']) await one.say(line);
    const inner = 'MAIL FROM:<hello@posthorn.test>\r\nRCPT TO:<eve@example.com>\r\nDATA\r\n';
    const second = `${inner}${fresh().toString('latin1')}`;
    const answer = await one.say(Buffer.from(`${fresh().toString('latin1')}${end}${second}\r\n.\r\n`, 'latin1'));
    assert.match(answer, /^554 5\.6\.0/);
    assert.equal(await emailCount(), before);
  });

test('554 for fields that are not known, not readable or ask for what a message cannot have, and nothing is sent', async () => {
  const before = await emailCount();
  const one = await client();
  for (const [field, reply] of [
    ['X-Service-Tag: kind=receipt', '554 5\\.6\\.0 X-Service-Tag is not known; the fields are X-Service-Tags'],
    ['X-Service-Track-Clicks: perhaps', '554 5\\.6\\.0 X-Service-Track-Clicks must be yes or no'],
    ['X-Service-Tags: receipt', '554 5\\.6\\.0 X-Service-Tags must be name=value'],
    ['X-Service-Metadata: [1]', '554 5\\.6\\.0 X-Service-Metadata must be a JSON object'],
    ['X-Service-Metadata: {"a":', '554 5\\.6\\.0 X-Service-Metadata: it is not valid JSON'],
    ['X-Idempotency-Key: two words', '554 5\\.6\\.0 X-Idempotency-Key must be'],
    ['X-Idempotency-Key: a\r\nX-Idempotency-Key: b', '554 5\\.6\\.0 X-Idempotency-Key stands more than once'],
  ] as const)
    assert.match(await one.send(fresh([field])), new RegExp(`^${reply}`), field);
  assert.equal(await emailCount(), before);
});

test('a message is tracked as its workspace has set or as its fields say, if its html may be changed', async () => {
  const one = await client();
  const html = (fields: readonly string[] = [], type = 'text/html'): Buffer =>
    Buffer.from(fresh(fields, '<p>Hi</p>\r\n').toString('latin1').replace('text/plain; charset=utf-8', type), 'latin1');
  const tracked = async (mime: Buffer): Promise<[boolean, boolean]> => {
    const jobId = jobOf(await one.send(mime));
    const { rows } = await sql<{ opens: boolean; clicks: boolean }>`
      select c.track_opens as opens, c.track_clicks as clicks from contents c
        join send_requests s on s.workspace_id = c.workspace_id and s.content_id = c.id
       where s.workspace_id = ${api.workspaceId} and s.id = ${jobId}`.execute(api.db);
    return [rows[0]?.opens === true, rows[0]?.clicks === true];
  };
  const set = async (opens: boolean): Promise<void> => {
    await sql`update workspaces set track_opens = ${opens} where id = ${api.workspaceId}`.execute(api.db);
    forgetSenderDomains(api.workspaceId);
  };
  assert.deepEqual(await tracked(html()), [false, false]);
  assert.deepEqual(await tracked(html(['X-Service-Track-Opens: yes', 'X-Service-Track-Clicks: on'])), [true, true]);
  assert.deepEqual(await tracked(fresh(['X-Service-Track-Opens: yes'])), [false, false], 'there is no html');
  await set(true);
  assert.deepEqual(await tracked(html()), [true, false]);
  assert.deepEqual(await tracked(html(['X-Service-Track-Opens: no'])), [false, false]);
  assert.deepEqual(await tracked(html([], 'text/html; charset=windows-1252')), [true, false]);
  assert.deepEqual(await tracked(html([], 'text/html; charset=shift_jis')), [false, false]);
  const signed = ['DKIM-Signature: v=1; b=A'];
  assert.deepEqual(await tracked(html(signed)), [false, false]);
  const before = await emailCount();
  assert.match(
    await one.send(html([...signed, 'X-Service-Track-Clicks: yes'])),
    /^554 5\.3\.3 X-Service-Track-Clicks: the message cannot be tracked, because it has a signature of another server/,
  );
  assert.equal(await emailCount(), before);
  await set(false);
});

test('the same bytes for the same addresses are one message, also on another connection', async () => {
  const key = (await aKey()).key;
  const mime = fresh();
  const first = jobOf(await (await client(key)).send(mime));
  assert.equal(jobOf(await (await client(key)).send(mime)), first);
  assert.notEqual(jobOf(await (await client(key)).send(mime, ['bob@example.com'])), first);
  assert.equal((await emailsOf(first)).length, 1);
});

test('the same message on many connections at once is one, and a repetition is its answer again or told to wait', async () => {
  const { key } = await aKey();
  const connections = await Promise.all(Array.from({ length: 12 }, () => client(key)));
  const before = await emailCount();
  const [mime, other] = [fresh(), fresh()];
  const replies = await Promise.all(connections.map((one, place) => one.send(place < 10 ? mime : other)));
  const jobsOf = (some: readonly string[]): Set<string> =>
    new Set(some.filter((reply) => !reply.startsWith('451 4.3.0 This message is being taken')).map(jobOf));
  assert.equal(jobsOf(replies.slice(0, 10)).size, 1);
  assert.equal(jobsOf(replies.slice(10)).size, 1);
  assert.equal(await emailCount(), before + 2);
});

test('the same X-Idempotency-Key is one message though Date and boundary differ; 554 with another recipient', async () => {
  const one = await client();
  const field = ['X-Idempotency-Key: order-42'];
  const first = jobOf(await one.send(fresh(field, 'first\r\n')));
  assert.equal(jobOf(await one.send(fresh(field, 'again\r\n'))), first);
  assert.match(await one.send(fresh(field), ['bob@example.com']), /^554 5\.6\.0 X-Idempotency-Key was used/);
});

test('a suppressed address is accepted and gets a reject event', async () => {
  await api.request({ url: '/v1/suppressions', body: { email: 'gone@example.com' } });
  const jobId = jobOf(await (await client()).send(fresh(), ['gone@example.com', 'ada@example.com']));
  const emails = await emailsOf(jobId);
  assert.deepEqual(emails.map(({ to, status }) => [to, status]).toSorted(), [
    ['ada@example.com', 'queued'],
    ['gone@example.com', 'suppressed'],
  ]);
});

test('452 4.3.1 at the cap of a domain, with the time at which it resets', async () => {
  await sql`update domains set max_daily_emails = 0 where workspace_id = ${api.workspaceId}`.execute(api.db);
  forgetSenderDomains(api.workspaceId);
  const reply = await (await client()).send(fresh());
  await sql`update domains set max_daily_emails = null where workspace_id = ${api.workspaceId}`.execute(api.db);
  forgetSenderDomains(api.workspaceId);
  assert.match(reply, /^452 4\.3\.1 daily limit of 0 reached for posthorn\.test; resets \d{4}-/);
});

test('451 4.7.1 for a key that floods; other keys go on', async () => {
  const one = await client();
  for (let n = 0; n < 60; n += 1) {
    assert.match(await one.say('MAIL FROM:<>'), /^250/);
    await one.say('RSET');
  }
  assert.match(await one.say('MAIL FROM:<>'), /^451 4\.7\.1 More than 60 messages a minute/);
  assert.match(await (await client()).say('MAIL FROM:<>'), /^250/);
});

test('a test key reaches nobody', async () => {
  const jobId = jobOf(await (await client((await aKey({ mode: 'test' })).key)).send(fresh()));
  const { rows } = await sql<{ sandbox: boolean }>`select sandbox from emails
    where workspace_id = ${api.workspaceId} and send_id = ${jobId}`.execute(api.db);
  assert.deepEqual(rows, [{ sandbox: true }]);
});

test('a message with its own bytes of every kind is taken', async () => {
  const one = await client();
  for (const [name, mime] of Object.entries(RAW_MIMES)) {
    const own = Buffer.from(mime.toString('latin1').replace('<4711@', `<${(made += 1)}@`), 'latin1');
    jobOf(await one.send(own));
    const { rows } = await sql<{ mime: Buffer }>`select mime from contents
      where workspace_id = ${api.workspaceId} order by id desc limit 1`.execute(api.db);
    assert.ok(rows[0]?.mime.equals(own), name);
  }
});

test('200 with the sessions: the reasons of refusals, without keys and addresses', async () => {
  const key = await aKey({ name: 'shop' });
  const one = await client(key.key);
  const jobId = jobOf(await one.send(fresh()));
  await one.send(fresh(), ['ada@example.com'], 'a@acme.example');
  await one.say('RCPT TO:<nobody@@example.com>');
  const list = async (query: string): Promise<Body[]> =>
    ((await api.request({ url: `/v1/relay/sessions${query}` })).body as Body).data;
  const [session] = await list('?outcome=refused&limit=1');
  const { id: _id, started_at: _start, refusals, ...rest } = session;
  assert.deepEqual(rest, {
    outcome: 'refused',
    ended_at: null,
    ip: '127.0.0.1',
    tls: null,
    client_name: 'client.example',
    api_key: { id: key.id, name: 'shop' },
    accepted: 1,
    refused: 2,
    job_ids: [jobId],
  });
  assert.deepEqual(
    refusals.map(({ stage, code, status }: Body) => [stage, code, status]),
    [
      ['MAIL', 550, '5.7.1'],
      ['RCPT', 501, '5.1.3'],
    ],
  );
  const noScope = await aKey({ scopes: ['emails:read'] });
  await signInTo(await anonymous(), noScope.key);
  const [refused] = await list('?limit=1');
  assert.partialDeepStrictEqual(refused, { refusals: [{ stage: 'AUTH', code: 535 }], api_key: { id: noScope.id } });
  assert.deepEqual(await list(`?since=${new Date(Date.now() + 60_000).toISOString()}`), []);
  assert.ok((await list('?outcome=accepted')).every(({ outcome }) => outcome === 'accepted'));
});

test('200 with a session that has signed in and sent nothing yet', async () => {
  const key = await aKey({ name: 'only signs in' });
  const one = await client(key.key);
  const last = async (): Promise<Body> =>
    ((await api.request({ url: '/v1/relay/sessions?limit=1' })).body as Body).data[0];
  const signedIn = await last();
  assert.partialDeepStrictEqual(signedIn, { outcome: 'accepted', accepted: 0, refused: 0, api_key: { id: key.id } });
  const jobId = jobOf(await one.send(fresh()));
  assert.partialDeepStrictEqual(await last(), { id: signedIn.id, accepted: 1, job_ids: [jobId] });
});

test('400 for an outcome or a time that is none', async () => {
  for (const query of ['outcome=lost', 'since=yesterday'])
    assert.equal((await api.request({ url: `/v1/relay/sessions?${query}` })).status, 400);
});

test('a wrong key belongs to nobody: it is counted by address, for the operator, without its text', async () => {
  const guess = 'ph_live_11111111111111111111111111111111111111';
  await signInTo(await anonymous(), guess);
  const { body, text } = await api.request({ url: '/v1/relay/wrong-logins' });
  const [one] = (body as Body).data;
  assert.equal(one.ip, '127.0.0.1');
  assert.ok(one.attempts >= 1);
  assert.doesNotMatch(text, /1111111/);
  assert.equal((await api.request({ url: '/v1/relay/wrong-logins', key: (await aKey()).key })).status, 403);
});
