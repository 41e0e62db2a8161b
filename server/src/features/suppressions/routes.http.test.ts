import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, TEST_ADMIN, type TestApp } from '../../../test/harness/app.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { newId } from '#platform/ids.ts';
import { addSuppression } from './add-suppression.ts';
import { suppressionsAdded } from './announcements.ts';

let api: TestApp;
before(async () => {
  api = await createTestApp();
});
after(() => api.close());

interface Suppression {
  id: string;
  email: string;
  reason: string;
  note: string | null;
  soft_bounce_count: number;
  expires_at: string | null;
  created_at: string;
}
interface Failure {
  param?: string;
  details?: string[];
  message: string;
}
// The harness holds every body against the OpenAPI document.
const add = async (body: object) => {
  const answer = await api.request({ url: '/v1/suppressions', body });
  return { ...answer, body: answer.body as Suppression & Failure };
};
const get = (name: string) => api.request({ url: `/v1/suppressions/${encodeURIComponent(name)}` });
const remove = (name: string, headers: Record<string, string> = {}) =>
  api.request({ method: 'DELETE', url: `/v1/suppressions/${encodeURIComponent(name)}`, headers });
const list = async (query = '') =>
  (await api.request({ url: `/v1/suppressions${query}` })).body as {
    data: Suppression[];
    total?: number;
    next_cursor: string | null;
  };
