import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createListener } from '#platform/db/listener.ts';
import { createLog } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createQueueSignal, queueSignal } from './queue-signal.ts';
import { accept, aSend, aSweeper, aWorker, aWorkspace, people, queued, RecordingProvider } from '../test-kit.ts';

const log = createLog({ level: 'silent' });
let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const endConnections = (name: string): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = ${name}`.execute(t.db);

test('losing every database connection again and again loses nothing, repeats nothing and ends no process', async () => {
  const ws = await aWorkspace(t.db);
  const count = 60;
  await queued(t.db, ws, 'transactional', people(count));
  const own = openDatabase({ url: t.url, poolMax: 4, applicationName: 'losing', log });
  const provider = new RecordingProvider();
  const worker = aWorker(own.db, provider, { ratePerSecond: 50, leaseSeconds: 2 });
  const sweeper = aSweeper(own.db, 600);
  await worker.start();
  await sweeper.start();
  for (let times = 1; times <= 5; times += 1) {
    await provider.received(times * 8);
    await endConnections('losing');
  }
  const left = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from emails where workspace_id = ${ws}
         and status not in ('sent', 'unconfirmed')`.execute(t.db);
    return rows[0]?.n ?? 0;
  };
  while ((await left()) > 0) await sweeper.swept.next();
  await worker.stop();
  await sweeper.stop();
  await own.close();
  const handedOver = provider.calls.map((call) => call.message.emailId);
  assert.equal(new Set(handedOver).size, handedOver.length, 'none twice');
  const { rows } = await sql<{ id: string; records: number }>`
    select e.id, (select count(*) from email_attempts a where a.workspace_id = e.workspace_id and a.email_id = e.id
                     and a.outcome = 'unconfirmed')::integer as records
      from emails e where e.workspace_id = ${ws} and e.status = 'unconfirmed'`.execute(t.db);
  // A claim whose commit went unheard: its email may never have been handed over, and is on record as unknown.
  for (const row of rows) assert.equal(row.records, 1);
  const sent = new Set(handedOver);
  assert.equal(sent.size + rows.filter((row) => !sent.has(row.id)).length, count, 'none lost');
});

test('a send that another process accepted is heard of at once', async () => {
  const own = openDatabase({ url: t.url, poolMax: 2, applicationName: 'other process', log });
  const listener = createListener({ url: t.url, log, clock: systemClock });
  const here = createQueueSignal({ db: t.db, clock: systemClock, listener });
  await listener.start();
  await here.start();
  const heard = new Moment();
  const off = queueSignal.hear(() => heard.occur());
  const next = heard.next();
  await sql`select pg_notify('posthorn_queued', '')`.execute(own.db);
  await next;
  off();
  await here.stop();
  await listener.stop();
  await own.close();
});

test('an accept wakes the worker of its own process without waiting for a poll', async () => {
  const ws = await aWorkspace(t.db);
  const provider = new RecordingProvider();
  const worker = aWorker(t.db, provider);
  await worker.start();
  // Half a second is a poll. A machine that is busy may take as long once; who waits for polls does each time.
  for (let round = 1, tookMs = 500; tookMs >= 400; round += 1) {
    assert.ok(round <= 3, `it took ${tookMs} ms`);
    for (let looks = 0; looks < 6; looks += 1) await worker.idle.next(); // the poll is at its longest now
    const from = performance.now();
    await accept(t.db, ws, aSend(['ada@example.com']));
    const calls = await provider.received(round);
    tookMs = (calls.at(-1)?.atMs ?? 0) - from;
  }
  await worker.stop();
});
