import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, TEST_ADMIN, type TestApp } from '../../../test/harness/app.ts';
import { BURST, createFloodGuard, PER_SECOND } from './flood-guard.ts';
import { forgetRequests } from './forget-requests.ts';
import { eraseRequests } from './erase-requests.ts';
import { pageOfRequests } from './queries.ts';

let api: TestApp;
let token: string;
before(async () => {
  api = await createTestApp();
  const signedIn = await api.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  token = (signedIn.body as { token: string }).token; // what the sign-in answers
});
after(() => api.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
type Body = any;

const list = async (query: string, key = api.key): Promise<Body[]> => {
  const answer = await api.request({ url: `/v1/requests${query}`, key });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as Body).data;
};
const aKey = async (body: object): Promise<Body> =>
  (await api.request({ url: '/v1/api-keys', body: { name: 'logged', ...body } })).body;
const send = (to: string, more: object = {}) => ({
  from: 'Acme <hello@posthorn.test>',
  to,
  subject: 'Hello',
  html: '<p>a private text</p>',
  attachments: [{ filename: 'a.txt', content: Buffer.from('a private file').toString('base64') }],
  ...more,
});

test('200 with a request and its emails, linked both ways, without secrets, texts and files', async () => {
  const { status, body, headers } = await api.request({
    url: '/v1/send?zebra=',
    body: send('ada@example.com'),
    headers: { 'user-agent': 'acme/1' },
  });
  assert.equal(status, 400, 'an unknown parameter');
  const good = await api.request({
    url: '/v1/send',
    body: send('ada@example.com'),
    headers: { 'user-agent': 'acme/1' },
  });
  const [newest, refused] = await list('?mentions=Ada@example.com');
  const read = (await api.request({ url: `/v1/requests/${newest.id}` })).body as Body;
  const { id, at, duration_ms: ms, request_body: sent, response_body: answered, ...rest } = read;
  assert.ok(id && ms > 0 && Date.parse(at) > Date.now() - 60_000);
  const emailId = (good.body as Body).emails[0].id;
  assert.deepEqual(rest, {
    request_id: good.headers['x-request-id'],
    method: 'POST',
    route: '/v1/send',
    path: '/v1/send',
    query: null,
    status: 202,
    error: null,
    actor: { type: 'api_key', id: rest.actor.id, name: rest.actor.name },
    ip: '127.0.0.1',
    user_agent: 'acme/1',
    job_ids: [(good.body as Body).jobId],
    email_ids: [emailId],
    erased: false,
  });
  assert.deepEqual(
    [sent.to, sent.html, sent.attachments[0].content],
    ['ada@example.com', '[21 characters]', '[20 characters]'],
  );
  assert.equal(answered.jobId, (good.body as Body).jobId);
  const email = (await api.request({ url: `/v1/emails/${emailId}` })).body as Body;
  assert.deepEqual(
    (await list(`?request_id=${email.request_id}`)).map((one) => one.id),
    [id],
  );
  assert.deepEqual(
    [refused.status, refused.error, refused.query, refused.request_id],
    [400, 'validation_error', 'zebra=', headers['x-request-id']],
  );
  assert.equal((body as Body).requestId, refused.request_id);
  const { rows } = await sql`select 1 from api_requests r where workspace_id = ${api.workspaceId}
    and (r::text like '%a private text%' or r::text like ${`%${Buffer.from('a private file').toString('base64')}%`})`.execute(
    api.db,
  );
  assert.deepEqual(rows, []);
});

test('200 with the emails of a batch', async () => {
  const batch = (
    await api.request({ url: '/v1/batch', body: { emails: [send('a@example.com'), send('b@example.com')] } })
  ).body as Body;
  const [made] = await list('?route=/v1/batch');
  const { email_ids: ids, job_ids: jobs } = (await api.request({ url: `/v1/requests/${made.id}` })).body as Body;
  assert.deepEqual([ids.length, jobs], [2, batch.results.map((one: Body) => one.jobId)]);
  const read = (await api.request({ url: `/v1/emails/${ids[0]}` })).body as Body;
  assert.equal(read.request_id, made.request_id);
});

