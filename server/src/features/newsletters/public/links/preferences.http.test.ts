import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestAnswer, TestApp } from '../../../../../test/harness/app.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';
import {
  aMember,
  aPublicApp,
  assertPage,
  mailsTo,
  newsletterOf,
  rowOf,
  sendForm,
  statusOf,
  tokenFor,
  visit,
} from '../test-kit.ts';

let app: TestApp;
let newsletter: Newsletter;
let second: Newsletter;
let foreign: Newsletter;
before(async () => {
  app = await aPublicApp();
  newsletter = await newsletterOf(app, { name: 'First' });
  second = await newsletterOf(app, { name: 'Second <b>' });
  foreign = await newsletterOf(app, { name: 'Never joined' });
});
after(() => app.close());

const urlOf = async (row: Subscriber): Promise<string> =>
  `/api/n/preferences?token=${await tokenFor(app, 'nl_prefs', row)}`;
const press = async (row: Subscriber, fields: string): Promise<TestAnswer> => sendForm(app, await urlOf(row), fields);

test('200 with the address masked and the lists they are on, and only those; looking changes nothing', async () => {
  const row = await aMember(app, newsletter, 'ada@prefs.example');
  await aMember(app, second, row.email);
  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await visit(app, await urlOf(row), {}, method);
    assert.equal(answer.status, 200);
    if (method === 'HEAD') continue;
    assertPage(answer);
    assert.match(answer.text, /a•••@prefs\.example/);
    assert.doesNotMatch(answer.text, /ada@prefs|Never joined|Second <b>/);
    assert.match(answer.text, /Second &lt;b&gt;/);
  }
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
  assert.ok(foreign);
});

test('200 saving a name, and 400 for one with a web address, which is not stored', async () => {
  const row = await aMember(app, newsletter, 'name@prefs.example');
  const saved = await press(row, 'action=save&name=Ada+%3Cb%3E');
  assert.equal(saved.status, 200);
  assert.match(saved.text, /Ada &lt;b&gt;/);
  assert.equal((await press(row, 'action=save&name=see+https%3A%2F%2Fspam.example')).status, 400);
  assert.equal((await rowOf(app, newsletter, row.email))?.name, 'Ada <b>');
  await press(row, 'action=save&name=');
  assert.equal((await rowOf(app, newsletter, row.email))?.name, null);
});

test('200 with the name of the newsletter while nobody has named the workspace, and with its name afterwards', async () => {
  const row = await aMember(app, newsletter, 'named@prefs.example');
  const url = `/api/n/preferences?token=${await tokenFor(app, 'nl_prefs', row)}`;
  const called = async (name: string): Promise<string> => {
    await sql`update workspaces set name = ${name} where id = ${app.workspaceId}`.execute(app.db);
    const { text } = await visit(app, url);
    return /everything <bdi>([^<]*)<\/bdi> has on record/.exec(text)?.[1] ?? text;
  };
  const { rows } = await sql<{ name: string }>`select name from workspaces where id = ${app.workspaceId}`.execute(
    app.db,
  );
  assert.equal(await called('Home'), newsletter.name);
  assert.equal(await called('Acme Inc.'), 'Acme Inc.');
  await called(rows[0]?.name ?? '');
});

test('200 leaving and coming back on each list alone, and leaving all', async () => {
  const row = await aMember(app, newsletter, 'lists@prefs.example');
  const other = await aMember(app, second, row.email);
  await press(row, `action=leave:${other.id}`);
  assert.deepEqual(
    [await statusOf(app, newsletter, row.email), await statusOf(app, second, row.email)],
    ['active', 'unsubscribed'],
  );
  await press(row, `action=rejoin:${other.id}`);
  assert.equal(await statusOf(app, second, row.email), 'active', 'within a day as if they had not left');
  assert.equal(await mailsTo(app, row.email), 2, 'and nothing is asked again');
  await press(row, 'action=unsubscribe');
  assert.equal(await statusOf(app, newsletter, row.email), 'unsubscribed');
  await press(row, 'action=undo');
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
  await press(row, `action=leave:${other.id}`);
  app.clock.advance(25 * 3_600_000);
  await press(row, `action=rejoin:${other.id}`);
  assert.equal(await statusOf(app, second, row.email), 'pending', 'later they are asked to confirm');
  await press(row, 'action=everywhere');
  for (const list of [newsletter, second]) assert.equal(await statusOf(app, list, row.email), 'unsubscribed');
});

