/** With the answer to a deletion everything of the newsletter stands still, whatever it was doing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forgetDeletedLists, forgetLapsedLists } from '#features/consents';
import { inTransaction } from '#platform/db/database.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { purgeNewsletters } from './purge-newsletters.ts';
import { until } from '../../../../test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp({ worker: true, env: { POSTHORN_SEND_RATE: '40', POSTHORN_PROVIDER_CEILING: '100' } });
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const call = async (method: string, url: string, body?: unknown): Promise<{ status: number; body: Body }> =>
  app.request({ method, url, ...(body === undefined ? {} : { body }) });

async function aNewsletterWith(people: number, slug: string): Promise<string> {
  const { body } = await call('POST', '/v1/newsletters', { name: 'Weekly', slug, from_email: 'news@posthorn.test' });
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${app.workspaceId}, ph_uuidv7(), ${body.id}, n || ${`-${slug}@example.com`}, 'active'
      from generate_series(1, ${people}::integer) n`.execute(app.db);
  return body.id;
}

async function anIssue(newsletterId: string): Promise<string> {
  const issue = { subject: 'Hello', html_body: '<p>Hello</p>' };
  return (await call('POST', `/v1/newsletters/${newsletterId}/issues`, issue)).body.id;
}

async function statusesOf(newsletterId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select e.status, count(*) as n from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${app.workspaceId} and r.newsletter_id = ${newsletterId} group by 1`.execute(app.db);
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}
const captured = async (slug: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from captured_emails
    where workspace_id = ${app.workspaceId} and envelope_to[1] like ${`%-${slug}@example.com`}`.execute(app.db);
  return rows[0]?.n ?? 0;
};

test('200 while an issue is being sent: nothing more is handed over, the rest is cancelled, and nothing is logged', async () => {
  const id = await aNewsletterWith(2_000, 'going');
  const issueId = await anIssue(id);
  const sent = await call('POST', `/v1/newsletters/${id}/issues/${issueId}/send`);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  await until('some have left', async () => ((await captured('going')) >= 10 ? true : undefined));
  const removed = await call('DELETE', `/v1/newsletters/${id}`);
  const left = await captured('going');
  assert.deepEqual([removed.status, removed.body], [200, { success: true, id }]);
  assert.ok(left < 1_000);
  await until('the rest was cancelled', async () => {
    const { pending = 0, queued = 0, sending = 0, deferred = 0 } = await statusesOf(id);
    return pending + queued + sending + deferred === 0 ? true : undefined;
  });
  assert.equal(await captured('going'), left);
  const { cancelled = 0, ...others } = await statusesOf(id);
  assert.equal(
    Object.values(others).reduce((sum, n) => sum + n, 0),
    left,
    JSON.stringify(others),
  );
  assert.equal(cancelled, 2_000 - left);
  for (const url of [`/v1/newsletters/${id}`, `/v1/newsletters/${id}/issues/${issueId}`]) {
    assert.equal((await call('GET', url)).status, 404, url);
  }
  assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 404);
  assert.deepEqual(app.logged, []);
});

test('200 with a scheduled issue: it never starts, and its slug is free at once', async () => {
  const id = await aNewsletterWith(3, 'planned');
  const issueId = await anIssue(id);
  const at = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const scheduled = await call('POST', `/v1/newsletters/${id}/issues/${issueId}/schedule`, { scheduled_for: at });
  assert.equal(scheduled.status, 200, JSON.stringify(scheduled.body));
  assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 200);
  const { rows } = await sql<{ status: string }>`
    select status from issues where workspace_id = ${app.workspaceId} and id = ${issueId}`.execute(app.db);
  // None is left when the purge, which comes every 15 seconds, came just then.
  for (const { status } of rows) assert.equal(status, 'cancelled');
  assert.equal(await captured('planned'), 0);
  assert.equal((await call('POST', '/v1/newsletters', { name: 'Again', slug: 'planned' })).status, 201);
});

test('200 without waiting for its subscribers to be deleted, and the entry says what was', async () => {
  const id = await aNewsletterWith(20, 'large');
  await inTransaction(app.db, async (tx) => {
    // A transaction that deletes one of them waits for us, and the answer would wait for that.
    await sql`select from subscribers where workspace_id = ${app.workspaceId} and newsletter_id = ${id} for update`.execute(
      tx,
    );
    assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 200);
  });
  const { rows } = await sql`select action, details from security_log
    where workspace_id = ${app.workspaceId} and target_id = ${id} order by id desc limit 1`.execute(app.db);
  assert.deepEqual(rows, [{ action: 'newsletter.deleted', details: { name: 'Weekly', slug: 'large' } }]);
});

test('404 for a link to confirm, and the page is gone', async () => {
  const id = await aNewsletterWith(0, 'pages');
  const signUp = { email: 'ada@example.com' };
  assert.equal((await call('POST', `/v1/newsletters/${id}/subscribers`, signUp)).status, 201);
  const linkOf = async (): Promise<string | undefined> => {
    const { rows } = await sql<{ raw: Buffer }>`select mime as raw from captured_emails
      where workspace_id = ${app.workspaceId} and envelope_to = '{ada@example.com}'`.execute(app.db);
    const text = rows[0]?.raw
      .toString('utf8')
      .replaceAll(/=\r?\n/g, '')
      .replaceAll('=3D', '=');
    return /\/api\/n\/confirm\?token=[\w.-]+/.exec(text ?? '')?.[0];
  };
  const link = await until('the confirmation email', linkOf);
  assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 200);
  for (const url of [link, '/n/pages', '/n/pages/embed', '/n/pages/archive', '/api/n/pages']) {
    assert.equal((await app.app.inject({ url, headers: { 'user-agent': 'Mozilla/5.0' } })).statusCode, 404, url);
  }
});

test('200 for a deletion keeps the proofs of consent, which can be read and of which an address can be erased', async () => {
  const id = await aNewsletterWith(0, 'proofs');
  const [ada, bob] = ['ada@proofs.example', 'bob@proofs.example'];
  for (const email of [ada, bob]) {
    const added = { email, skip_confirmation: true, consent: { text: 'at the till' } };
    assert.equal((await call('POST', `/v1/newsletters/${id}/subscribers`, added)).status, 201);
  }
  const consents = (email: string) => call('GET', `/v1/deleted-newsletters/${id}/consents?email=${email}`);
  assert.equal((await consents(ada)).status, 404, 'of one that is there');
  assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 200);
  await purgeNewsletters(app);
  const { rows } = await sql`select id from subscribers where newsletter_id = ${id}`.execute(app.db);
  assert.deepEqual(rows, []);
  const { body: listed } = await call('GET', '/v1/deleted-newsletters');
  assert.partialDeepStrictEqual(
    listed.data.find((one: Body) => one.id === id),
    { id, name: 'Weekly' },
  );
  assert.partialDeepStrictEqual((await consents(ada)).body.data, [{ action: 'added', email: ada }]);
  assert.equal((await call('GET', `/v1/deleted-newsletters/${id}/consents`)).body.data.length, 2);
  const erased = await call('POST', '/v1/deleted-newsletters/erase', { email: ada.toUpperCase() });
  assert.deepEqual([erased.status, erased.body], [200, { success: true, newsletters: 1 }]);
  const after = (await consents(ada)).body.data.map(({ action, email, details }: Body) => [action, email, details]);
  assert.deepEqual(after, [
    ['erased', null, null],
    ['added', null, null],
  ]);
  assert.partialDeepStrictEqual((await consents(bob)).body.data, [{ action: 'added', email: bob }]);
  const again = await call('POST', '/v1/deleted-newsletters/erase', { email: ada });
  assert.deepEqual(again.body, { success: true, newsletters: 0 });
});

/** With a subscriber of this address, added with consent. */
async function aListWith(email: string, slug: string): Promise<{ id: string; subscriberId: string }> {
  const id = await aNewsletterWith(0, slug);
  const added = { email, skip_confirmation: true, consent: { text: 'at the till' } };
  const { status, body } = await call('POST', `/v1/newsletters/${id}/subscribers`, added);
  assert.equal(status, 201, JSON.stringify(body));
  return { id, subscriberId: body.id };
}

