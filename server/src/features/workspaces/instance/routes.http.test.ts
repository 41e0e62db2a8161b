import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, TEST_ADMIN, type TestAnswer, type TestApp } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';

let t: TestApp;
let token: string;
before(async () => {
  t = await createTestApp({ env: { POSTHORN_SIGNUP: 'open' } });
  token = await signIn(TEST_ADMIN);
});
after(() => t.close());

async function signIn(who: { email: string; password: string }): Promise<string> {
  const { body } = await t.request({ url: '/auth/login', body: who, key: null });
  return (body as { token: string }).token; // the answer of a sign-in
}

const govern = (change: object, key = token, id = t.workspaceId): Promise<TestAnswer> =>
  t.request({ method: 'PATCH', url: `/instance/workspaces/${id}`, body: change, key });
const email = (to: readonly string[]) => ({ from: 'hello@posthorn.test', to, subject: 'Hello', text: 'Hello' });
const send = (to: readonly string[] = ['ada@example.com']) => t.request({ url: '/v1/send', body: email(to) });
const messageOf = ({ body }: TestAnswer): string => (body as { message: string }).message;
const usedUp = async (): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select used from usage_windows where workspace_id = ${t.workspaceId} and subject_id = ${t.workspaceId}`.execute(
    t.db,
  );
  return rows[0]?.used ?? 0;
};

test('403 for new sends of a paused workspace, and 202 again when it is active', async () => {
  const paused = await govern({ status: 'paused' });
  assert.equal(paused.status, 200);
  assert.equal((paused.body as { workspace: { status: string } }).workspace.status, 'paused');
  const refused = await send();
  assert.equal(refused.status, 403);
  assert.equal(messageOf(refused), 'Sending is paused for this workspace.');
  assert.equal((await govern({ status: 'active' })).status, 200);
  assert.equal((await send()).status, 202);
});

test('403 for new mail of a paused workspace, whatever else is wrong with it; a replay and what sends nothing go on', async () => {
  const headers = { 'idempotency-key': 'before-the-pause' };
  const first = await t.request({ url: '/v1/send', body: email(['ada@example.com']), headers });
  const limits = { hourly: 1, daily: 1, monthly: 1 };
  const made = await t.request({ url: '/v1/api-keys', body: { name: 'one', scopes: ['emails:send'], limits } });
  const { key: spent } = made.body as { key: string }; // shown once
  assert.equal((await t.request({ url: '/v1/send', body: email(['bob@example.com']), key: spent })).status, 202);
  await govern({ status: 'paused' });
  const good = email(['ada@example.com']);
  const foreign = { ...good, from: 'a@example.org' };
  const nobody = '00000000-0000-7000-8000-000000000000';
  for (const [url, body] of [
    ['/v1/send', { from: 5 }],
    ['/v1/send', foreign],
    ['/v1/batch', { emails: [{}, foreign], mode: 'permissive' }],
    ['/scheduled', { ...good, scheduled_for: 'yesterday' }],
    [`/v1/emails/${nobody}/resend`, undefined],
    [`/v1/inbound/${nobody}/reply`, {}],
    [`/v1/newsletters/${nobody}/issues/${nobody}/send`, undefined],
    [`/broadcasts/${nobody}/send`, undefined],
    [`/broadcasts/${nobody}/send-test`, {}],
    [`/broadcasts/${nobody}/retry-failed`, undefined],
    [`/v1/newsletters/${nobody}/issues/${nobody}/send-test`, {}],
    [`/v1/newsletters/${nobody}/issues/${nobody}/retry-failed`, undefined],
    [`/v1/newsletters/${nobody}/subscribers/remind`, undefined],
    [`/v1/newsletters/${nobody}/subscribers/${nobody}/resend-confirmation`, undefined],
    [`/v1/templates/${nobody}/send-test`, {}],
    [`/v1/automations/${nobody}/test`, {}],
  ] as const) {
    const refused = await t.request({ method: 'POST', url, ...(body === undefined ? {} : { body }) });
    assert.deepEqual([refused.status, messageOf(refused)], [403, 'Sending is paused for this workspace.'], url);
  }
  assert.equal((await t.request({ url: '/v1/send', body: good, key: spent })).status, 403, 'before the limit');
  assert.equal((await t.request({ url: '/v1/send', body: {}, key: 'ph_live_nobody' })).status, 401);
  assert.equal((await t.request({ url: '/v1/newsletters', body: {} })).status, 400);
  const replay = await t.request({ url: '/v1/send', body: good, headers });
  assert.deepEqual([replay.status, replay.body], [202, first.body]);
  await govern({ status: 'active' });
  assert.equal((await t.request({ url: '/v1/send', body: { from: 5 } })).status, 400);
});

test('403 says of a blocked workspace that it is blocked, for a good send and for a bad one', async () => {
  // A domain that nobody has asked for yet: what is known of one is up to a second old.
  await aDomain(t.db, t.workspaceId, 'blocked.example');
  const set = (status: string) =>
    sql`update workspaces set status = ${status} where id = ${t.workspaceId}`.execute(t.db);
  await set('blocked');
  try {
    for (const body of [{ ...email(['ada@example.com']), from: 'a@blocked.example' }, { from: 5 }]) {
      const refused = await t.request({ url: '/v1/send', body });
      assert.deepEqual([refused.status, messageOf(refused)], [403, 'Sending is blocked for this workspace.']);
    }
  } finally {
    await set('active');
  }
});

test('403 names the quota and its reset; of parallel sends exactly as many are accepted as there is room', async () => {
  assert.equal((await govern({ emails_per_month: 1_000 })).status, 200);
  const earlier = await usedUp();
  assert.ok(earlier > 0, 'the first quota begins with the mail of its month');
  const quota = earlier + 10;
  assert.equal((await govern({ emails_per_month: quota })).status, 200);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => send([`a${n}@example.com`, `b${n}@example.com`])),
  );
  assert.equal(answers.filter(({ status }) => status === 202).length, 5);
  const refused = answers.filter(({ status }) => status === 403);
  assert.equal(refused.length, 3);
  for (const one of refused)
    assert.match(
      messageOf(one),
      new RegExp(
        `^The quota of this workspace is ${quota} emails a month, and it has no room for this send\\. It resets ` +
          '\\d{4}-\\d\\d-01T00:00:00Z\\. The operator of this installation can raise it\\.$',
      ),
    );
  assert.equal(await usedUp(), quota);

  await govern({ emails_per_month: quota + 2 });
  const emails = [email(['c@example.com']), email(['d@example.com']), email(['e@example.com'])];
  const strict = await t.request({ url: '/v1/batch', body: { emails } });
  assert.equal(strict.status, 403);
  assert.equal(await usedUp(), quota, 'a refused batch takes nothing');
  const permissive = await t.request({ url: '/v1/batch', body: { emails, mode: 'permissive' } });
  const { accepted, rejected } = permissive.body as { accepted: number; rejected: number };
  assert.deepEqual([accepted, rejected], [2, 1]);
  assert.equal(await usedUp(), quota + 2);

  await govern({ emails_per_month: null });
  assert.equal((await send()).status, 202);
});

test('409 for blocking the home workspace, and it goes on sending', async () => {
  assert.equal((await govern({ status: 'blocked' })).status, 409);
  assert.equal((await send()).status, 202);
});

test('403 for people who do not own the home workspace, and for keys; nothing changes', async () => {
  const stranger = { email: 'stranger@example.com', password: 'a password of a stranger' };
  const body = { ...stranger, name: 'Stranger', workspace_name: 'Elsewhere' };
  await t.request({ url: '/auth/register', body, key: null });
  const strange = await signIn(stranger);
  for (const key of [strange, t.key]) {
    const refused = await govern({ status: 'paused' }, key);
    assert.ok(refused.status === 403 || refused.status === 401, String(refused.status));
    assert.notEqual((await t.request({ url: '/instance/workspaces', key })).status, 200);
  }
  const { body: list } = await t.request({ url: '/instance/workspaces', key: token });
  const workspaces = (list as { data: { name: string; status: string }[] }).data; // the answer of the list
  assert.equal(workspaces.length, 2);
  assert.ok(workspaces.every(({ status }) => status === 'active'));
});

test('404 for a workspace that is not there', async () => {
  const nobody = '0197f400-1c2d-7abc-8def-0123456789ab';
  assert.equal((await govern({ status: 'paused' }, token, nobody)).status, 404);
  assert.equal((await t.request({ url: `/instance/workspaces/${nobody}`, key: token })).status, 404);
});

test('200 with the ETag that its GET gave; 409 for a change over an older one, which changes nothing; of parallel ones one is made', async () => {
  const url = `/instance/workspaces/${t.workspaceId}`;
  const read = () => t.request({ url, key: token });
  const over = (etag: unknown, change: object) =>
    t.request({ method: 'PATCH', url, body: change, key: token, headers: { 'if-match': String(etag) } });
  const opened = await read();
  assert.equal(opened.status, 200);
  const changed = await over(opened.headers['etag'], { emails_per_month: 5_000_000 });
  assert.equal(changed.status, 200, changed.text);
  const now = await read();
  assert.equal((now.body as { emails_per_month: number }).emails_per_month, 5_000_000);
  for (const body of [{ status: 'paused' }, { emails_per_month: null }]) {
    const refused = await over(opened.headers['etag'], body);
    assert.deepEqual([refused.status, Reflect.get(Object(refused.body), 'param')], [409, 'If-Match']);
  }
  assert.deepEqual((await read()).body, now.body);
  assert.equal((await send()).status, 202);
  assert.equal((await over('no tag', { emails_per_month: null })).status, 400);

  const quotas = [1, 2, 3, 4, 6, 7].map((n) => n * 1_000_000); // none is what it has: that changes nothing
  const answers = await Promise.all(quotas.map((quota) => over(changed.headers['etag'], { emails_per_month: quota })));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409, 409]);
  const made = quotas[answers.findIndex(({ status }) => status === 200)];
  assert.equal(((await read()).body as { emails_per_month: number }).emails_per_month, made);
  await govern({ emails_per_month: null });
});

test('403 before a word about the request: for people who are no operator, and for keys that are limited to some records', async () => {
  const who = { email: 'tenant@example.com', password: 'a tenant has a password too' };
  assert.equal((await t.request({ url: '/auth/register', body: { ...who, name: 'T' }, key: null })).status, 201);
  const tenant = await signIn(who);
  for (const [method, url, body] of [
    ['GET', '/instance/workspaces?limit=0', undefined],
    ['GET', `/instance/workspaces/${t.workspaceId}?zebra=1`, undefined],
    ['PATCH', `/instance/workspaces/${t.workspaceId}`, { status: 'gone' }],
    ['GET', '/instance/system?zebra=1', undefined],
    ['POST', '/instance/resume-sending?zebra=1', undefined],
  ] as const) {
    const { status, text } = await t.request({ method, url, key: tenant, ...(body === undefined ? {} : { body }) });
    assert.equal(status, 403, `${method} ${url}: ${text}`);
  }
  const newsletter = await t.request({ url: '/v1/newsletters', body: { name: 'One', slug: 'one-of-a-key' } });
  const { id } = newsletter.body as { id: string }; // the answer of a create
  const domainId = (
    await sql<{ id: string }>`select id from domains where workspace_id = ${t.workspaceId} limit 1`.execute(t.db)
  ).rows[0]?.id;
  for (const [url, limit] of [
    ['/v1/newsletters', { newsletter_ids: [id] }],
    ['/v1/domains', { domain_ids: [domainId] }],
  ] as const) {
    const made = await t.request({ url: '/v1/api-keys', body: { name: 'limited', scopes: ['*'], ...limit } });
    const { key } = made.body as { key: string }; // shown once
    const { status, text } = await t.request({ url, key, body: {} });
    assert.equal(status, 403, `${url}: ${text}`);
    assert.match(text, /create others|cannot add another/);
  }
});