test('200 without the secret of a key, which its request returned', async () => {
  const { key, id } = await aKey({ scopes: ['logs:read'] });
  const [made] = await list(`?mentions=${id}`);
  const read = (await api.request({ url: `/v1/requests/${made.id}` })).body as Body;
  assert.equal(read.response_body.key, '[hidden]');
  assert.equal(read.response_body.name, 'logged');
  const { rows } = await sql`select 1 from api_requests r where workspace_id = ${api.workspaceId}
    and position(${key} in r::text) > 0`.execute(api.db);
  assert.deepEqual(rows, []);
});

test('200 with each filter, and in pages', async () => {
  const { key, id } = await aKey({ scopes: ['logs:read', 'suppressions:read'] });
  for (const url of ['/v1/suppressions', '/v1/suppressions/nobody%40example.com', '/v1/newsletters']) {
    await api.request({ url, key });
  }
  const mine = `api_key_id=${id}`;
  const statuses = (rows: Body[]): number[] => rows.map((one) => one.status);
  assert.deepEqual(statuses(await list(`?${mine}`)), [403, 404, 200]);
  assert.deepEqual(statuses(await list(`?${mine}&status=4xx`)), [403, 404]);
  assert.deepEqual(statuses(await list(`?${mine}&status=404`)), [404]);
  assert.deepEqual(statuses(await list(`?${mine}&method=POST`)), []);
  assert.deepEqual(statuses(await list(`?${mine}&route=/v1/suppressions/{id_or_email}`)), [404]);
  assert.deepEqual(statuses(await list(`?${mine}&q=NEWS`)), [403]);
  assert.deepEqual(statuses(await list(`?${mine}&q=%25`)), [404], 'a percent sign is one');
  assert.deepEqual(statuses(await list(`?${mine}&mentions=NOBODY@example.com`)), [404]);
  assert.deepEqual(
    statuses(await list(`?${mine}&since=2001-01-01T00:00:00Z&until=2999-01-01T00:00:00Z`)),
    [403, 404, 200],
  );
  assert.deepEqual(statuses(await list(`?${mine}&until=2001-01-01T00:00:00Z`)), []);
  assert.deepEqual(statuses(await list(`?${mine}&since=2999-01-01T00:00:00Z`)), []);
  assert.deepEqual(await list(`?${mine}&user_id=${newId()}`), []);
  const walked: number[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await api.request({ url: `/v1/requests?${mine}&limit=1${cursor}` });
    walked.push(...statuses((body as Body).data));
    if (!(body as Body).has_more) break;
    cursor = `&cursor=${(body as Body).next_cursor}`;
  }
  assert.deepEqual(walked, [403, 404, 200]);
});

test('a page ends where it has looked at enough, and says where to go on', async () => {
  const none = { statusFrom: null, statusTo: null, method: null, route: null, actorIds: null, requestId: null };
  const filter = { ...none, mention: null, path: null, since: null, until: null };
  const all = (await pageOfRequests(api.db, api.workspaceId, filter, { limit: 100, offset: 0, after: null })).rows;
  const found: string[] = [];
  for (let after: string | null = null, n = 0; n < 100; n += 1) {
    const page = await pageOfRequests(
      api.db,
      api.workspaceId,
      { ...filter, method: 'GET' },
      { limit: 100, offset: 0, after },
      2,
    );
    found.push(...page.rows.map((row) => row.id));
    after = page.goOnAfter;
    if (after === null) break;
  }
  assert.deepEqual(
    found,
    all.filter((row) => row.method === 'GET').map((row) => row.id),
  );
});

test('not logged: good reads of people, reads of the log, public routes, and nobody', async () => {
  const path = async (): Promise<string[]> => (await list('')).map((one) => one.path);
  const earlier = await path();
  await api.request({ url: '/v1/suppressions', key: token });
  await api.request({ url: '/health', key: null });
  await api.request({ url: '/auth/me', key: token });
  await api.request({ url: '/v1/suppressions', key: null });
  await api.request({ url: '/v1/requests' });
  assert.deepEqual(await path(), earlier);
  await api.request({ url: '/v1/suppressions/nobody@example.com', key: token });
  const [failed] = await list('');
  assert.deepEqual([failed.status, failed.actor.type, failed.actor.name], [404, 'user', TEST_ADMIN.email]);
});

