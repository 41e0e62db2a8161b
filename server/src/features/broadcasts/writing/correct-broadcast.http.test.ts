import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { contactAudience } from '../recipients/contact-audience.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';

// No worker runs: emails are moved by hand.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

const freeze = () => bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
const correct = (id: string, body?: object) => t.call('POST', `/${id}/correction`, body === undefined ? {} : { body });

const deliver = (recipients: readonly string[]) =>
  sql`update emails e set status = 'delivered', sent_at = now(), delivered_at = now(), content_id = r.content_id,
             content_version = r.content_version
        from send_requests r
       where e.workspace_id = ${t.app.workspaceId} and r.workspace_id = e.workspace_id and r.id = e.send_id
         and e.status = 'pending' and e.recipient = any (${[...recipients]}::text[])`.execute(t.app.db);

/** A broadcast of which contacts 0 and 1 were sent version 1, contact 2 version 2, and contact 3 nothing. */
async function twoVersions(name: string): Promise<Body> {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(4, name) } });
  assert.equal((await t.call('POST', `/${made.id}/send`)).status, 202);
  await freeze();
  assert.equal((await t.call('POST', `/${made.id}/pause`)).status, 200);
  await deliver([`${name}-00000@example.com`, `${name}-00001@example.com`]);
  assert.equal((await t.call('PATCH', `/${made.id}`, { body: { subject: 'Right' } })).status, 200);
  await deliver([`${name}-00002@example.com`]);
  return made;
}

test('201: a correction does not go to those whose email the provider took and then rejected', async () => {
  const wrong = await twoVersions('rejected');
  await sql`update emails set status = 'failed' where workspace_id = ${t.app.workspaceId}
               and recipient = 'rejected-00001@example.com'`.execute(t.app.db);
  const made = await correct(wrong.id, { content_version: 1 });
  const counts = await t.call('GET', `/${made.body.id}/audience-count`);
  assert.deepEqual([counts.body.total, counts.body.will_send], [1, 1]);
});

async function recipientsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select e.recipient from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and r.broadcast_id = ${id} order by e.recipient`.execute(t.app.db);
  return rows.map(({ recipient }) => recipient.replace('@example.com', ''));
}

test('201: a correction goes to exactly those who were sent that version and have not left, as does its copy', async () => {
  const wrong = await twoVersions('first');
  const made = await correct(wrong.id, { content_version: 1 });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    [made.body.status, made.body.subject, made.body.corrects],
    ['draft', 'Right', { id: wrong.id, content_version: 1 }],
  );
  const copy = await t.call('POST', `/${made.body.id}/duplicate`);
  assert.deepEqual(copy.body.corrects, made.body.corrects);
  const refused = await t.call('PATCH', `/${made.body.id}`, { body: { audience: { contact_ids: [] } } });
  assert.deepEqual([refused.status, refused.body.param], [422, 'audience']);
  const root = await t.draft();
  const following = await t.call('PATCH', `/${made.body.id}`, { body: { follow_up_of: root.id } });
  assert.deepEqual([following.status, following.body.param], [422, 'follow_up_of']);
  assert.equal((await t.read(made.body.id)).follow_up_of, null);
  const same = { subject: 'Sorry', audience: made.body.audience };
  assert.equal((await t.call('PATCH', `/${made.body.id}`, { body: same })).status, 200);

  assert.equal((await t.call('GET', `/${made.body.id}/audience-count`)).body.will_send, 2);
  const answer = await t.call('POST', `/${made.body.id}/send`);
  assert.deepEqual([answer.status, answer.body.total_recipients], [202, 2]);
  await freeze();
  assert.deepEqual(await recipientsOf(made.body.id), ['first-00000', 'first-00001']);

  await sql`update contacts set unsubscribed_at = now() where workspace_id = ${t.app.workspaceId}
    and email = 'first-00000@example.com'`.execute(t.app.db);
  assert.equal((await t.call('POST', `/${copy.body.id}/send`)).status, 202);
  await freeze();
  assert.deepEqual(await recipientsOf(copy.body.id), ['first-00001']);
});

test('201: without a version it goes to everybody who was sent the broadcast', async () => {
  const wrong = await twoVersions('all');
  const made = await correct(wrong.id);
  assert.deepEqual(made.body.corrects, { id: wrong.id, content_version: null });
  await t.call('POST', `/${made.body.id}/send`);
  await freeze();
  assert.deepEqual(await recipientsOf(made.body.id), ['all-00000', 'all-00001', 'all-00002']);
});

test('409 before the broadcast is sent, 422 for a version that nobody was sent; nothing is written', async () => {
  const draft = await t.draft();
  assert.equal((await correct(draft.id)).status, 409);
  const wrong = await twoVersions('none');
  const before = (await t.call('GET', '')).body.data.length;
  const none = await correct(wrong.id, { content_version: 3 });
  assert.deepEqual([none.status, none.body.param], [422, 'content_version']);
  assert.equal((await t.call('GET', '')).body.data.length, before);
});