test('404 for the list of somebody else, and 400 for what is no button; nothing changes', async () => {
  const row = await aMember(app, newsletter, 'mine@prefs.example');
  const stranger = await aMember(app, second, 'theirs@prefs.example');
  for (const id of [stranger.id, 'x', '', '__proto__']) {
    assert.equal((await press(row, `action=leave:${id}`)).status, 404, id);
  }
  for (const fields of ['', 'action=', 'action=delete', 'action=toString', 'name=x'])
    assert.equal((await press(row, fields)).status, 400, fields);
  assert.equal(await statusOf(app, second, stranger.email), 'active');
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});

/** Of the newest email with a link to somebody's data; undefined: none was sent. */
async function dataLinkTo(email: string): Promise<string | undefined> {
  const { rows } = await sql<{ html: string; lane: number; source: string }>`
    select c.html, e.lane, r.source from emails e
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${app.workspaceId} and e.recipient = ${email} and c.html like '%/api/n/data?token=%'
     order by e.id desc limit 1`.execute(app.db);
  const [mail] = rows;
  if (mail === undefined) return undefined;
  assert.deepEqual([mail.lane, mail.source], [1, 'confirmation']);
  return /href="https:\/\/app\.example\.com(\/api\/n\/data\?token=[\w.-]+)"/.exec(mail.html)?.[1];
}

async function aDataLink(row: Subscriber): Promise<string> {
  assert.equal((await press(row, 'action=data')).status, 200);
  const url = await dataLinkTo(row.email);
  assert.ok(url);
  return url;
}

test('200 for asking for one’s data: a link goes to the address itself, and nothing is shown or changed', async () => {
  const row = await aMember(app, newsletter, 'ask@prefs.example');
  const asked = await press(row, 'action=data');
  assert.equal(asked.status, 200);
  assertPage(asked);
  assert.match(asked.text, /on its way to <bdi>a•••@prefs\.example/);
  assert.doesNotMatch(asked.text, /api\/n\/data/);
  const url = (await dataLinkTo(row.email)) ?? '';
  for (const method of ['GET', 'HEAD'] as const) {
    const page = await visit(app, url, {}, method);
    assert.equal(page.status, 200);
    assertPage(page);
    if (method === 'HEAD') continue;
    assert.match(page.text, /value="export"[^]*value="erase"/);
    assert.doesNotMatch(page.text, /ask@prefs|value="erase-all"/);
  }
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});

test('400 for download and removal by the link of any email but that one, and nothing is given or removed', async () => {
  const row = await aMember(app, newsletter, 'forwarded@prefs.example');
  for (const action of ['export', 'erase', 'erase-all']) {
    const answer = await press(row, `action=${action}`);
    assert.equal(answer.status, 400, action);
    assert.doesNotMatch(answer.text, /signed_up|erase-all/);
    for (const purpose of ['nl_prefs', 'nl_unsub', 'nl_confirm'] as const) {
      const url = `/api/n/data?token=${await tokenFor(app, purpose, row)}`;
      assert.equal((await sendForm(app, url, `action=${action}`)).status, 400, purpose);
      assert.equal((await visit(app, url)).status, 400, purpose);
    }
  }
  const url = await aDataLink(row);
  for (const path of ['preferences', 'unsubscribe', 'confirm'])
    assert.equal((await visit(app, url.replace('data', path))).status, 400, path);
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});

test('400 for the link to one’s data after the address was changed: it went to the old one', async () => {
  const row = await aMember(app, newsletter, 'moves@example.com');
  const url = await aDataLink(row);
  assert.equal((await visit(app, url)).status, 200);
  const changed = await app.request({
    method: 'PATCH',
    url: `/v1/newsletters/${newsletter.id}/subscribers/${row.id}`,
    body: { email: 'moved@example.com', consent: { text: 'by telephone' } },
  });
  assert.equal(changed.status, 200, changed.text);
  for (const answer of [await visit(app, url), await sendForm(app, url, 'action=export')]) {
    assert.equal(answer.status, 400);
    assert.doesNotMatch(answer.text, /moved@example/);
  }
});

test('400 for the link to one’s data after a day, and nothing is given or removed', async () => {
  const row = await aMember(app, newsletter, 'late@prefs.example');
  const url = await aDataLink(row);
  app.clock.advance(86_400_000);
  for (const answer of [
    await visit(app, url),
    await sendForm(app, url, 'action=export'),
    await sendForm(app, url, 'action=erase-all'),
  ]) {
    assert.equal(answer.status, 400);
    assertPage(answer);
  }
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});

test('429 with Retry-After for asking too often: three an hour to an address, confirmation emails among them', async () => {
  const row = await aMember(app, newsletter, 'often@prefs.example');
  for (let time = 0; time < 2; time += 1) assert.equal((await press(row, 'action=data')).status, 200);
  const refused = await press(row, 'action=data');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal(await mailsTo(app, row.email), 3, 'with the one of the sign-up');
});

