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

const ONE_CLICK = 'List-Unsubscribe=One-Click';

/** A contact with the link of an email. `isOld`: the link does not carry the address. */
async function aReader({ isOld = false } = {}) {
  const [contactId = ''] = await t.contacts(1, `gone-${newId()}`);
  const email: string = (await contactOf(contactId)).body.email;
  const made = await t.draft({ audience: { contact_ids: [contactId] } });
  const claims = { workspaceId: t.app.workspaceId, contactId, broadcastId: String(made.id) };
  const token = await signContactLink(t.app.secrets, isOld ? claims : { ...claims, email }, new Date());
  const url = `/api/c/unsubscribe?token=${token}`;
  const press = (body: string) => inject('POST', url, body);
  return { contactId, email, url, press, broadcastId: String(made.id) };
}

async function inject(method: 'GET' | 'POST', url: string, payload?: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await t.app.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { status: answer.statusCode, text: answer.body.replace(/<\/?bdi[^>]*>/g, '') };
}

const contactOf = async (name: string): Promise<{ status: number; body: Body }> =>
  t.app.request({ url: `/v1/contacts/${name}` });
const remove = (name: string, query = '') => t.app.request({ method: 'DELETE', url: `/v1/contacts/${name}${query}` });
const add = (email: string) => t.app.request({ url: '/v1/contacts', body: { email } });

test('200 for the link of a deleted contact; one click is remembered, counted once, and holds for a contact added later', async () => {
  const reader = await aReader();
  const sent = await t.call('POST', `/${reader.broadcastId}/send`);
  assert.equal(sent.status, 202, sent.text);
  await bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
  await remove(reader.contactId);
  const visited = await inject('GET', reader.url);
  assert.equal(visited.status, 200);
  assert.match(visited.text, /value="everywhere"/);
  const pressed = await reader.press(ONE_CLICK);
  assert.equal(pressed.status, 200);
  assert.match(pressed.text, /receives no more mail/);
  await reader.press(ONE_CLICK);
  assert.equal((await t.read(reader.broadcastId)).stats.unsubscribed, 1);
  assert.match((await inject('GET', reader.url)).text, /receives no more mail/);
  await add(reader.email);
  assert.equal((await contactOf(reader.email)).body.unsubscribed, true);
});

test('a batch and a file with the address of a deleted contact who left add nobody who is mailed', async () => {
  const [one, other] = [await aReader(), await aReader()];
  for (const reader of [one, other]) {
    await remove(reader.contactId);
    assert.equal((await reader.press(ONE_CLICK)).status, 200);
  }
  await t.app.request({ url: '/v1/contacts/batch', body: { contacts: [{ email: one.email, first_name: 'Back' }] } });
  assert.equal((await contactOf(one.email)).body.unsubscribed, true);
  const list = await t.list([]);
  const answer = await t.app.request({
    url: `/v1/lists/${list}/import`,
    body: `email\n${other.email}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  assert.ok(answer.status < 300, answer.text);
  const draft = await t.draft({ audience: { list_ids: [list], contact_ids: [(await contactOf(one.email)).body.id] } });
  assert.equal((await t.call('GET', `/${draft.id}/audience-count`)).body.will_send, 0);
  assert.equal((await t.call('POST', `/${draft.id}/send`)).status, 422);
});

test('a contact who was deleted and uploaded again leaves by the link of before, and may undo it', async () => {
  const reader = await aReader();
  await remove(reader.contactId);
  await add(reader.email);
  assert.equal((await reader.press('action=everywhere')).status, 200);
  assert.equal((await contactOf(reader.email)).body.unsubscribed, true);
  await reader.press('action=undo');
  assert.equal((await contactOf(reader.email)).body.unsubscribed, false);
});

test('a link of old mail finds the address by its email; with no record left it answers 200 and stores nothing', async () => {
  const mailed = await aReader({ isOld: true });
  assert.equal((await t.call('POST', `/${mailed.broadcastId}/send`)).status, 202);
  await bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
  await remove(mailed.contactId);
  assert.equal((await mailed.press(ONE_CLICK)).status, 200);
  await add(mailed.email);
  assert.equal((await contactOf(mailed.email)).body.unsubscribed, true);
  const unknown = await aReader({ isOld: true });
  await remove(unknown.contactId);
  const before = await optOuts();
  assert.equal((await unknown.press(ONE_CLICK)).status, 200);
  assert.equal(await optOuts(), before);
});

test('the mark of an erased person stays as it is', async () => {
  const reader = await aReader();
  await remove(reader.contactId, '?erase=true');
  assert.equal((await reader.press(ONE_CLICK)).status, 200);
  const { body } = await t.app.request({ url: '/v1/contacts/batch', body: { contacts: [{ email: reader.email }] } });
  assert.equal((body as Body).skipped, 1);
  assert.equal((await contactOf(reader.email)).status, 404);
});

test('a contact with a new address leaves at both', async () => {
  const reader = await aReader();
  const moved = `moved-${newId()}@example.com`;
  await t.app.request({ method: 'PATCH', url: `/v1/contacts/${reader.contactId}`, body: { email: moved } });
  await add(reader.email);
  assert.equal((await reader.press(ONE_CLICK)).status, 200);
  assert.equal((await contactOf(moved)).body.unsubscribed, true);
  assert.equal((await contactOf(reader.email)).body.unsubscribed, true);
});

const optOuts = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from contact_opt_outs`.execute(t.app.db);
  return rows[0]?.n ?? -1;
};