const countRows = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from suppressions where workspace_id = ${api.workspaceId}`.execute(api.db);
  return rows[0]?.n ?? 0;
};

test('201 with the record, and 200 for an address that is suppressed already, however it is written', async () => {
  const first = await add({ email: 'Ada@MÜNCHEN.example.', note: 'asked by phone' });
  assert.equal(first.status, 201);
  const { id, created_at, ...rest } = first.body;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.match(created_at, /Z$/);
  assert.deepEqual(rest, {
    email: 'ada@xn--mnchen-3ya.example',
    reason: 'manual',
    source_email_id: null,
    note: 'asked by phone',
    soft_bounce_count: 0,
    expires_at: null,
  });
  const again = await add({ email: 'ada@münchen.EXAMPLE', note: 'again' });
  assert.equal(again.status, 200);
  assert.equal(again.headers['x-existing-resource'], 'true');
  assert.deepEqual(again.body, first.body);
  for (const name of ['ADA@münchen.example', 'ada@xn--mnchen-3ya.example.', id, id.toUpperCase()]) {
    assert.deepEqual((await get(name)).body, first.body, name);
  }
});

test('400 for what is no address, or a reason that nobody can give by hand; 422 for a time that is over', async () => {
  const before = await countRows();
  for (const [body, param] of [
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@b.example, c@d.example' }, 'email'],
    [{ email: 'a@b.example\u0000' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: 'a@b.example', reason: 'complaint' }, 'reason'],
    [{ email: 'a@b.example', reason: 'hard_bounce' }, 'reason'],
    [{ email: 'a@b.example', note: 'x'.repeat(1_001) }, 'note'],
    [{ email: 'a@b.example', expires_at: 'tomorrow' }, 'expires_at'],
  ] as const) {
    const answer = await add(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.param, param);
  }
  const past = await add({ email: 'a@b.example', expires_at: '2001-01-01T00:00:00Z' });
  assert.deepEqual([past.status, past.body.param], [422, 'expires_at']);
  assert.equal(await countRows(), before);
});

test('a note may be null, as records show one that is not there', async () => {
  const made = await add({ email: 'no-note@example.com', note: null });
  assert.deepEqual([made.status, made.body.note], [201, null]);
  const batch = { emails: [{ email: 'no-note-2@example.com', note: null }], note: null };
  assert.equal((await api.request({ url: '/v1/suppressions/batch', body: batch })).status, 200);
  assert.equal(((await get('no-note-2@example.com')).body as Suppression).note, null);
});

test('a suppression with an end stands until then, and is nowhere afterwards', async () => {
  const made = await add({ email: 'later@example.com', expires_at: '2999-01-01T00:00:00Z' });
  assert.equal(made.body.expires_at, '2999-01-01T00:00:00.000Z');
  await sql`update suppressions set expires_at = now() - interval '1 second', created_at = now() - interval '1 day'
    where workspace_id = ${api.workspaceId} and id = ${made.body.id}`.execute(api.db);
  assert.equal((await get('later@example.com')).status, 404);
  assert.equal((await remove('later@example.com')).status, 404);
  assert.deepEqual((await list('?search=later@')).data, []);
  const anew = await add({ email: 'later@example.com', reason: 'unsubscribe' });
  assert.equal(anew.status, 201);
  assert.equal(anew.body.reason, 'unsubscribe');
  assert.ok(Date.now() - Date.parse(anew.body.created_at) < 60_000);
});

test('404 that names the list for a slash too many, not a suppression without a name', async () => {
  for (const method of ['GET', 'DELETE', 'POST']) {
    const { status, body } = await api.request({ method, url: '/v1/suppressions/' });
    assert.equal(status, 404, method);
    assert.match(JSON.stringify(body), /Did you mean \/v1\/suppressions\?/);
  }
});

test('404 for an address that is not suppressed, for one that is none, and for one of another workspace', async () => {
  const other = await aWorkspace(api.db);
  await addSuppression({ db: api.db, workspaceId: other }, { identity: 'theirs@example.com', reason: 'manual' });
  const { rows } = await sql<{ id: string }>`
    select id from suppressions where workspace_id = ${other}`.execute(api.db);
  for (const name of ['nobody@example.com', 'no address', 'a@b@c', newId(), 'theirs@example.com', rows[0]?.id ?? '']) {
    assert.equal((await get(name)).status, 404, name);
    assert.equal((await remove(name)).status, 404, name);
  }
  assert.equal(
    (await sql`select from suppressions where workspace_id = ${other}`.execute(api.db)).rows.length,
    1,
    'nothing happened to it',
  );
});

test('200 and gone when it is lifted, with who did it in the security log, and the bounces forgotten', async () => {
  const { body } = await add({ email: 'lifted@example.com' });
  await sql`insert into soft_bounces (workspace_id, email, times)
    values (${api.workspaceId}, 'lifted@example.com', array[now(), now()])`.execute(api.db);
  assert.equal(((await get(body.id)).body as Suppression).soft_bounce_count, 2);
  assert.deepEqual((await remove('Lifted@Example.com')).body, { success: true });
  assert.equal((await get('lifted@example.com')).status, 404);
  assert.equal((await remove('lifted@example.com')).status, 404);
  const log = await sql<{ actor: string; details: object }>`
    select actor_type as actor, details from security_log where workspace_id = ${api.workspaceId}
       and action = 'suppression.removed' and target_id = ${body.id}`.execute(api.db);
  const [entry] = log.rows;
  assert.partialDeepStrictEqual(entry, { actor: 'api_key', details: { reason: 'manual' } });
  assert.match(JSON.stringify(entry), /"address_hash":"[0-9a-f]{32}"/);
  assert.doesNotMatch(JSON.stringify(log.rows), /lifted@/);
  assert.equal((await add({ email: 'lifted@example.com' })).body.soft_bounce_count, 0);
});

test('a suppression is not lifted when the security log cannot be written', async () => {
  await add({ email: 'logged@example.com' });
  await sql`alter table security_log rename to security_log_gone`.execute(api.db);
  assert.equal((await remove('logged@example.com')).status, 500);
  await sql`alter table security_log_gone rename to security_log`.execute(api.db);
  assert.equal((await get('logged@example.com')).status, 200);
  api.logged.length = 0;
});

test('200 with many addresses at once: each counted once', async () => {
  await add({ email: 'batch-old@example.com' });
  const emails = [
    'batch-1@example.com',
    'BATCH-1@example.com',
    { email: 'batch-2@example.com', note: 'own' },
    'batch-old@example.com',
  ];
  const answer = await api.request({
    url: '/v1/suppressions/batch',
    body: { emails, note: 'shared', reason: 'unsubscribe' },
  });
  assert.deepEqual([answer.status, answer.body], [200, { success: true, added: 2, existing: 1 }]);
  assert.equal(((await get('batch-1@example.com')).body as Suppression).note, 'shared');
  assert.equal(((await get('batch-2@example.com')).body as Suppression).note, 'own');
});

test('400 naming the first address that is none, and none of the batch is stored', async () => {
  const before = await countRows();
  const answer = await api.request({
    url: '/v1/suppressions/batch',
    body: { emails: ['good@example.com', 'bad', { email: 'a@b@c' }] },
  });
  const body = answer.body as Failure;
  assert.deepEqual([answer.status, body.param, body.details?.length], [400, 'emails[1]', 2]);
  for (const emails of [[], Array.from({ length: 1_001 }, (_, n) => `many-${n}@example.com`), 'a@b.example', [7]]) {
    assert.equal((await api.request({ url: '/v1/suppressions/batch', body: { emails } })).status, 400);
  }
  assert.equal(await countRows(), before);
});

test('400 lists up to 100 addresses of a batch that are none', async () => {
  const emails = Array.from({ length: 101 }, (_, n) => `bad-${n}`);
  const answer = await api.request({ url: '/v1/suppressions/batch', body: { emails } });
  const { details } = answer.body as Failure;
  assert.deepEqual([answer.status, details?.length], [400, 100]);
  assert.match(details?.at(-1) ?? '', /^emails\[99\] /);
});

test('200 with 1,000 addresses', async () => {
  const emails = Array.from({ length: 1_000 }, (_, n) => `thousand-${n}@example.org`);
  const answer = await api.request({ url: '/v1/suppressions/batch', body: { emails } });
  assert.deepEqual(answer.body, { success: true, added: 1_000, existing: 0 });
});

test('200 with a page of what was searched for, newest first, and a cursor that misses and repeats nothing', async () => {
  for (const email of ['100%_sure@example.net', '100xysure@example.net']) await add({ email });
  assert.deepEqual(
    (await list(`?search=${encodeURIComponent('%_SURE')}`)).data.map((one) => one.email),
    ['100%_sure@example.net'],
  );
  assert.deepEqual((await list(`?search=${encodeURIComponent('\\')}`)).data, []);
  assert.equal((await list(`?search=${encodeURIComponent('Ada@münchen.example')}`)).data.length, 1);
  assert.equal((await list('?search=thousand-99&limit=100')).total, 11);
  assert.ok((await list('?reason=unsubscribe')).data.every((one) => one.reason === 'unsubscribe'));
  assert.equal((await api.request({ url: '/v1/suppressions?reason=none' })).status, 400);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list(`?search=thousand-&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.data.map((one) => one.email));
    cursor = page.next_cursor;
  }
  assert.equal(seen.length, 1_000, 'all of them share one created_at');
  assert.equal(new Set(seen).size, 1_000);
  const paged = await list('?search=thousand-&limit=100&page=4');
  assert.deepEqual(
    paged.data.map((one) => one.email),
    seen.slice(300, 400),
  );
});

