import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { addSuppression } from '#features/suppressions';
import { aDomain, aWorkspace } from '../../../../test/harness/builders.ts';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
// Every statement of this file, counted on its way to the server; from before the first connection.
const query = mock.method(pg.Client.prototype, 'query');
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

const simple = { from: 'Acme <hello@posthorn.test>', to: ['ada@example.com'], subject: 'Receipt', html: '<p>Hi</p>' };
const send = (body: object, more: { token?: string; headers?: Record<string, string>; query?: string } = {}) =>
  api.call({
    method: 'POST',
    url: `/v1/send${more.query ?? ''}`,
    body,
    ...(more.token === undefined ? {} : { token: more.token }),
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('a send tracks what it sets, else what its workspace sets; a dry run shows the html as given', async () => {
  await sql`update workspaces set track_opens = true, track_clicks = true where id = ${api.workspaceId}`.execute(
    api.t.db,
  );
  // Domains nobody has looked up yet: what is known of one is up to a second old.
  const from = async (name: string): Promise<string> => {
    await aDomain(api.t.db, api.workspaceId, name);
    return `hello@${name}`;
  };
  const stored = async (jobId: string) => {
    const { rows } = await sql<{ opens: boolean; clicks: boolean }>`
      select c.track_opens as opens, c.track_clicks as clicks from send_requests r
        join contents c on c.workspace_id = r.workspace_id and c.id = r.content_id
       where r.workspace_id = ${api.workspaceId} and r.id = ${jobId}`.execute(api.t.db);
    return [rows[0]?.opens, rows[0]?.clicks];
  };
  const on = { ...simple, from: await from('tracked.example') };
  assert.deepEqual(await stored((await send(on)).body.jobId), [true, true]);
  assert.deepEqual(await stored((await send({ ...on, trackOpens: false })).body.jobId), [false, true]);
  assert.deepEqual(await stored((await send({ ...on, trackOpens: true, trackClicks: false })).body.jobId), [
    true,
    false,
  ]);
  const batch = await api.call({ method: 'POST', url: '/v1/batch', body: [on, { ...on, trackClicks: false }] });
  assert.deepEqual(await stored(batch.body.results[0].jobId), [true, true]);
  assert.deepEqual(await stored(batch.body.results[1].jobId), [true, false]);
  const dry = await send({ ...on, html: '<a href="https://example.com/">x</a>' }, { query: '?dryRun=true' });
  assert.equal(dry.body.rendered.html, '<a href="https://example.com/">x</a>');

  await sql`update workspaces set track_opens = false, track_clicks = false where id = ${api.workspaceId}`.execute(
    api.t.db,
  );
  const off = { ...simple, from: await from('untracked.example') };
  assert.deepEqual(await stored((await send(off)).body.jobId), [false, false]);
  assert.deepEqual(await stored((await send({ ...off, trackOpens: true })).body.jobId), [true, false]);
});

test('202 with one private email per address, collapsed by identity, stored before the answer', async () => {
  const { status, body } = await send({
    ...simple,
    to: ['Ada@Example.com', 'Bob <bob@example.com>', 'ada@EXAMPLE.com'],
    replyTo: 'support@acme.example',
    headers: { 'X-Entity-Ref-ID': '42' },
    tags: [{ name: 'kind', value: 'receipt' }],
    metadata: { orderId: '42', 'a.b$': null, '': 1 },
  });
  assert.equal(status, 202);
  const { jobId, emails, estimatedCompletionAt, ...rest } = body;
  assert.deepEqual(rest, { success: true, status: 'queued', accepted: 2, suppressed: 0, message: 'Queued' });
  assert.match(jobId, UUID);
  assert.match(estimatedCompletionAt, INSTANT);
  assert.deepEqual(
    emails.map(({ to, status: state }: { to: string; status: string }) => ({ to, status: state })),
    [
      { to: 'ada@example.com', status: 'queued' },
      { to: 'bob@example.com', status: 'queued' },
    ],
  );
  const { rows } = await sql<Record<string, unknown>>`
    select e.id, e.recipient, e.recipient_typed, e.recipient_name, e.grouped, e.sandbox, c.reply_to, c.headers, c.tags,
           c.metadata, c.from_name, c.text
      from emails e join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     where e.workspace_id = ${api.workspaceId} and e.send_id = ${jobId} order by e.id`.execute(api.t.db);
  assert.deepEqual(rows, [
    {
      id: emails[0].id,
      recipient: 'ada@example.com',
      recipient_typed: 'Ada@example.com',
      recipient_name: null,
      grouped: null,
      sandbox: false,
      reply_to: [{ address: 'support@acme.example', name: null }],
      headers: { 'X-Entity-Ref-ID': '42' },
      tags: [{ name: 'kind', value: 'receipt' }],
      metadata: { orderId: '42', 'a.b$': null, '': 1 },
      from_name: 'Acme',
      text: null,
    },
    { ...rows[1], recipient: 'bob@example.com', recipient_typed: 'bob@example.com', recipient_name: 'Bob' },
  ]);
});

test('202 at the second path too, where to is a string', async () => {
  const { status, body } = await api.call({
    method: 'POST',
    url: '/api/v1/email/send',
    body: { ...simple, to: 'ada@example.com' },
  });
  assert.equal(status, 202);
  assert.equal(body.emails.length, 1);
});

test('202 with one message to a group, whose blind copies are only in the envelope list', async () => {
  const { status, body } = await send({
    ...simple,
    to: ['ada@example.com', 'bob@example.com'],
    cc: ['Carol <carol@example.com>', 'ADA@example.com'],
    bcc: 'dan@example.com',
  });
  assert.equal(status, 202);
  assert.equal(body.emails.length, 1);
  const { rows } = await sql<{ grouped: unknown; cost: number }>`
    select grouped, cost from emails where workspace_id = ${api.workspaceId} and id = ${body.emails[0].id}`.execute(
    api.t.db,
  );
  assert.deepEqual(rows[0], {
    cost: 4,
    grouped: {
      to: [
        { address: 'ada@example.com', name: null },
        { address: 'bob@example.com', name: null },
      ],
      cc: [{ address: 'carol@example.com', name: 'Carol' }],
      bcc: [{ address: 'dan@example.com', name: null }],
    },
  });
});

test('202 lists the first 100 of 1,000 recipients', async () => {
  const to = Array.from({ length: 1_000 }, (_, n) => `user${n}@example.com`);
  const { status, body } = await send({ ...simple, to });
  assert.equal(status, 202);
  assert.equal(body.accepted, 1_000);
  assert.equal(body.emails.length, 100);
});

test('202 skips suppressed recipients with a reject event; all suppressed is 202 suppressed', async () => {
  await addSuppression(
    { db: api.t.db, workspaceId: api.workspaceId },
    { identity: 'gone@example.com', reason: 'hard_bounce' },
  );
  const some = await send({ ...simple, to: ['Gone@example.com', 'here@example.com'] });
  assert.deepEqual(
    { status: some.body.status, accepted: some.body.accepted, suppressed: some.body.suppressed },
    { status: 'queued', accepted: 1, suppressed: 1 },
  );
  assert.equal(some.body.emails[0].status, 'suppressed');
  const { rows } = await sql<{ type: string; data: unknown }>`
    select type, event_data as data from email_events
     where workspace_id = ${api.workspaceId} and email_id = ${some.body.emails[0].id}`.execute(api.t.db);
  assert.deepEqual(rows, [{ type: 'reject', data: { reject: { reason: 'suppressed' } } }]);
  const all = await send({ ...simple, to: 'gone@example.com' });
  assert.equal(all.status, 202);
  assert.deepEqual(
    { status: all.body.status, accepted: all.body.accepted, estimate: all.body.estimatedCompletionAt },
    { status: 'suppressed', accepted: 0, estimate: null },
  );
});

test('202 names the suppressed addresses of a group, alone, with a key and in a batch', async () => {
  for (const name of ['left-1', 'left-2']) {
    await addSuppression(
      { db: api.t.db, workspaceId: api.workspaceId },
      { identity: `${name}@example.com`, reason: 'manual' },
    );
  }
  const some = { ...simple, to: ['Left-1@example.com', 'ada@example.com'], cc: ['left-2@example.com'] };
  const all = { ...simple, to: ['left-1@example.com'], bcc: ['left-2@example.com'] };
  const suppressed = ['left-1@example.com', 'left-2@example.com'];
  for (const headers of [{}, { 'idempotency-key': 'left-out' }]) {
    const { body } = await send(some, { headers });
    assert.deepEqual([body.status, body.accepted, body.suppressed], ['queued', 1, 2]);
    assert.deepEqual(body.emails, [{ id: body.emails[0].id, to: 'left-1@example.com', status: 'queued', suppressed }]);
  }
  const { body: nobody } = await send(all);
  assert.deepEqual([nobody.status, nobody.accepted, nobody.suppressed], ['suppressed', 0, 2]);
  const { body: free } = await send({ ...simple, cc: 'bob@example.com' });
  assert.deepEqual([free.suppressed, free.emails[0].suppressed], [0, undefined]);
  const { body: batch } = await api.call({
    method: 'POST',
    url: '/v1/batch',
    body: [some, { ...simple, cc: 'bob@example.com' }, simple, all],
  });
  assert.deepEqual(
    batch.results.map(({ status, emails }: { status: string; emails: { suppressed?: string[] }[] }) => [
      status,
      emails[0]?.suppressed,
    ]),
    [
      ['queued', suppressed],
      ['queued', undefined],
      ['queued', undefined],
      ['suppressed', suppressed],
    ],
  );
});

test('202 from a test key, or with sandbox, marks the emails as never to be delivered', async () => {
  const testKey = await api.caller({ mode: 'test' });
  for (const answer of [await send(simple, { token: testKey }), await send({ ...simple, sandbox: true })]) {
    const { rows } = await sql<{ sandbox: boolean }>`
      select sandbox from emails where workspace_id = ${api.workspaceId} and id = ${answer.body.emails[0].id}`.execute(
      api.t.db,
    );
    assert.deepEqual(rows, [{ sandbox: true }]);
  }
});

test('202 names unknown fields in a header and in warnings', async () => {
  const { status, headers, body } = await send({ ...simple, zebra: 'x@example.com', ox: [] });
  assert.equal(status, 202);
  assert.equal(headers['x-unknown-fields'], 'zebra,ox');
  assert.deepEqual(body.warnings, ['zebra is unknown and was ignored.', 'ox is unknown and was ignored.']);
});

test('202 stores attachments decoded; one with a contentId is inline', async () => {
  const { body } = await send({
    ...simple,
    attachments: [
      { filename: '../r.pdf', content: Buffer.from('%PDF-').toString('base64'), contentType: 'application/pdf' },
      { filename: 'logo.png', content: 'AAEC', contentId: 'logo' },
    ],
  });
  const { rows } = await sql<Record<string, unknown>>`
    select a.filename, a.content_type, a.cid, a.disposition, a.body from attachments a
      join emails e on e.workspace_id = a.workspace_id and e.content_id = a.content_id
     where a.workspace_id = ${api.workspaceId} and e.id = ${body.emails[0].id} order by a.position`.execute(api.t.db);
  assert.deepEqual(rows, [
    {
      filename: 'r.pdf',
      content_type: 'application/pdf',
      cid: null,
      disposition: 'attachment',
      body: Buffer.from('%PDF-'),
    },
    {
      filename: 'logo.png',
      content_type: 'image/png',
      cid: 'logo',
      disposition: 'inline',
      body: Buffer.from([0, 1, 2]),
    },
  ]);
});

test('202 with a preheader changes only the place it stands at; without one not a byte', async () => {
  const html = '<html><!-- <body> --><body class="a>b"><p>Hi</p></body></html>';
  const stored = async (body: object) => {
    const answer = await send({ ...simple, html, ...body });
    const { rows } = await sql<{ html: string; text: string | null }>`
      select c.html, c.text from contents c join emails e on e.workspace_id = c.workspace_id and e.content_id = c.id
       where c.workspace_id = ${api.workspaceId} and e.id = ${answer.body.emails[0].id}`.execute(api.t.db);
    return rows[0];
  };
  assert.deepEqual(await stored({}), { html, text: null });
  assert.deepEqual(await stored({ preheader: '' }), { html, text: null });
  const withOne = await stored({ preheader: 'Order <42>' });
  assert.equal(withOne?.html.replace(/<div style="display:none.*?<\/div>/, ''), html);
  assert.match(withOne?.html ?? '', /<body class="a>b"><div style="display:none[^>]*>Order &lt;42&gt;/);
  assert.equal(withOne?.text, 'Hi');
});

test('200 for a dry run, which stores, sends and counts nothing', async () => {
  const before = await countStored(api.t);
  const { status, body } = await send(
    { ...simple, to: ['ada@example.com', 'ADA@example.com', 'gone@example.com'], html: '<p>Hi <b>there</b></p>' },
    { query: '?dryRun=true' },
  );
  assert.equal(status, 200);
  assert.deepEqual(body, {
    ok: true,
    emails: [
      { to: 'ada@example.com', decision: 'send', reason: null },
      {
        to: 'gone@example.com',
        decision: 'suppressed',
        reason: 'The address is on the suppression list of this workspace.',
      },
    ],
    rendered: { subject: 'Receipt', html: '<p>Hi <b>there</b></p>', text: 'Hi there' },
    warnings: ['1 duplicate address(es) were collapsed.'],
  });
  assert.deepEqual(await countStored(api.t), before);
});

test('400 for a dry run with an Idempotency-Key: its answer must never stand in for a real send', async () => {
  const headers = { 'idempotency-key': 'dry' };
  const { status, body } = await send(simple, { query: '?dryRun=true', headers });
  assert.equal(status, 400);
  assert.equal(body.param, 'Idempotency-Key');
  assert.equal((await send(simple, { headers })).status, 202);
});

test('202 replayed for the same Idempotency-Key, 409 for another body, 400 for a malformed key', async () => {
  const headers = { 'idempotency-key': 'order-42' };
  const first = await send(simple, { headers });
  const before = await countStored(api.t);
  const again = await send({ ...simple }, { headers });
  assert.equal(again.status, 202);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  const other = await send({ ...simple, subject: 'Other' }, { headers });
  assert.deepEqual(
    { status: other.status, name: other.body.name, param: other.body.param },
    {
      status: 409,
      name: 'conflict_error',
      param: 'Idempotency-Key',
    },
  );
  assert.equal((await send(simple, { headers: { 'idempotency-key': 'a b' } })).status, 400);
  assert.deepEqual(await countStored(api.t), before);
});

test('202 once of 50 parallel requests with one Idempotency-Key; the others replay it or are told to wait', async () => {
  const before = await countStored(api.t);
  const headers = { 'idempotency-key': 'parallel-1' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(simple, { headers })));
  const accepted = answers.filter((answer) => answer.status === 202);
  const waiting = answers.filter((answer) => answer.status === 409);
  assert.equal(accepted.length + waiting.length, 50);
  assert.equal(new Set(accepted.map((answer) => answer.body.jobId)).size, 1);
  for (const answer of waiting) assert.equal(answer.headers['retry-after'], '1');
  const after = await countStored(api.t);
  assert.deepEqual(
    { sends: after['sends'], emails: after['emails'] },
    {
      sends: (before['sends'] ?? 0) + 1,
      emails: (before['emails'] ?? 0) + 1,
    },
  );
});

test('403 without the scope, and for a key that is restricted to other domains', async () => {
  const reader = await api.caller({ scopes: ['emails:read'] });
  const refused = await send(simple, { token: reader });
  assert.equal(refused.status, 403);
  assert.equal(refused.body.message, 'This key needs the scope "emails:send".');
  const domainId = await aDomain(api.t.db, api.workspaceId, 'acme.example');
  const bound = await api.caller({ domainIds: [domainId] });
  const wrong = await send(simple, { token: bound });
  assert.deepEqual(
    { status: wrong.status, name: wrong.body.name, param: wrong.body.param },
    {
      status: 403,
      name: 'permission_error',
      param: 'from',
    },
  );
  assert.equal((await send({ ...simple, from: 'a@acme.example' }, { token: bound })).status, 202);
});

test('403 while sending is paused for the workspace, and nothing is stored', async () => {
  const workspaceId = await aWorkspace(api.t.db, { status: 'paused' });
  await aDomain(api.t.db, workspaceId, 'resting.example');
  const token = await api.caller({ workspaceId });
  const before = await countStored(api.t);
  const { status, body } = await send({ ...simple, from: 'a@resting.example' }, { token });
  assert.deepEqual({ status, name: body.name }, { status: 403, name: 'permission_error' });
  assert.deepEqual(await countStored(api.t), before);
});

test('403 when the cap of the domain has no room for the whole request', async () => {
  await aDomain(api.t.db, api.workspaceId, 'capped.example', { daily: 2 });
  const body = { ...simple, from: 'a@capped.example' };
  assert.equal((await send(body)).status, 202);
  const before = await countStored(api.t);
  const refused = await send({ ...body, to: ['ada@example.com', 'bob@example.com'] });
  assert.equal(refused.status, 403);
  assert.match(
    refused.body.message,
    /^daily limit of 2 reached for capped\.example; resets \d{4}-\d\d-\d\dT00:00:00Z$/,
  );
  assert.equal(refused.body.param, 'from');
  const dry = await send({ ...body, to: ['ada@example.com', 'bob@example.com'] }, { query: '?dryRun=true' });
  assert.deepEqual(
    dry.body.emails.map((email: { decision: string }) => email.decision),
    ['capped', 'capped'],
  );
  assert.deepEqual(await countStored(api.t), before);
});

test('202 at the cap for addresses that are suppressed: they take no place, alone, in a group and with a key', async () => {
  const domainId = await aDomain(api.t.db, api.workspaceId, 'exact.example', { daily: 6 });
  await sql`insert into suppressions (workspace_id, id, email, reason)
    select ${api.workspaceId}, gen_random_uuid(), x || '@example.com', 'manual' from unnest('{moved-1,moved-2}'::text[]) x`.execute(
    api.t.db,
  );
  const used = async () => {
    const { rows } = await sql<{ used: number }>`select used from usage_windows
      where workspace_id = ${api.workspaceId} and subject_id = ${domainId}`.execute(api.t.db);
    return rows[0]?.used;
  };
  const from = 'a@exact.example';
  const [two, suppressed] = [
    ['ada@example.com', 'bob@example.com'],
    ['moved-1@example.com', 'moved-2@example.com'],
  ];
  const body = { ...simple, from, to: [...two, ...suppressed] };
  assert.equal((await send(body)).status, 202);
  assert.equal(await used(), 2);
  assert.equal(
    (await send({ ...body, to: two, cc: suppressed }, { headers: { 'idempotency-key': 'exact' } })).status,
    202,
  );
  assert.equal(await used(), 4);
  const dry = await send(body, { query: '?dryRun=true' });
  assert.deepEqual([dry.body.emails[0].decision, dry.body.emails[3].decision], ['send', 'suppressed']);
  const together = await Promise.all([send(body), send(body), send({ ...body, to: suppressed })]);
  assert.deepEqual(together.map(({ status }) => status).toSorted(), [202, 202, 403]);
  assert.deepEqual([await used(), (await send({ ...body, to: suppressed })).body.status], [6, 'suppressed']);
});

test("422 in the same words for an unverified domain, an unknown one, and another workspace's", async () => {
  const other = await aWorkspace(api.t.db);
  await aDomain(api.t.db, other, 'theirs.example');
  await aDomain(api.t.db, api.workspaceId, 'pending.example', { sendingEnabled: false });
  const before = await countStored(api.t);
  const messages = [];
  for (const domain of ['theirs.example', 'pending.example', 'nobody.example']) {
    const { status, body } = await send({ ...simple, from: `a@${domain}` });
    assert.deepEqual(
      { status, name: body.name, param: body.param },
      { status: 422, name: 'validation_error', param: 'from' },
    );
    messages.push(body.message.replace(domain, 'X'));
  }
  assert.equal(new Set(messages).size, 1);
  assert.deepEqual(await countStored(api.t), before);
});

test('401 without a key', async () => {
  assert.equal((await send(simple, { token: 'nobody' })).status, 401);
});

test('202 costs one statement once the look-ups are cached', async (t) => {
  const token = await api.caller();
  const costs: number[] = [];
  // The caches last a second, which does not pass here: of a few sends in a row some find them all fresh, and no count
  // of the queue that an earlier one has begun.
  const now = performance.now();
  t.mock.method(performance, 'now', () => now);
  for (let n = 0; n < 6; n += 1) {
    query.mock.resetCalls();
    const { status } = await send({ ...simple, to: ['ada@example.com', 'bob@example.com'] }, { token });
    assert.equal(status, 202);
    costs.push(query.mock.callCount());
  }
  assert.equal(Math.min(...costs), 1, costs.join(', '));
});
