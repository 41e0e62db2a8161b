/**
 * Ended work lies behind: no look for due work, no claim, no round of provider events and no look for rows to remove
 * reads more because there is a past. Counted are the rows and the entries of indexes that the statements of a real
 * process have read, by the statistics of PostgreSQL, and not the time that they took.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { deletePastCounts } from '#platform/attempts/queries.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { deleteLapsedClaims } from '#platform/http/idempotency/claim-queries.ts';
import { deleteExpiredAnswers } from '#platform/http/idempotency/queries.ts';
import { createLog } from '#platform/log.ts';
import { sweepUsage } from '#platform/usage/usage-sweeper.ts';
import { eraseTraces } from '../../src/features/consents/erase-traces.ts';
import { forgetLapsedLists } from '../../src/features/consents/deleted-lists.ts';
import { forgetOld } from '../../src/features/feedback/forget-old.ts';
import { retireStaleEvents } from '../../src/features/feedback/queries/lock-waiting-events.ts';
import { purgePending } from '../../src/features/newsletters/subscribers/removal/purge-pending.ts';
import { forgetExpired } from '../../src/features/suppressions/forget-expired.ts';
import { expireDeliveries } from '../../src/features/webhooks/deliveries/expire-deliveries.ts';
import { correctFutureTimes, removeOld } from '../../src/features/webhooks/deliveries/retention.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { fillPast, PAST } from '../harness/fill-past.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

/** Of each table, in half a minute. A look reads some rows for each workspace; a whole table has 20,000 and more. */
const READ_MAX = 4_000;
/** At its start, a process looks for old rules of zones in the 20,000 that wait. Another look would read as many. */
const READ_AT_START: Readonly<Record<string, number>> = { scheduled_emails: 2 * 20_000 };
const KEY = 'past_key_that_every_process_here_knows';
const log = createLog({ level: 'silent' });
const secrets = createSecrets('a secret for tests that is long enough');
const goOn = () => true;
/** Of the process whose looks these are. */
const emptied = { upTo: null };

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ poolMax: 2, queryTimeoutMs: 120_000 });
  const first = await aProcess(); // the home workspace and its key
  await first.stop();
  await fillPast(t.url);
});
after(() => t.close());

const env = { POSTHORN_API_KEY: KEY, POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' };
const aProcess = () => startProcess({ databaseUrl: t.url, env });

/** The tables with a past of which so much was read since the statistics were empty, by connections that ended. */
async function muchRead(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; read: number }>`
    select r.relname as name,
           (coalesce(r.seq_tup_read, 0) + coalesce(r.idx_tup_fetch, 0)
             + coalesce((select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = r.relid), 0))::integer as read
      from pg_stat_user_tables r`.execute(t.db);
  const past = new Set(PAST.map(({ table }) => table));
  return Object.fromEntries(
    rows
      .filter(({ name, read }) => past.has(name) && read > READ_MAX + (READ_AT_START[name] ?? 0))
      .map(({ name, read }) => [name, read]),
  );
}

const forgetReads = () => sql`select pg_stat_reset()`.execute(t.db);

const homeWorkspace = async (): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(t.db);
  return rows[0]?.id ?? assert.fail('no home workspace');
};