test('403 without the scope, and nothing happens', async () => {
  const signedIn = await api.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  const { token } = signedIn.body as { token: string };
  const made = await api.request({
    url: '/v1/api-keys',
    key: token,
    body: { name: 'reader', scopes: ['suppressions:read'] },
  });
  const { key } = made.body as { key: string };
  const before = await countRows();
  for (const [method, url, body] of [
    ['POST', '/v1/suppressions', { email: 'x@example.com' }],
    ['POST', '/v1/suppressions/batch', { emails: ['x@example.com'] }],
    ['DELETE', '/v1/suppressions/batch-1@example.com', undefined],
  ] as const) {
    assert.equal((await api.request({ method, url, key, ...(body && { body }) })).status, 403);
  }
  assert.equal((await api.request({ url: '/v1/suppressions', key })).status, 200);
  assert.equal(await countRows(), before);
});

test('the answer to a repeated Idempotency-Key is the first one', async () => {
  const headers = { 'idempotency-key': newId() };
  const [first, second] = [
    await api.request({ url: '/v1/suppressions', body: { email: 'once@example.com' }, headers }),
    await api.request({ url: '/v1/suppressions', body: { email: 'once@example.com' }, headers }),
  ];
  assert.deepEqual([first.status, second.status, second.headers['idempotent-replayed']], [201, 201, 'true']);
  assert.deepEqual(second.body, first.body);
});

test('a reaction that fails undoes the suppression on every way in, and the caller is told', async () => {
  let failing = true;
  const told: string[] = [];
  addReactions(api.db, [
    reactionTo(suppressionsAdded, async (_tx, added) => {
      told.push(...added.map((one) => one.identity));
      if (failing && added.some((one) => one.identity.startsWith('react-'))) throw new Error('planted');
    }),
  ]);
  const csv = { headers: { 'content-type': 'text/csv' } };
  const ways = [
    () => api.request({ url: '/v1/suppressions', body: { email: 'react-1@example.com' } }),
    () => api.request({ url: '/v1/suppressions/batch', body: { emails: ['react-2@example.com'] } }),
    () => api.request({ url: '/v1/suppressions/import', body: 'react-3@example.com\n', ...csv }),
  ];
  const before = await countRows();
  for (const way of ways) assert.equal((await way()).status, 500);
  assert.equal(await countRows(), before);
  assert.deepEqual(told, ['react-1@example.com', 'react-2@example.com', 'react-3@example.com']);
  failing = false;
  for (const way of ways) assert.ok((await way()).status < 300);
  assert.equal(await countRows(), before + 3);
  told.length = 0;
  for (const way of ways) await way();
  assert.deepEqual(told, [], 'what changes nothing is not announced');
});
