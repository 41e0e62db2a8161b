import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { aWorkspace } from '../../test-kit.ts';
import { aFrozenSend } from '../test-kit.ts';
import { stopUnsubscribed } from './stop-unsubscribed.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const WAITING = ['pending', 'queued', 'deferred'];
const STATUSES = [...WAITING, 'sending', 'unconfirmed', 'sent', 'delivered', 'bounced', 'failed', 'cancelled'];

test('leaving settles each email that waits, as unsubscribed, and none that has left or is leaving', async () => {
  const workspaceId = await aWorkspace(t.db);
  const { sendId } = await aFrozenSend(t.db, workspaceId, STATUSES.length);
  const { rows: emails } = await sql<{ id: string; subscriberId: string }>`
    select id, subscriber_id as "subscriberId" from emails where workspace_id = ${workspaceId} order by id`.execute(
    t.db,
  );
  for (const [index, { id }] of emails.entries())
    await sql`update emails set status = ${STATUSES[index]}, handoff_at = now()
      where workspace_id = ${workspaceId} and id = ${id}`.execute(t.db);
  await stopUnsubscribed(
    t.db,
    emails.map(({ subscriberId }) => ({ workspaceId, subscriberId })),
  );
  const { rows: after } = await sql<{ status: string; error: string | null; reason: string | null }>`
    select e.status, e.error, v.event_data -> 'reject' ->> 'reason' as reason
      from emails e left join email_events v on v.workspace_id = e.workspace_id and v.email_id = e.id and v.type = 'reject'
     where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} order by e.id`.execute(t.db);
  assert.deepEqual(
    after.map(({ status, error, reason }) => [status, error, reason]),
    STATUSES.map((status) =>
      WAITING.includes(status) ? ['suppressed', 'unsubscribed', 'unsubscribed'] : [status, null, null],
    ),
  );
});

test('leaving takes an email from the worker that has claimed it and not begun', async () => {
  const workspaceId = await aWorkspace(t.db);
  await aFrozenSend(t.db, workspaceId, 1);
  const { rows } = await sql<{ subscriberId: string }>`
    update emails set status = 'sending', lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute'
     where workspace_id = ${workspaceId} returning subscriber_id as "subscriberId"`.execute(t.db);
  await stopUnsubscribed(
    t.db,
    rows.map(({ subscriberId }) => ({ workspaceId, subscriberId })),
  );
  const { rows: after } = await sql`
    select status, error, lease_token from emails where workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(after, [{ status: 'suppressed', error: 'unsubscribed', lease_token: null }]);
});
