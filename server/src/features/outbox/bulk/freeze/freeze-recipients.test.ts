import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { aWorkspace } from '../../test-kit.ts';
import { freezeRecipients } from './freeze-recipients.ts';
import { countsOfSends } from '../send-counts.ts';
import { activeOf, aFrozenSend, aList, freezeAll, openSend, recount, stateOfSend, statusesOf } from '../test-kit.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  workspaceId = await aWorkspace(t.db);
});

const suppress = (email: string) =>
  sql`insert into suppressions (workspace_id, id, email, reason)
      values (${workspaceId}, ${newId()}, ${email}, 'manual')`.execute(t.db);

async function recipients(sendId: string): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select recipient from emails where workspace_id = ${workspaceId} and send_id = ${sendId} order by recipient`.execute(
    t.db,
  );
  return rows.map((row) => row.recipient);
}

test('each active subscriber gets one pending email, and the freeze closes with their number', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2_345);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 2_345 });
  assert.equal(await stateOfSend(t.db, key), 'releasing');
  const { rows } = await sql<{ total: number; frozen: boolean; cursor: string | null }>`
    select total, frozen_at is not null as frozen, freeze_cursor as cursor from send_requests
     where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(t.db);
  // The cursor is the address of a person: it goes with the freeze.
  assert.deepEqual(rows[0], { total: 2_345, frozen: true, cursor: null });
  const counts = (await countsOfSends(t.db, workspaceId, [key.sendId])).get(key.sendId);
  assert.equal(counts?.total, 2_345);
  assert.equal(counts.waiting, 2_345);
});

test('pending and unsubscribed subscribers are passed over', async () => {
  const newsletterId = await aList(t.db, workspaceId, 10);
  await sql`update subscribers set status = 'pending' where workspace_id = ${workspaceId} and email like '%1@example.com'`.execute(
    t.db,
  );
  await sql`update subscribers set status = 'unsubscribed' where workspace_id = ${workspaceId} and email like '%2@example.com'`.execute(
    t.db,
  );
  const key = await openSend(t.db, workspaceId, newsletterId);
  await freezeAll(t.db, key, newsletterId, 3);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 8 });
});

test('a suppressed address is settled at once, with its event and the deliveries of it', async () => {
  const newsletterId = await aList(t.db, workspaceId, 5);
  await suppress('reader-0000002@example.com');
  const webhookId = newId();
  await sql`insert into webhooks (workspace_id, id, url, secret, events)
    values (${workspaceId}, ${webhookId}, 'http://127.0.0.1:59999/', ${Buffer.from('x')}, '{reject}')`.execute(t.db);
  const key = await openSend(t.db, workspaceId, newsletterId);
  await freezeAll(t.db, key, newsletterId, 2);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 4, suppressed: 1 });
  const { rows } = await sql<{ recipient: string; reason: string; deliveries: number }>`
    select v.recipient, v.event_data -> 'reject' ->> 'reason' as reason,
           (select count(*)::integer from webhook_deliveries d where d.workspace_id = v.workspace_id and d.event_id = v.id) as deliveries
      from email_events v where v.workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(rows, [{ recipient: 'reader-0000002@example.com', reason: 'suppressed', deliveries: 1 }]);
  const counts = (await countsOfSends(t.db, workspaceId, [key.sendId])).get(key.sendId);
  assert.ok(counts);
  const { unsubscribed, firstEventAt, lastEventAt, ...counted } = counts;
  assert.deepEqual(counted, await recount(t.db, key));
  assert.ok(firstEventAt !== null && lastEventAt !== null && unsubscribed === 0);
});

test('a page tells of the emails that it has written, and not of another one between its addresses', async () => {
  const newsletterId = await aList(t.db, workspaceId, 5);
  await suppress('reader-0000002@example.com');
  const key = await openSend(t.db, workspaceId, newsletterId);
  await sql`insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status)
    select workspace_id, ph_uuidv7(), id, content_id, 'reader-0000003@example.com', 2, -1, 'suppressed' from send_requests
     where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(t.db);
  await freezeAll(t.db, key, newsletterId);
  const { rows } =
    await sql`select recipient from email_events where workspace_id = ${workspaceId} and type = 'reject'`.execute(t.db);
  assert.deepEqual(rows, [{ recipient: 'reader-0000002@example.com' }]);
});

