import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { newId } from '#platform/ids.ts';
import { expireDeliveries } from './expire-deliveries.ts';
import { deletePageOfWebhookRows } from './queries/retention.ts';
import { correctFutureTimes, removeOld } from './retention.ts';
import { aWebhook, dueDeliveries, endpointOf, forgetDeliveries, type TestWebhook } from './test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const rowsOf = async (workspaceId: string): Promise<number[]> => {
  const { rows } = await sql<{ counts: number[] }>`
    select array[(select count(*) from webhook_deliveries where workspace_id = ${workspaceId}),
      (select count(*) from webhook_bodies where workspace_id = ${workspaceId}),
      (select count(*) from workspace_events where workspace_id = ${workspaceId}),
      (select count(*) from webhook_leases where workspace_id = ${workspaceId})]::integer[] as counts`.execute(t.db);
  return rows[0]?.counts ?? [];
};

async function furnish(age: string): Promise<TestWebhook> {
  const webhook = await aWebhook(t.db, await aWorkspace(t.db), 'http://receiver.test/');
  const { workspaceId } = webhook;
  await dueDeliveries(t.db, webhook, 1_500);
  await sql`insert into workspace_events (workspace_id, id, type, at, payload)
    values (${workspaceId}, ${newId()}, 'domain.verified', now() - ${age}::interval, '{}')`.execute(t.db);
  await sql`insert into webhook_leases (workspace_id, webhook_id, until)
    values (${workspaceId}, ${webhook.id}, now() - ${age}::interval)`.execute(t.db);
  for (const table of ['webhook_deliveries', 'webhook_bodies']) {
    await sql`update ${sql.table(table)} set created_at = now() - ${age}::interval
      where workspace_id = ${workspaceId}`.execute(t.db);
  }
  return webhook;
}

test('deliveries, bodies and events go after 30 days, in pages, and not before', async () => {
  const [old, young] = [await furnish('30 days 1 hour'), await furnish('29 days 23 hours')];
  await removeOld(t.db, () => false);
  assert.deepEqual(await rowsOf(old.workspaceId), [1_500, 1_500, 1, 1], 'a process that ends leaves them to the next');
  await removeOld(t.db);
  assert.deepEqual(await rowsOf(old.workspaceId), [0, 0, 0, 1]);
  assert.deepEqual(await rowsOf(young.workspaceId), [1_500, 1_500, 1, 1]);

  await sql`delete from webhooks where workspace_id = ${old.workspaceId}`.execute(t.db);
  await removeOld(t.db);
  assert.deepEqual(await rowsOf(old.workspaceId), [0, 0, 0, 0], 'the lease of a deleted endpoint is nobody’s');
});

test('a delivery that nobody took for 29 days fails as expired before it is deleted, and its workspace is told', async () => {
  await forgetDeliveries(t.db);
  const [old, young] = [await furnish('29 days 1 hour'), await furnish('28 days 23 hours')];
  const { workspaceId } = old;
  await sql`update webhook_deliveries set status = 'succeeded' where workspace_id = ${workspaceId} and id in (
    select id from webhook_deliveries where workspace_id = ${workspaceId} limit 1)`.execute(t.db);
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const ports = { db: t.db, log, clock: systemClock };
  const { expired, place } = await expireDeliveries(ports, null);
  assert.equal(expired, 1_499);
  const states = await sql`
    select status, error, count(*)::integer as number from webhook_deliveries
     where workspace_id in (${workspaceId}, ${young.workspaceId}) group by status, error order by number`.execute(t.db);
  assert.deepEqual(states.rows, [
    { status: 'succeeded', error: null, number: 1 },
    { status: 'failed', error: 'expired', number: 1_499 },
    { status: 'pending', error: null, number: 1_500 },
  ]);
  const told = await sql<{ target: string; deliveries: number }>`
    select target_id as target, sum((details ->> 'deliveries')::integer)::integer as deliveries from security_log
     where action = 'webhook.deliveries_expired' group by target_id`.execute(t.db);
  assert.deepEqual(told.rows, [{ target: old.id, deliveries: 1_499 }]);
  assert.ok(lines.every((line) => line.includes(old.id)) && lines.length === 2);
  const [before, after] = [await endpointOf(t.db, young), await endpointOf(t.db, old)];
  assert.deepEqual([before.failed, after.failed], [false, true]);
  assert.deepEqual(await expireDeliveries(ports, place), { expired: 0, place }, 'once');
  await removeOld(t.db);
  assert.deepEqual((await rowsOf(workspaceId))[0], 1_500, 'they can be read for a day');
});

test('a deleted workspace leaves no delivery, body, event or lease, and others keep theirs', async () => {
  const [gone, stays] = [await furnish('1 hour'), await furnish('1 hour')];
  for (let page = 1_000; page > 0; ) page = await deletePageOfWebhookRows(t.db, gone.workspaceId, 1_000);
  assert.deepEqual(await rowsOf(gone.workspaceId), [0, 0, 0, 0]);
  assert.deepEqual(await rowsOf(stays.workspaceId), [1_500, 1_500, 1, 1]);
});

test('after the clock was set back, neither deliveries nor the endpoints of a dead process wait until it has caught up', async () => {
  await forgetDeliveries(t.db);
  const webhook = await furnish('-1 hour');
  const { workspaceId } = webhook;
  await sql`update webhook_deliveries set next_attempt_at = created_at where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await sql`update webhook_leases set token = gen_random_uuid() where workspace_id = ${workspaceId}`.execute(t.db);
  const retried = await aWebhook(t.db, workspaceId, 'http://receiver.test/');
  await dueDeliveries(t.db, retried, 1);
  await sql`update webhook_deliveries set next_attempt_at = now() + interval '1 hour'
    where workspace_id = ${workspaceId} and webhook_id = ${retried.id}`.execute(t.db);

  await correctFutureTimes(t.db);

  const { rows } = await sql<{ waiting: number; leaseSeconds: number }>`
    select (select count(*) from webhook_deliveries where workspace_id = ${workspaceId} and next_attempt_at > now())::integer as waiting,
           (select extract(epoch from until - now()) from webhook_leases where workspace_id = ${workspaceId})::integer as "leaseSeconds"`.execute(
    t.db,
  );
  assert.equal(rows[0]?.waiting, 1, 'only a retry that is meant to wait does');
  assert.ok((rows[0]?.leaseSeconds ?? 3_600) <= 60);
});