test('400 for a filter that is none, 403 without the scope, 404 for nonsense', async () => {
  for (const [query, param] of [
    ['status=9xx', 'status'],
    ['method=FETCH', 'method'],
    ['api_key_id=x', 'api_key_id'],
    ['since=yesterday', 'since'],
    ['q=', 'q'],
    ['limit=0', 'limit'],
  ]) {
    const { status, body } = await api.request({ url: `/v1/requests?${query}` });
    assert.deepEqual([status, (body as Body).param], [400, param], query);
  }
  const { key } = await aKey({ scopes: ['emails:read'] });
  assert.equal((await api.request({ url: '/v1/requests', key })).status, 403);
  for (const id of ['x', newId(), '%00']) assert.equal((await api.request({ url: `/v1/requests/${id}` })).status, 404);
});

test('200 with its own requests only, for a key that is limited to a newsletter', async () => {
  const newsletter = (await api.request({ url: '/v1/newsletters', body: { name: 'Logged', slug: 'logged' } }))
    .body as Body;
  const { key, id } = await aKey({ scopes: ['logs:read', 'newsletters:read'], newsletter_ids: [newsletter.id] });
  await api.request({ url: `/v1/newsletters/${newsletter.id}`, key });
  const [foreign] = await list('?method=POST');
  const seen = await list('', key);
  assert.deepEqual(new Set(seen.map((one) => one.actor.id)), new Set([id]));
  assert.equal((await api.request({ url: `/v1/requests/${foreign.id}`, key })).status, 404);
  assert.deepEqual(await list(`?api_key_id=${foreign.actor.id}`, key), []);
});

test('an erased person is in no request any more, and old requests leave', async () => {
  await api.request({ url: '/v1/suppressions', body: { email: 'Gone@Bücher.example', note: 'Gone Person' } });
  await api.request({ url: '/v1/suppressions/gone%40xn--bcher-kva.example?zebra=gone%40b%C3%BCcher.example' });
  const [read, made] = await list('?mentions=gone@xn--bcher-kva.example');
  await eraseRequests(api.db, api.workspaceId, ['GONE@bücher.example']);
  const stored = async (like: string): Promise<number> => {
    const { rows } =
      await sql`select 1 from api_requests r where workspace_id = ${api.workspaceId} and r::text ilike ${like}`.execute(
        api.db,
      );
    return rows.length;
  };
  assert.equal(await stored('%gone%'), 0);
  assert.equal(await stored('%cher%'), 0);
  for (const one of [read, made]) {
    const { body } = await api.request({ url: `/v1/requests/${one.id}` });
    assert.deepEqual(
      [(body as Body).erased, (body as Body).path, (body as Body).request_body],
      [true, one.route, null],
    );
  }
  const before = await stored('%');
  assert.equal(await forgetRequests(api.db), 0);
  await sql`update api_requests set at = now() - interval '8 days' where workspace_id = ${api.workspaceId} and id = ${read.id}`.execute(
    api.db,
  );
  assert.deepEqual([await forgetRequests(api.db), await stored('%')], [1, before - 1]);
});

test('of a flood a part is kept of each workspace, and failures beside it', () => {
  let nowMs = 0;
  const guard = createFloodGuard({ ...api.clock, monotonicMs: () => nowMs });
  const admitted = (workspaceId: string, failed: boolean): number =>
    Array.from({ length: 1_000 }, () => guard.admits(workspaceId, failed)).filter(Boolean).length;
  assert.deepEqual([admitted('a', false), admitted('a', true), admitted('b', false)], [BURST, BURST, BURST]);
  nowMs += 2_000;
  assert.equal(admitted('a', false), 2 * PER_SECOND);
});
