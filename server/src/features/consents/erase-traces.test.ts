import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { anEmail, aWorkspace } from '../../../test/harness/builders.ts';
import { deleteCaptured } from '../../../test/harness/captured-emails.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { insertErasures } from './erasure-queries.ts';
import { eraseTraces } from './erase-traces.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

/** Automations are above. */
const deleteRunsOf = async (): Promise<void> => undefined;
const round = () => eraseTraces({ db: t.db, deleteCaptured, deleteRunsOf });

/** Emails that arrived: `each` for every one of these subscribers. */
async function arrived(workspaceId: string, subscriberIds: readonly string[], each: number): Promise<void> {
  const { sendId, contentId } = await anEmail(t.db, workspaceId, {
    status: 'sent',
    recipient: `${newId()}@example.com`,
  });
  await sql`insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, subscriber_id)
    select ${workspaceId}, ph_uuidv7(), ${sendId}, ${contentId}, n || '-' || s || '@example.com', 2, 0, 'sent', s::uuid
      from unnest(${[...subscriberIds]}::text[]) as s, generate_series(1, ${each}) as n`.execute(t.db);
  await insertErasures(t.db, workspaceId, subscriberIds);
}

async function named(workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from emails
    where workspace_id = ${workspaceId} and subscriber_id is not null and recipient not like 'erased-%'`.execute(t.db);
  return rows[0]?.n ?? 0;
}

test('all emails of a person are erased in one round, however many there are', async () => {
  const workspaceId = await aWorkspace(t.db);
  await arrived(workspaceId, [newId()], 1_201);
  assert.equal(await named(workspaceId), 1_201);
  await round();
  assert.equal(await named(workspaceId), 0);
});

test('a round erases people of many workspaces, more than a page of them', async () => {
  const workspaces = await Promise.all([1, 2, 3].map(() => aWorkspace(t.db)));
  for (const workspaceId of workspaces) {
    await arrived(workspaceId, Array.from({ length: 70 }, newId), 2);
  }
  await round();
  assert.deepEqual(await Promise.all(workspaces.map(named)), [0, 0, 0]);
});

test('an event of an erased person is emptied once, and what webhooks were sent of it is removed again', async () => {
  const workspaceId = await aWorkspace(t.db);
  const [subscriberId, eventId] = [newId(), newId()];
  const subscriber = { id: subscriberId, newsletter_id: newId(), status: 'active', email: 'ada@example.com' };
  await sql`insert into workspace_events (workspace_id, id, type, payload)
    values (${workspaceId}, ${eventId}, 'subscriber.created', ${JSON.stringify({ subscriber })})`.execute(t.db);
  await insertErasures(t.db, workspaceId, [subscriberId]);
  const store = () =>
    sql`insert into webhook_bodies (workspace_id, event_id, body) values (${workspaceId}, ${eventId}, 'ada@example.com')`.execute(
      t.db,
    );
  const found = async () => {
    const { rows } = await sql`select e.payload::text as payload, e.xmin::text as version,
        (select count(*)::integer from webhook_bodies b where b.workspace_id = e.workspace_id and b.event_id = e.id) as bodies
      from workspace_events e where e.workspace_id = ${workspaceId} and e.id = ${eventId}`.execute(t.db);
    return rows[0] as { payload: string; version: string; bodies: number };
  };
  await store();
  await round();
  const emptied = await found();
  assert.deepEqual([emptied.payload.includes('ada@'), emptied.bodies], [false, 0]);
  // Rendered before, and stored only now.
  await store();
  await round();
  assert.deepEqual(await found(), emptied);
});
