/**
 * A process keeps the connections of its requests apart from those of its services: where all of one side wait for the
 * database, the other side goes on. Locks of another connection make them wait.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../harness/database.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

/** With the roles of the process. */
const REQUESTS = 'posthorn api%';
const SERVICES = 'posthorn worker services';
/** Of each pool. */
const CONNECTIONS = 2;

async function aProcess(t: TestContext, env: Record<string, string> = {}) {
  const database = await createTestDatabase({ poolMax: 1 });
  undoAfter(t, () => database.close());
  const pool = { POSTHORN_DATABASE_POOL: String(CONNECTIONS), POSTHORN_WORKER_DATABASE_POOL: String(CONNECTIONS) };
  const posthorn = await startProcess({ databaseUrl: database.url, env: { ...pool, ...env } });
  undoAfter(t, () => posthorn.stop());
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  undoAfter(t, () => other.end());
  return { posthorn, other };
}

/** Until so many connections of the pool wait for a lock: all of it. */
const untilFull = (other: pg.Client, applicationName: string): Promise<true> =>
  until(`all of ${applicationName} to wait`, async () => {
    const { rows } = await other.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name like $1 and wait_event_type = 'Lock'`,
      [applicationName],
    );
    return rows.length === CONNECTIONS || undefined;
  });

const send = ({ fetch }: PosthornProcess, n: number) =>
  fetch('/v1/send', {
    method: 'POST',
    body: { from: 'hello@posthorn.test', to: [`${n}@example.com`], subject: 'Hello', text: 'Hello' },
  });

test('sends are accepted while all connections of the services wait', async (t) => {
  const { posthorn, other } = await aProcess(t);
  await other.query('begin');
  await other.query(
    'lock table provider_events, provider_notifications, automation_due, imports in access exclusive mode',
  );
  await untilFull(other, SERVICES);
  for (let n = 0; n < 5; n += 1) assert.equal((await send(posthorn, n)).status, 202);
  await untilFull(other, SERVICES);
  await other.query('rollback');
});

test('mail leaves while all connections of the requests wait', async (t) => {
  const { posthorn, other } = await aProcess(t, { POSTHORN_SEND_RATE: '2', POSTHORN_PROVIDER_CEILING: '2' });
  for (let n = 0; n < 20; n += 1) assert.equal((await send(posthorn, n)).status, 202);
  await other.query('begin');
  await other.query('lock table templates in access exclusive mode');
  const waiting = Array.from({ length: CONNECTIONS }, () => posthorn.fetch('/v1/templates'));
  await untilFull(other, REQUESTS);
  const sent = async (): Promise<number> =>
    (await other.query<{ n: number }>(`select count(*)::integer as n from emails where sent_at is not null`)).rows[0]
      ?.n ?? 0;
  const before = await sent();
  await until('more mail to leave', async () => (await sent()) > before + 2 || undefined);
  await untilFull(other, REQUESTS);
  await other.query('rollback');
  for (const answer of waiting) assert.equal((await answer).status, 200);
});
