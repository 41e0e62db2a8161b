import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createHeartbeat, listWorkers } from './worker-heartbeat.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a running process is listed with its roles; a stopped one is not', async () => {
  const heartbeat = createHeartbeat({
    db: t.db,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    roles: ['api', 'worker'],
  });
  await heartbeat.stop();
  await heartbeat.start();
  const [worker, ...others] = await listWorkers(t.db);
  assert.deepEqual(worker?.roles, ['api', 'worker']);
  assert.equal(others.length, 0);
  await heartbeat.stop();
  await heartbeat.stop();
  assert.deepEqual(await listWorkers(t.db), []);
});

test('a process that has been silent for a minute is not listed, and forgotten after an hour', async () => {
  await sql`insert into workers (id, roles, host, pid, last_seen_at) values
    (gen_random_uuid(), '{worker}', 'h', 1, now() - interval '2 minutes'),
    (gen_random_uuid(), '{worker}', 'h', 2, now() - interval '2 hours')`.execute(t.db);
  const heartbeat = createHeartbeat({
    db: t.db,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    roles: ['worker'],
  });
  await heartbeat.start();
  assert.equal((await listWorkers(t.db)).length, 1);
  await heartbeat.stop();
  const { rows } = await sql<{ pid: number }>`select pid from workers`.execute(t.db);
  assert.deepEqual(rows, [{ pid: 1 }]);
});
