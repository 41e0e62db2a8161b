import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { newId } from '#platform/ids.ts';
import { contactAudience } from '../recipients/contact-audience.ts';
import { signContactLink } from '../content/contact-link.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';

let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const BROWSER = { ...FORM, accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** Pages are no JSON, which the check of answers expects of every failure. */
async function visit(
  method: 'GET' | 'POST',
  url: string,
  options: { body?: string; headers?: Record<string, string> } = {},
) {
  const { body, headers = {} } = options;
  const answer = await t.app.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
  const text = answer.body.replace(/<\/?bdi[^>]*>/g, '');
  return { status: answer.statusCode, text, headers: answer.headers };
}

/** A contact on a list, with a frozen broadcast to it and the link in its email. */
async function aLink() {
  const name = `link-${newId()}`;
  const [contactId = ''] = await t.contacts(1, name);
  const list = await t.list([contactId]);
  const made = await t.draft({ audience: { list_ids: [list] } });
  assert.equal((await t.call('POST', `/${made.id}/send`)).status, 202);
  await bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
  const claims = { workspaceId: t.app.workspaceId, contactId, broadcastId: String(made.id) };
  const token = await signContactLink(t.app.secrets, claims, new Date());
  const url = `/api/c/unsubscribe?token=${token}`;
  const press = (body: string, headers: Record<string, string> = FORM) => visit('POST', url, { body, headers });
  const contact = async (): Promise<Body> => (await t.app.request({ url: `/v1/contacts/${contactId}` })).body;
  return { id: String(made.id), contactId, list, url, press, contact };
}

const emailOf = async (id: string): Promise<Body> => {
  const { rows } = await sql<Body>`
    select e.status, e.error from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.broadcast_id = ${id}`.execute(t.app.db);
  return rows[0];
};

test('200 with the choices for a visit, which changes nothing, whoever makes it', async () => {
  const { url, contact, id } = await aLink();
  const page = await visit('GET', url, { headers: BROWSER });
  assert.equal(page.status, 200);
  assert.match(page.text, /receives mail from Acme/);
  assert.match(page.text, /Unsubscribe from Customers/);
  assert.match(page.text, /value="everywhere"/);
  const { unsubscribed, list_ids: lists } = await contact();
  assert.deepEqual([unsubscribed, lists.length], [false, 1]);
  assert.deepEqual(await emailOf(id), { status: 'pending', error: null });
});

test('one click takes effect before its answer: the contact has left, the waiting email is settled, and it is counted once', async () => {
  const { press, contact, id } = await aLink();
  const answer = await press('List-Unsubscribe=One-Click');
  assert.equal(answer.status, 200);
  assert.equal((await contact()).unsubscribed, true);
  assert.deepEqual(await emailOf(id), { status: 'suppressed', error: 'unsubscribed' });
  await press('List-Unsubscribe=One-Click');
  assert.equal((await t.read(id)).stats.unsubscribed, 1);
});

test('a button leads a browser to the page again; undo brings the contact back, and is too late after a day', async () => {
  const { press, contact, url, id } = await aLink();
  const pressed = await press('action=everywhere', BROWSER);
  assert.deepEqual([pressed.status, pressed.headers['location']], [303, url]);
  assert.match((await visit('GET', url)).text, /value="undo"/);
  await press('action=undo');
  assert.equal((await contact()).unsubscribed, false);
  assert.equal((await t.read(id)).stats.unsubscribed, 0);
  await press('action=everywhere');
  await sql`update contacts set unsubscribed_at = now() - interval '25 hours'
    where workspace_id = ${t.app.workspaceId} and id = ${(await contact()).id}`.execute(t.app.db);
  await press('action=undo');
  assert.equal((await contact()).unsubscribed, true);
  assert.doesNotMatch((await visit('GET', url)).text, /value="undo"/);
});

test('one list can be left and joined again; a list of somebody else is 404', async () => {
  const { press, contact, list } = await aLink();
  const other = await t.list([]);
  assert.equal((await press(`action=leave:${other}`)).status, 404);
  await press(`action=leave:${list}`);
  const left = await contact();
  assert.deepEqual([left.list_ids, left.unsubscribed], [[], false]);
  await press(`action=rejoin:${list}`);
  assert.deepEqual((await contact()).list_ids, [list]);
});

test('the page names a list that was left more than a day ago, and lets nobody join it again', async () => {
  const { press, contact, url, list } = await aLink();
  await press(`action=leave:${list}`);
  await sql`update contact_list_members set unsubscribed_at = now() - interval '25 hours'
    where workspace_id = ${t.app.workspaceId} and list_id = ${list}`.execute(t.app.db);
  const { text } = await visit('GET', url);
  assert.match(text, / is no longer on Customers\./);
  assert.doesNotMatch(text, /rejoin:/);
  await press(`action=rejoin:${list}`);
  assert.deepEqual((await contact()).list_ids, []);
});

test('the page names each list; it says that a choice was kept, until it is opened anew', async () => {
  const { press, url, list } = await aLink();
  const opened = await visit('GET', url, { headers: BROWSER });
  assert.doesNotMatch(opened.text, /Your preferences are saved/);
  const left = await press(`action=leave:${list}`, BROWSER);
  assert.deepEqual([left.status, left.headers['location']], [303, `${url}&done=saved`]);
  const shown = await visit('GET', `${url}&done=saved`, { headers: BROWSER });
  assert.match(shown.text, /Your preferences are saved/);
  assert.match(shown.text, /Subscribe to Customers again/);
  assert.doesNotMatch(shown.text, /<script/);
  assert.doesNotMatch((await visit('GET', `${url}&done=other`)).text, /Your preferences are saved/);
  assert.equal((await press('action=leave:nobody', BROWSER)).status, 404, 'a choice that was not kept');
});

test('400 for a damaged link and for a body that says nothing; nobody leaves', async () => {
  const { press, contact, url } = await aLink();
  assert.equal((await visit('GET', `${url}x`)).status, 400);
  assert.equal((await press('action=nonsense')).status, 400);
  assert.equal((await press('')).status, 400);
  assert.equal((await contact()).unsubscribed, false);
  for (const method of ['GET', 'POST'] as const) {
    const preview = await visit(method, '/api/c/unsubscribe?token=preview');
    assert.equal(preview.status, 200, preview.text);
  }
});
