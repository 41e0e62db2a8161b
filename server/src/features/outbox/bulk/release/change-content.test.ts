import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { until } from '../../../../../test/harness/until.ts';
import { createContentStore } from '../../compose/content-store.ts';
import { resumeSend } from '../../pause/pause-send.ts';
import { aContent, aCtx, aWorker, aWorkspace, RecordingProvider } from '../../test-kit.ts';
import { claimEmails } from '../../worker/queries/claim-emails.ts';
import type { SendKey } from '../bulk-send.ts';
import { statsOfOwners } from '../reading/stats-of-sends.ts';
import { pageOfRecipients } from '../reading/recipients.ts';
import { aFrozenSend, moveBulkSends, plain, statusesOf } from '../test-kit.ts';
import { changeContent, holdPaused } from './change-content.ts';
import type { ContentVersion } from './change-content-queries.ts';
import { pauseBulkSend } from './pause-bulk-send.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const change = (key: SendKey, subject: string): Promise<ContentVersion | null> =>
  inTransaction(t.db, async (tx) =>
    (await holdPaused(tx, key))
      ? (await changeContent(tx, key, { content: aContent({ subject }), personal: plain, links: null })).after
      : null,
  );
const resume = (key: SendKey) => resumeSend(aCtx(t.db, workspaceId), key.sendId);
const release = () => moveBulkSends({ db: t.db, ratePerSecond: 12 });
const claim = (db = t.db, slots = 10) =>
  claimEmails(db, { slots, bulk: slots, leaseToken: newId(), leaseSeconds: 60, onRecord: true });

/** The version on record and the subject of that content, by address. */
async function versionsOf({ sendId }: SendKey): Promise<Record<string, [number, string]>> {
  const { rows } = await sql<{ recipient: string; version: number; subject: string }>`
    select e.recipient, e.content_version as version, c.subject from emails e
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} order by e.recipient`.execute(t.db);
  return Object.fromEntries(rows.map((row) => [row.recipient.slice(0, 14), [row.version, row.subject]]));
}

const byVersion = async (key: SendKey) => {
  const stats = (await statsOfOwners(t.db, workspaceId, [{ id: key.sendId, sendId: key.sendId }])).get(key.sendId);
  return stats?.by_version.map((one) => [one.content_version, one.sent, one.delivered]);
};

const settle = (ids: readonly string[], status: string) =>
  sql`update emails set status = ${status}, sent_at = now(), lease_token = null, lease_until = null,
             delivered_at = case when ${status} = 'delivered' then now() end
       where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])`.execute(t.db);

/** An email that a message is made for while the content changes; the provider then gets them all. */
test('an email that is being composed when the content changes leaves and is recorded with its version, the rest with the next', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 3);
  await release();
  const provider = new RecordingProvider();
  let composed = 0;
  const contents = createContentStore({
    db: t.db,
    tracking: null,
    audiences: [
      {
        kind: 'newsletter',
        // After the claim, before the message is made.
        loadRecipients: async (emails) => {
          composed += 1;
          if (composed === 1) {
            await pauseBulkSend(t.db, key, aCtx(t.db, workspaceId));
            assert.equal((await change(key, 'Second'))?.contentVersion, 2);
            await resume(key);
          }
          return new Map(emails.map(({ emailId }) => [emailId, { variables: {}, headers: [] }]));
        },
      },
    ],
  });
  const worker = aWorker(t.db, provider, { contents, ratePerSecond: 20 });
  await worker.start();
  try {
    await until('all are sent', async () => {
      await release();
      return (await statusesOf(t.db, key))['sent'] === 3 ? true : undefined;
    });
  } finally {
    await worker.stop();
  }
  const left = provider.calls.map(({ message }) => [message.envelope.to[0]?.slice(0, 14), message.subject]);
  const recorded = Object.entries(await versionsOf(key)).map(([to, [, subject]]) => [to, subject]);
  assert.deepEqual(left.toSorted(), recorded.toSorted(), 'each left with the content that its record says');
  const subjects = left.map(([, subject]) => subject);
  assert.ok(subjects.includes('Your receipt') && subjects.includes('Second'), subjects.join());
});

test('a claim that commits after the change keeps the version that it read, and what it passed over gets the next', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 3);
  await release();
  const ids = await inTransaction(t.db, async (tx) => {
    const { emails } = await claim(tx, 1);
    await pauseBulkSend(t.db, key, aCtx(t.db, workspaceId));
    await change(key, 'Second');
    return emails.map(({ id }) => id);
  });
  assert.equal(ids.length, 1);
  await settle(ids, 'delivered');
  const waiting = await pageOfRecipients(t.db, key, { limit: 10 });
  assert.deepEqual(
    waiting.map((one) => [one.status, one.contentVersion]).toSorted(),
    [
      ['delivered', 1],
      ['pending', 2],
      ['pending', 2],
    ],
    'who waits will get the next',
  );
  await resume(key);
  await release();
  const { emails } = await claim();
  assert.equal(emails.length, 2);
  await settle(
    emails.map(({ id }) => id),
    'sent',
  );
  assert.deepEqual(Object.values(await versionsOf(key)).toSorted(), [
    [1, 'Your receipt'],
    [2, 'Second'],
    [2, 'Second'],
  ]);
  assert.deepEqual(await byVersion(key), [
    [1, 1, 1],
    [2, 2, 0],
  ]);
});

test('an email that stayed in the queue through a pause, or goes back to it, gets the version of the next claim', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await release();
  const { emails } = await claim(t.db, 1);
  await pauseBulkSend(t.db, key, aCtx(t.db, workspaceId));
  await change(key, 'Second');
  // The claim of a worker that died, and an email that the pause passed over because a row lock held it.
  await sql`update emails set status = 'queued', lease_token = null, lease_until = null, handoff_at = null
             where workspace_id = ${workspaceId} and send_id = ${key.sendId}`.execute(t.db);
  await resume(key);
  const again = await claim();
  assert.deepEqual([emails.length, again.emails.length], [1, 2]);
  assert.deepEqual(Object.values(await versionsOf(key)), [
    [2, 'Second'],
    [2, 'Second'],
  ]);
  const contents = new Set(again.emails.map(({ contentId }) => contentId));
  assert.ok(contents.size === 1 && !contents.has(emails[0]?.contentId ?? ''), 'the worker composes the new content');
});

test('the content of a send that is not paused, or is cancelled, does not change', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 1);
  assert.equal(await change(key, 'Second'), null);
  await pauseBulkSend(t.db, key, aCtx(t.db, workspaceId));
  await sql`update send_requests set cancelled_at = now() where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(
    t.db,
  );
  assert.equal(await change(key, 'Second'), null);
  assert.deepEqual(Object.values(await versionsOf(key)), [[1, 'Your receipt']]);
  const { rows } =
    await sql`select from replaced_contents where workspace_id = ${workspaceId} and send_id = ${key.sendId}`.execute(
      t.db,
    );
  assert.equal(rows.length, 0);
});