const keptAddresses = async (id: string): Promise<Body[]> =>
  (await call('GET', `/v1/deleted-newsletters/${id}/consents`)).body.data.map(({ email }: Body) => email);

test('200 for erasing a subscriber covers the proofs of deleted newsletters, and nobody else’s', async () => {
  const [ada, bob] = ['ada@erased.example', 'bob@erased.example'];
  const [gone, live] = [await aListWith(ada, 'erased-gone'), await aListWith(ada, 'erased-live')];
  const added = { email: bob, skip_confirmation: true, consent: { text: 'at the till' } };
  assert.equal((await call('POST', `/v1/newsletters/${gone.id}/subscribers`, added)).status, 201);
  assert.equal((await call('DELETE', `/v1/newsletters/${gone.id}`)).status, 200);
  assert.deepEqual(await keptAddresses(gone.id), [bob, ada]);
  const erased = await call('DELETE', `/v1/newsletters/${live.id}/subscribers/${live.subscriberId}`);
  assert.equal(erased.status, 200);
  assert.deepEqual(await keptAddresses(gone.id), [null, bob, null], 'the erasure, and what was there');
});

test('200 for erasing an address leaves the proof of a subscriber who had it before and has another one', async () => {
  const [stranger, ada] = ['stranger@moved.example', 'ada@moved.example'];
  const { id, subscriberId } = await aListWith(stranger, 'moved');
  const move = { email: ada, consent: { text: 'by telephone', ip: '203.0.113.7' } };
  assert.equal((await call('PATCH', `/v1/newsletters/${id}/subscribers/${subscriberId}`, move)).status, 200);
  assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 200);
  const kept = async (): Promise<Body[]> => (await call('GET', `/v1/deleted-newsletters/${id}/consents`)).body.data;
  const before = await kept();
  assert.deepEqual(
    before.map(({ email, ip }) => [email, ip]),
    [
      [ada, '203.0.113.7'],
      [stranger, null],
      [stranger, null],
    ],
  );
  const erased = await call('POST', '/v1/deleted-newsletters/erase', { email: stranger });
  assert.deepEqual(erased.body, { success: true, newsletters: 1 });
  const [record, proof, ...others] = await kept();
  assert.equal(record.action, 'erased');
  const { previous_email: _former, ...details } = before[0].details;
  assert.deepEqual(proof, { ...before[0], details });
  assert.deepEqual(
    others.map(({ email, details: left }) => [email, left]),
    [
      [null, null],
      [null, null],
    ],
  );
  const own = await call('POST', '/v1/deleted-newsletters/erase', { email: ada });
  assert.deepEqual(own.body, { success: true, newsletters: 1 });
  assert.deepEqual(new Set((await kept()).map(({ email }) => email)), new Set([null]));
});