test('the suppressed addresses of a page are counted together', async () => {
  const newsletterId = await aList(t.db, workspaceId, 100);
  await sql`insert into suppressions (workspace_id, id, email, reason)
    select workspace_id, ph_uuidv7(), email, 'manual' from subscribers
     where workspace_id = ${workspaceId} order by email limit 90`.execute(t.db);
  const key = await openSend(t.db, workspaceId, newsletterId);
  await freezeAll(t.db, key, newsletterId);
  const { rows } =
    await sql`select suppressed from email_counts where workspace_id = ${workspaceId} and tag = ''`.execute(t.db);
  assert.deepEqual(rows, [{ suppressed: 90 }]);
});

test('a suppression that has expired settles nobody', async () => {
  const newsletterId = await aList(t.db, workspaceId, 2);
  await suppress('reader-0000002@example.com');
  await sql`update suppressions set expires_at = now() - interval '1 second' where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  const key = await openSend(t.db, workspaceId, newsletterId);
  await freezeAll(t.db, key, newsletterId);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 2 });
});

test('a page does not wait for another process that holds the send', async () => {
  const newsletterId = await aList(t.db, workspaceId, 2);
  const key = await openSend(t.db, workspaceId, newsletterId);
  await inTransaction(t.db, async (tx) => {
    await sql`select from send_requests where workspace_id = ${workspaceId} and id = ${key.sendId} for update`.execute(
      tx,
    );
    assert.deepEqual(await freezeRecipients(t.db, key, activeOf(workspaceId, newsletterId), 5), { outcome: 'busy' });
  });
  assert.deepEqual(await statusesOf(t.db, key), {});
});

test('two processes that freeze at the same time write each recipient once', async () => {
  const newsletterId = await aList(t.db, workspaceId, 1_000);
  const key = await openSend(t.db, workspaceId, newsletterId);
  await Promise.all([1, 2, 3, 4].map(() => freezeAll(t.db, key, newsletterId, 50)));
  assert.deepEqual(await statusesOf(t.db, key), { pending: 1_000 });
  assert.equal(new Set(await recipients(key.sendId)).size, 1_000);
  assert.equal((await countsOfSends(t.db, workspaceId, [key.sendId])).get(key.sendId)?.total, 1_000);
});

test('a page that never commits leaves the boundary where it was, and nobody is written twice or forgotten', async () => {
  const newsletterId = await aList(t.db, workspaceId, 30);
  const key = await openSend(t.db, workspaceId, newsletterId);
  const page = activeOf(workspaceId, newsletterId);
  await freezeRecipients(t.db, key, page, 10);
  await assert.rejects(
    inTransaction(t.db, async (tx) => {
      await freezeRecipients(tx, key, page, 10);
      throw new Error('killed');
    }),
    /killed/,
  );
  assert.equal((await recipients(key.sendId)).length, 10);
  await freezeAll(t.db, key, newsletterId, 10);
  assert.equal(new Set(await recipients(key.sendId)).size, 30);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 30 });
});

test('people who join behind the cursor are not included, and no address is included twice', async () => {
  const newsletterId = await aList(t.db, workspaceId, 10);
  const key = await openSend(t.db, workspaceId, newsletterId);
  const all = activeOf(workspaceId, newsletterId);
  await freezeRecipients(t.db, key, all, 6);
  // A page that begins at the start again, as if the cursor had been lost.
  await freezeRecipients(t.db, key, (_, limit) => all(null, limit), 6);
  assert.equal((await recipients(key.sendId)).length, 6);
  assert.equal((await countsOfSends(t.db, workspaceId, [key.sendId])).get(key.sendId)?.total, 6);
});

test('a cancelled send is not frozen any more', async () => {
  const newsletterId = await aList(t.db, workspaceId, 10);
  const key = await openSend(t.db, workspaceId, newsletterId);
  const freeze = () => freezeRecipients(t.db, key, activeOf(workspaceId, newsletterId), 5);
  await sql`update send_requests set cancelled_at = now() where workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(await freeze(), { outcome: 'stopped' }, 'by a cancel of the send');
  await sql`update send_requests set cancelled_at = null, bulk_state = 'cancelling' where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  assert.deepEqual(await freeze(), { outcome: 'stopped' }, 'by a cancel of the issue');
  assert.deepEqual(await statusesOf(t.db, key), {});
});

test('an empty list closes at once with nobody', async () => {
  const key = await openSend(t.db, workspaceId, newId());
  assert.deepEqual(await freezeRecipients(t.db, key, activeOf(workspaceId, newId()), 5), {
    outcome: 'closed',
    recipients: 0,
    total: 0,
  });
});
