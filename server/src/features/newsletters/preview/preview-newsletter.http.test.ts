import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';

let app: TestApp;
let id: string;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_DASHBOARD_URL: 'https://app.example.com' } });
  ({ id } = await aNewsletter(app.db, app.workspaceId));
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const preview = async (body?: object, key?: string, of = id): Promise<{ status: number; body: Body }> =>
  app.request({
    method: 'POST',
    url: `/v1/newsletters/${of}/preview`,
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

const stored = async (): Promise<unknown[]> => {
  const { rows } = await sql`
    select n.*, (select count(*) from emails e where e.workspace_id = n.workspace_id) as emails,
           (select count(*) from security_log l where l.workspace_id = n.workspace_id) as logged,
           (select count(*) from newsletter_slugs s where s.workspace_id = n.workspace_id) as slugs
      from newsletters n where n.workspace_id = ${app.workspaceId}`.execute(app.db);
  return rows;
};

test('200 with page, forms and mail in the settings that are given, and nothing is stored', async () => {
  const before = await stored();
  const given = {
    name: 'Neuigkeiten <b>',
    slug: 'taken-or-not',
    language: 'de',
    accent_color: '#be123c',
    postal_address: 'Musterweg 1, 12345 Musterstadt',
    from_email: 'news@not-verified.example',
    logo_url: 'https://cdn.example.com/logo.png',
  };
  const { status, body } = await preview(given);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(Object.keys(body), ['page', 'embed', 'embed_line', 'mail']);
  for (const html of Object.values<string>(body)) assert.match(html, /<html lang="de"/);
  assert.match(body.page, /Neuigkeiten &lt;b&gt;/);
  assert.match(body.embed, /action="\/api\/n\/taken-or-not\/subscribe"/);
  assert.match(body.embed_line, /class="line"/);
  assert.match(body.mail, /Musterweg 1/);
  assert.match(body.mail, /https:\/\/cdn\.example\.com\/logo\.png/);
  assert.match(body.mail, /The title of an issue/);
  assert.deepEqual(await stored(), before);
});

test('200 with the stored settings where none are given', async () => {
  const { status, body } = await preview();
  assert.equal(status, 200);
  assert.match(body.page, /<html lang="en"/);
});

test('200 with the newest issues of the archive below the form of the page, and no way to an empty archive', async () => {
  const { id: own, slug } = await aNewsletter(app.db, app.workspaceId);
  const archive = `/n/${slug}/archive"`;
  assert.ok(!(await preview({}, undefined, own)).body.page.includes(archive));
  const { body } = await app.request({
    url: `/v1/newsletters/${own}/issues`,
    body: { subject: 'Tides', html_body: '<p>' },
  });
  await sql`update issues set status = 'sent', sent_at = now() where workspace_id = ${app.workspaceId}
    and id = ${(body as Body).id}`.execute(app.db);
  const seen = (await preview({}, undefined, own)).body;
  assert.match(seen.page, /Tides/);
  assert.ok(seen.page.includes(archive));
  assert.doesNotMatch(seen.embed, /Tides/);
  assert.doesNotMatch((await preview({ archive_enabled: false }, undefined, own)).body.page, /Tides/);
});

test('200 with the newest issue for a caller who may read issues, and an invented one when it cannot be rendered', async () => {
  const { id: own } = await aNewsletter(app.db, app.workspaceId);
  const url = `/v1/newsletters/${own}/issues`;
  await app.request({ url, body: { subject: 'Old', html_body: '<p>The old one</p>' } });
  const made = await app.request({ url, body: { subject: 'New', html_body: '<p>The new one</p>' } });
  assert.match((await preview({}, undefined, own)).body.mail, /The new one/);
  const reply = await app.request({ url: '/v1/api-keys', body: { name: 'few', scopes: ['newsletters:read'] } });
  const { key } = reply.body as Body;
  const seen = await preview({}, key, own);
  assert.equal(seen.status, 200);
  assert.doesNotMatch(seen.body.mail, /The new one/);
  await sql`update issues set html_body = '<p>{{ broken' where workspace_id = ${app.workspaceId}
    and id = ${(made.body as Body).id}`.execute(app.db);
  assert.match((await preview({}, undefined, own)).body.mail, /The title of an issue/);
});

test('400 and 422 naming the setting that is no good, and nothing is stored', async () => {
  const before = await stored();
  for (const [body, status, param] of [
    [{ accent_color: 'red' }, 400, 'accent_color'],
    [{ language: 'xx' }, 400, 'language'],
    [{ from_email: 'Ada <a@example.com>' }, 400, 'from_email'],
    [{ slug: 'embed.js' }, 400, 'slug'],
    [{ logo_url: 'http://cdn.example.com/logo.png' }, 422, 'logo_url'],
    [{ from_name: 'support@bank.example', from_email: 'a@posthorn.test' }, 422, 'from_name'],
  ] as const) {
    const answer = await preview(body);
    assert.deepEqual([answer.status, answer.body.param], [status, param], JSON.stringify(answer.body));
  }
  assert.deepEqual(await stored(), before);
});

test('404 for an unknown newsletter and one of another workspace; 403 without the scope or for another newsletter', async () => {
  const other = await aNewsletter(app.db, await aWorkspace(app.db));
  for (const one of [newId(), other.id, 'x']) assert.equal((await preview({}, undefined, one)).status, 404);
  const keyOf = async (body: object): Promise<string> =>
    ((await app.request({ url: '/v1/api-keys', body: { name: 'few', ...body } })).body as Body).key;
  assert.equal((await preview({}, await keyOf({ scopes: ['emails:read'] }))).status, 403);
  const { id: own } = await aNewsletter(app.db, app.workspaceId);
  const limited = await keyOf({ scopes: ['newsletters:read'], newsletter_ids: [own] });
  assert.equal((await preview({}, limited)).status, 403);
  assert.equal((await preview({}, limited, own)).status, 200);
});
