import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aPendingDomain } from '../../../../test/harness/builders.ts';
import { SHARED_DAYS, shareToken } from './share-link.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
});
after(async () => {
  await app.close();
  assert.deepEqual(app.logged, []);
});

const call = async (request: TestRequest): Promise<{ status: number; body: any; headers: any; text: string }> =>
  app.request(request);
const add = (domain: string): Promise<string> => aPendingDomain(app.db, app.workspaceId, domain);
/** The path of the page. */
async function share(id: string): Promise<string> {
  const { status, body } = await call({ method: 'POST', url: `/v1/domains/${id}/share` });
  assert.equal(status, 201, JSON.stringify(body));
  return new URL(body.data.url).pathname;
}
/** As a browser does, without an account. Failures of pages are pages. */
async function open(url: string, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' = 'GET') {
  const { statusCode: status, headers, body: text } = await app.app.inject({ method, url });
  return { status, headers, text };
}
const watchOf = async (id: string): Promise<any> =>
  (await sql`select *, next_check_at <= now() as due from domain_watches where domain_id = ${id}`.execute(app.db))
    .rows[0];

test('201 with a link for 14 days, and an entry in the security log', async () => {
  const id = await add('shared.example');
  const { status, body } = await call({ method: 'POST', url: `/v1/domains/${id}/share` });
  assert.equal(status, 201);
  assert.equal(body.success, true);
  assert.ok(body.data.url.startsWith(`${app.settings.publicUrl}/domain-records/`));
  const days = (Date.parse(body.data.expires_at) - app.clock.now().getTime()) / 86_400_000;
  assert.ok(Math.abs(days - SHARED_DAYS) < 0.01);
  const { rows } = await sql<{ action: string }>`
    select action from security_log where workspace_id = ${app.workspaceId} and target_id = ${id}`.execute(app.db);
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['domain.records_shared'],
  );
});

test('200 with the records, their state and the steps at the host, and nothing of the workspace or of private keys', async () => {
  const { body } = await call({ url: '/v1/domains', body: { domain: 'page.example' } });
  const { id, dns_records: records } = body.data;
  await sql`
    update domain_watches set name_servers = '{ada.ns.cloudflare.com,bob.ns.cloudflare.com}', failure_reason = '<b>no</b>',
           last_checked_at = now(), record_states = ${JSON.stringify([
             { key: 'spf', status: 'duplicate', found: ['v=spf1 a ~all'], hint: 'Two <i>of</i> them.', publish: null },
             {
               key: 'mx',
               status: 'mismatch',
               found: ['1 mx.other.example'],
               hint: 'Do not replace that.',
               publish: null,
             },
             { key: 'dmarc', status: 'found', found: ['v=DMARC1; p=reject'], hint: null, publish: null },
           ])}::jsonb
     where domain_id = ${id}`.execute(app.db);
  const page = await open(await share(id));
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  for (const { type, value, host } of records) {
    const shown = type === 'MX' ? value.split(' ') : [value];
    for (const part of shown) assert.ok(page.text.includes(`<code>${part}</code>`), part);
    assert.ok(page.text.includes(`<code>${host}</code>`), host);
  }
  assert.match(page.text, /How to publish them at Cloudflare/);
  const states = [...page.text.matchAll(/<p class="state (\w+)">([^<]*)/g)].map(([, mark, words]) => [words, mark]);
  assert.deepEqual(states, [
    ['Not checked yet', 'open'],
    ['Several records', 'bad'],
    ['Leave it out', 'open'],
    ['Found', 'good'],
  ]);
  assert.match(page.text, /leave it as it is\. <code>v=DMARC1; p=reject<\/code>/);
  assert.ok(page.text.includes('&lt;b&gt;no') && !page.text.includes('<b>no'), 'texts are escaped');
  const { rows } = await sql<{ key: Buffer; name: string }>`
    select d.dkim_private_key as key, w.name from domains d join workspaces w on w.id = d.workspace_id
     where d.workspace_id = ${app.workspaceId} and d.id = ${id}`.execute(app.db);
  const [secret] = rows;
  assert.ok(secret !== undefined);
  const told = `${page.text} ${JSON.stringify(page.headers)}`;
  for (const hidden of [app.workspaceId, secret.name, secret.key.toString('base64'), 'PRIVATE'])
    assert.ok(!told.includes(hidden), hidden);
  const api = (await call({ url: `/v1/domains/${id}` })).body.data.dns_host;
  assert.partialDeepStrictEqual(api, { id: 'cloudflare', name: 'Cloudflare' });
  assert.deepEqual(api.name_servers, ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']);
});

test('an optional record that is missing is no fault', async () => {
  const id = await add('bare.example');
  const states = [{ key: 'dmarc', status: 'missing', found: [], hint: 'There is none.', publish: null }];
  await sql`update domain_watches set record_states = ${JSON.stringify(states)}::jsonb where domain_id = ${id}`.execute(
    app.db,
  );
  assert.match((await open(await share(id))).text, /<p class="state open">Not published/);
});

test('a link tells nothing of the workspace: its bytes hold neither id', async () => {
  const id = await add('sealed.example');
  const token = (await share(id)).split('/').at(-1) ?? '';
  const bytes = Buffer.from(token, 'base64url').toString('hex');
  for (const uuid of [app.workspaceId, id]) assert.ok(!bytes.includes(uuid.replaceAll('-', '')));
});

test('404 for a link that is damaged, expired, of another installation, or whose domain was deleted, all alike', async () => {
  const id = await add('gone.example');
  const path = await share(id);
  assert.equal((await open(path)).status, 200);
  const now = app.clock.now().getTime();
  const of = (expiresAt: Date, secrets = app.secrets) =>
    `/domain-records/${shareToken(secrets, { workspaceId: app.workspaceId, id, expiresAt })}`;
  assert.equal((await open(of(new Date(now + 1_000)))).status, 200);
  const bad = [
    of(new Date(now)),
    of(new Date(now + 60_000), createSecrets('another-master-secret-of-32-bytes!')),
    `${path.slice(0, -2)}${path.endsWith('AA') ? 'BB' : 'AA'}`,
    `${path}=`,
    '/domain-records/x',
  ];
  const answers = await Promise.all(bad.map((url) => open(url)));
  await call({ method: 'DELETE', url: `/v1/domains/${id}` });
  answers.push(await open(path));
  for (const { status } of answers) assert.ok(status === 404 || status === 400, String(status));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.ok(!answers[0]?.text.includes('gone.example'));
});

test('405 for every other method, and nothing has changed', async () => {
  const id = await add('read-only.example');
  const path = await share(id);
  const before = await watchOf(id);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const { status } = await open(path, method);
    assert.equal(status, 405, method);
  }
  assert.deepEqual(await watchOf(id), before);
});