/** Nobody answers there. */
async function anEndpoint({ fetch }: PosthornProcess): Promise<void> {
  const body = { url: 'http://127.0.0.1:9/hook', events: ['delivery'] };
  const made = await fetch('/v1/webhooks', { method: 'POST', body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
}

async function aDueScheduled({ fetch }: PosthornProcess, home: string): Promise<void> {
  const body = { from: 'hello@posthorn.test', to: ['later@example.com'], subject: 'Later', text: 'Later' };
  const { status } = await fetch('/v1/scheduled', { method: 'POST', body: { ...body, scheduled_for: 'in 1 hour' } });
  assert.equal(status, 201);
  await sql`update scheduled_emails set scheduled_for = now()
    where workspace_id = ${home} and status = 'scheduled'`.execute(t.db);
}

/** The due work that is not done yet. Eleven emails are delivered, by events of the provider. */
async function undone(home: string): Promise<string[]> {
  const { rows } = await sql<Record<string, boolean>>`
    select (select count(*) from emails where workspace_id = ${home} and status = 'delivered') = 11 as emails,
           exists (select from scheduled_emails where workspace_id = ${home} and status = 'sent') as scheduled,
           exists (select from provider_notifications
                    where source = 'ses' and id = 'due' and processed_at is not null) as notification,
           exists (select from webhook_deliveries where workspace_id = ${home} and attempt > 0) as webhook`.execute(
    t.db,
  );
  return Object.entries(rows[0] ?? {}).flatMap(([name, done]) => (done ? [] : [name]));
}

test('a process that finds, claims, sends, applies and delivers what is due reads none of what was done before', async (context) => {
  // As an hour later: its rounds are due.
  await sql`update rounds set next_at = now()`.execute(t.db);
  const posthorn = await aProcess();
  undoAfter(context, () => posthorn.stop());
  const home = await homeWorkspace();
  await anEndpoint(posthorn);
  await sql`insert into provider_notifications (source, id, body) values ('ses', 'due', '{}')`.execute(t.db);
  for (let n = 0; n < 10; n += 1) {
    const body = { from: 'hello@posthorn.test', to: [`due-${n}@example.com`], subject: 'Due', text: 'Due' };
    assert.equal((await posthorn.fetch('/v1/send', { method: 'POST', body })).status, 202);
  }
  await aDueScheduled(posthorn, home);
  await forgetReads();
  let left: string[] = [];
  const allDone = async () => {
    left = await undone(home);
    return left.length === 0 ? true : undefined;
  };
  await until(() => `the end of ${left.join(', ')}`, allDone, { everyMs: 500 }); // a look of the test reads rows, too
  await until('the rounds of the hour', async () => {
    const { rows } = await sql`select from rounds where next_at <= now()`.execute(t.db);
    return rows.length === 0 ? true : undefined;
  });
  // Looks begin at the lowest entry again every ten seconds.
  await sql`select pg_sleep(11)`.execute(t.db);
  for (const path of ['/health', '/metrics']) assert.equal((await posthorn.fetch(path)).status, 200);
  await posthorn.stop();
  assert.deepEqual(await muchRead(), {});
});

/** Of loops that come once in minutes or an hour, and not with the start of a process. */
const LATER_LOOKS: Record<string, (db: Db) => Promise<unknown>> = {
  'notifications, provider events, health and refusals': (db) => forgetOld(db, goOn, emptied),
  'events that fit no email': (db) => retireStaleEvents(db, 24),
  'deliveries that expire': (db) => expireDeliveries({ db, log, clock: systemClock }, null),
  'deliveries, bodies and events of webhooks': removeOld,
  'deliveries that are due too late': correctFutureTimes,
  'kept answers': (db) => deleteExpiredAnswers(db, 1_000),
  'claims of keys': (db) => deleteLapsedClaims(db, 1_000),
  'counts of attempts': (db) => deletePastCounts(db, new Date(), 1_000),
  'windows of limits': (db) => sweepUsage({ db, clock: systemClock }),
  'suppressions that run out': (db) => forgetExpired(db, goOn),
  'pending subscribers': (db) => purgePending({ db, clock: systemClock, secrets, settings: { pendingPurgeDays: 30 } }),
  'traces of people': (db) => eraseTraces({ db, deleteCaptured: async () => {}, deleteRunsOf: async () => {} }),
  'consents of deleted lists': (db) => forgetLapsedLists(db, 1_000),
};

for (const [name, look] of Object.entries(LATER_LOOKS)) {
  test(`the look for what is to be removed reads nothing that stays: ${name}`, async (context) => {
    const worker = openDatabase({ url: t.url, poolMax: 1, applicationName: 'worker', log, byIndex: true });
    context.after(() => worker.close());
    await look(worker.db); // the first look may have work
    await worker.db.executeQuery(sql`select pg_stat_force_next_flush()`.compile(worker.db));
    await forgetReads();
    await look(worker.db);
    await worker.close();
    assert.deepEqual(await muchRead(), {});
  });
}