test('422 when nothing can be sent to the address or by the newsletter; nothing is sent', async () => {
  const row = await aMember(app, newsletter, 'suppressed@prefs.example');
  const mute = await newsletterOf(app);
  const unsent = await aMember(app, mute, 'unsent@prefs.example');
  await app.request({ url: '/v1/suppressions', body: { email: row.email } });
  await sql`update newsletters set from_email = 'news@not-verified.example'
             where workspace_id = ${app.workspaceId} and id = ${mute.id}`.execute(app.db);
  for (const one of [row, unsent]) {
    const answer = await press(one, 'action=data');
    assert.equal(answer.status, 422, one.email);
    assertPage(answer);
    assert.match(answer.text, /No email can be sent/);
    assert.equal(await dataLinkTo(one.email), undefined);
  }
});

test('200 with everything on record about them, as a file, and nothing of anybody else', async () => {
  const row = await aMember(app, newsletter, 'export@prefs.example');
  await aMember(app, second, row.email, 'pending');
  const url = await aDataLink(row);
  const answer = await sendForm(app, url, 'action=export');
  assert.equal(answer.status, 200);
  assert.match(String(answer.headers['content-disposition']), /^attachment/);
  const data = JSON.parse(answer.text) as {
    email: string;
    subscriptions: { newsletter: string; consents: { action: string }[] }[];
  }; // our own file
  assert.equal(data.email, row.email);
  assert.deepEqual(
    data.subscriptions.map((one) => one.newsletter),
    ['First', 'Second <b>'],
  );
  assert.equal(data.subscriptions[0]?.consents.at(-1)?.action, 'signed_up');
  assert.doesNotMatch(answer.text, /theirs@|ada@prefs/);
});

test('200 for being forgotten: asked once more, then gone from every list, and links lead nowhere', async () => {
  const row = await aMember(app, newsletter, 'forget@prefs.example');
  await aMember(app, second, row.email);
  const prefs = await urlOf(row);
  const url = await aDataLink(row);
  const asked = await sendForm(app, url, 'action=erase');
  assert.match(asked.text, /value="erase-all"/);
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
  const done = await sendForm(app, url, 'action=erase-all');
  assert.equal(done.status, 200);
  assertPage(done);
  for (const list of [newsletter, second]) assert.equal(await statusOf(app, list, row.email), undefined);
  const { rows } =
    await sql`select 1 from consents where workspace_id = ${app.workspaceId} and email = ${row.email}`.execute(app.db);
  assert.deepEqual(rows, []);
  for (const link of [url, prefs]) assert.equal((await visit(app, link)).status, 404);
});

test('200 for one’s data names the consents kept of deleted newsletters, and being forgotten covers them', async () => {
  const row = await aMember(app, newsletter, 'kept@prefs.example');
  const gone = await newsletterOf(app, { name: 'Gone' });
  await aMember(app, gone, row.email, 'pending');
  await aMember(app, gone, 'stays@prefs.example', 'pending');
  const removed = await app.request({ method: 'DELETE', url: `/v1/newsletters/${gone.id}` });
  assert.equal(removed.status, 200, removed.text);
  const kept = async (): Promise<unknown[]> => {
    const { rows } = await sql<{ email: string | null }>`select distinct email from consents
      where workspace_id = ${app.workspaceId} and newsletter_id = ${gone.id} order by email nulls last`.execute(app.db);
    return rows.map(({ email }) => email);
  };
  const url = await aDataLink(row);
  const { text } = await sendForm(app, url, 'action=export');
  const [told, ...others] = (
    JSON.parse(text) as { deleted_newsletters: { newsletter: string; consents: { action: string; email: string }[] }[] }
  ).deleted_newsletters; // our own file
  assert.deepEqual(others, []);
  assert.equal(told?.newsletter, 'Gone');
  assert.partialDeepStrictEqual(told.consents.at(-1), { action: 'signed_up', email: row.email });
  assert.doesNotMatch(text, /stays@/);
  assert.deepEqual(await kept(), [row.email, 'stays@prefs.example']);
  assert.equal((await sendForm(app, url, 'action=erase-all')).status, 200);
  assert.deepEqual(await kept(), ['stays@prefs.example', null]);
});

test('400 for links of other purposes', async () => {
  const row = await aMember(app, newsletter, 'purpose@prefs.example');
  for (const purpose of ['nl_confirm', 'nl_unsub', 'nl_data'] as const) {
    const url = `/api/n/preferences?token=${await tokenFor(app, purpose, row)}`;
    assert.equal((await visit(app, url)).status, 400);
    assert.equal((await sendForm(app, url, 'action=everywhere')).status, 400);
  }
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});
