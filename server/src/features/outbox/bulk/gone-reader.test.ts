import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { until } from '../../../../test/harness/until.ts';
import { createContentStore } from '../compose/content-store.ts';
import { aWorker, aWorkspace, RecordingProvider } from '../test-kit.ts';
import { aFrozenSend, moveBulkSends, statusesOf } from './test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const errorsOf = async (workspaceId: string): Promise<unknown[]> =>
  (await sql<{ error: string }>`select error from emails where workspace_id = ${workspaceId}`.execute(t.db)).rows.map(
    ({ error }) => error,
  );

/** A send to one reader, for whom `change` happens after the claim and before the message is made. */
async function claimedWhen(change: (workspaceId: string) => Promise<unknown>) {
  const workspaceId = await aWorkspace(t.db);
  const key = await aFrozenSend(t.db, workspaceId, 1);
  await moveBulkSends({ db: t.db, ratePerSecond: 12 });
  const provider = new RecordingProvider();
  const logged: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => logged.push(line) } });
  let isChanged = false;
  const contents = createContentStore({
    db: t.db,
    tracking: null,
    audiences: [
      {
        kind: 'newsletter',
        loadRecipients: async () => {
          if (!isChanged) await change(workspaceId);
          isChanged = true;
          return new Map();
        },
      },
    ],
  });
  const worker = aWorker(t.db, provider, { contents, log });
  await worker.start();
  try {
    await until('an end', async () => {
      const { queued = 0, sending = 0 } = await statusesOf(t.db, key);
      return queued + sending === 0 ? true : undefined;
    });
  } finally {
    await worker.stop();
  }
  assert.equal(provider.calls.length, 0, 'nothing is handed over');
  return { statuses: await statusesOf(t.db, key), errors: await errorsOf(workspaceId), logged };
}

test('a subscriber deleted between the claim and the message counts as unsubscribed, and the message has no fault', async () => {
  const gone = await claimedWhen((ws) => sql`delete from subscribers where workspace_id = ${ws}`.execute(t.db));
  assert.deepEqual(gone, { statuses: { suppressed: 1 }, errors: ['unsubscribed'], logged: [] });
});

test('an email cancelled between the claim and the message is cancelled, even if its reader is deleted', async () => {
  const gone = await claimedWhen(async (ws) => {
    await sql`update send_requests set cancelled_at = now() where workspace_id = ${ws}`.execute(t.db);
    await sql`delete from subscribers where workspace_id = ${ws}`.execute(t.db);
  });
  assert.deepEqual([gone.statuses, gone.logged], [{ cancelled: 1 }, []]);
});

test('a message that cannot be made for a subscriber on the list is our mistake: it fails and is logged', async () => {
  const { statuses, errors, logged } = await claimedWhen(async () => undefined);
  assert.deepEqual([statuses, errors.length, logged.length], [{ failed: 1 }, 1, 1]);
  assert.match(logged[0] ?? '', /unfit to be sent/);
});