test('403 for the proofs of newsletters outside of a key, which lists and erases those of its own only', async () => {
  const email = 'ada@keys.example';
  const [own, other, live] = [
    await aListWith(email, 'own-gone'),
    await aListWith(email, 'other-gone'),
    await aListWith(email, 'own-live'),
  ];
  const limits = { name: 'limited', scopes: ['*'], newsletter_ids: [own.id, live.id] };
  const { key } = (await call('POST', '/v1/api-keys', limits)).body;
  const callAs = async (method: string, url: string, body?: unknown): Promise<{ status: number; body: Body }> =>
    app.request({ method, url, key, ...(body === undefined ? {} : { body }) });
  for (const { id } of [own, other]) assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 200);
  const listed = (await callAs('GET', '/v1/deleted-newsletters')).body;
  assert.deepEqual([listed.total, listed.data.map(({ id }: Body) => id)], [1, [own.id]]);
  assert.equal((await callAs('GET', `/v1/deleted-newsletters/${own.id}/consents`)).body.data.length, 1);
  for (const query of ['', `?email=${email}`]) {
    const refused = await callAs('GET', `/v1/deleted-newsletters/${other.id}/consents${query}`);
    assert.deepEqual([refused.status, refused.body.name, refused.body.data], [403, 'permission_error', undefined]);
  }
  const removed = await callAs('DELETE', `/v1/newsletters/${live.id}/subscribers/${live.subscriberId}`);
  assert.equal(removed.status, 200);
  assert.deepEqual([await keptAddresses(own.id), await keptAddresses(other.id)], [[null, null], [email]]);
  const again = await callAs('POST', '/v1/deleted-newsletters/erase', { email });
  assert.deepEqual(again.body, { success: true, newsletters: 0 });
  assert.deepEqual(await keptAddresses(other.id), [email]);
});

test('proofs of consent end with their time, not before, and with their workspace', async () => {
  const kept = async (id: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from consents
      where workspace_id = ${app.workspaceId} and newsletter_id = ${id}`.execute(app.db);
    return rows[0]?.n ?? -1;
  };
  const aDeleted = async (slug: string): Promise<string> => {
    const id = await aNewsletterWith(0, slug);
    const added = { email: `${slug}@proofs.example`, skip_confirmation: true, consent: { text: 'at the till' } };
    assert.equal((await call('POST', `/v1/newsletters/${id}/subscribers`, added)).status, 201);
    assert.equal((await call('DELETE', `/v1/newsletters/${id}`)).status, 200);
    return id;
  };
  const [old, recent] = [await aDeleted('old'), await aDeleted('recent')];
  await sql`update deleted_lists set deleted_at = now() - interval '31 days' where id = ${old}`.execute(app.db);
  await sql`update deleted_lists set deleted_at = now() - interval '29 days' where id = ${recent}`.execute(app.db);
  await forgetLapsedLists(app.db, 0);
  assert.deepEqual([await kept(old), await kept(recent)], [1, 1], '0: for ever');
  await forgetLapsedLists(app.db, 30);
  assert.deepEqual([await kept(old), await kept(recent)], [0, 1]);
  assert.equal((await call('GET', `/v1/deleted-newsletters/${old}/consents`)).status, 404);
  await forgetDeletedLists(app.db, app.workspaceId);
  await forgetLapsedLists(app.db, 0);
  assert.equal(await kept(recent), 0);
});