test('a look makes the next check due when the last one is a minute old, and not sooner', async () => {
  const id = await add('looked-at.example');
  const path = await share(id);
  await sql`update domain_watches set last_checked_at = now(), begun_at = now() where domain_id = ${id}`.execute(
    app.db,
  );
  await open(path);
  assert.equal((await watchOf(id)).due, false);
  await sql`update domain_watches set last_checked_at = now() - interval '2 minutes', begun_at = now() - interval '2 minutes'
    where domain_id = ${id}`.execute(app.db);
  await open(path);
  assert.equal((await watchOf(id)).due, true);
});

test('200 for a revocation: the links of the domain until then are dead, those of others and new ones are not', async () => {
  const [id, other] = [await add('revoked.example'), await add('kept.example')];
  const [first, second, kept] = [await share(id), await share(id), await share(other)];
  const { status, body } = await call({ method: 'DELETE', url: `/v1/domains/${id}/share` });
  assert.deepEqual([status, body.success, body.data], [200, true, { id }]);
  for (const dead of [first, second]) assert.equal((await open(dead)).status, 404);
  assert.equal((await open(kept)).status, 200);
  app.clock.advance(5);
  assert.equal((await open(await share(id))).status, 200);
  const { rows } = await sql<{ action: string }>`
    select action from security_log where workspace_id = ${app.workspaceId} and target_id = ${id} order by id`.execute(
    app.db,
  );
  assert.equal(rows.filter(({ action }) => action === 'domain.shares_revoked').length, 1);
});

// The last one, because this network may read no page for a minute behind it.
test('429 as a page for the 61st look in a minute from one network', async () => {
  const path = await share(await add('busy.example'));
  const statuses = [];
  for (let look = 0; look < 62; look += 1) statuses.push((await open(path)).status);
  assert.equal(statuses.at(-1), 429);
  assert.ok(statuses.filter((status) => status === 200).length <= 60);
});
