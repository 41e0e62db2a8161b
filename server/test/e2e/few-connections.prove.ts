/**
 * Two processes on a PostgreSQL that takes 20 connections, 3 of them for superusers only, with the settings that
 * docs/operations.md gives for that. The server's own log tells whether it refused a connection.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startServer, temporaryFolder } from '../harness/data-dir.ts';
import { startProcess } from '../harness/posthorn-process.ts';
import { TEST_SETTINGS } from '../harness/shared-server.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const EMAILS = 100;
const AT_ONCE = 16;

test('with max_connections = 20, a whole process and a second worker send and answer, and no connection is refused', async (t) => {
  const [, pool = '', workerPool = ''] =
    /`POSTHORN_DATABASE_POOL=(\d+)` and `POSTHORN_WORKER_DATABASE_POOL=(\d+)`/.exec(PAGE) ?? [];
  const atMost = Number(/they then hold at most (\d+)/.exec(PAGE)?.[1]);
  const dataDir = temporaryFolder(t);
  const { server } = await startServer(t, { dataDir, settings: { ...TEST_SETTINGS, max_connections: '20' } });
  const superuser = new pg.Client({ connectionString: server.url });
  await superuser.connect();
  undoAfter(t, () => superuser.end());
  await superuser.query(`create role app login password 'app'`);
  await superuser.query('create database app owner app');
  const { host, port } = server.connection;
  const databaseUrl = `postgresql://app:app@/app?host=${encodeURIComponent(host)}&port=${port}`;
  const env = {
    POSTHORN_DATABASE_POOL: pool,
    POSTHORN_WORKER_DATABASE_POOL: workerPool,
    POSTHORN_SEND_RATE: '500',
    POSTHORN_PROVIDER_CEILING: '500',
  };
  const whole = await startProcess({ databaseUrl, env });
  undoAfter(t, () => whole.stop());
  const worker = await startProcess({ databaseUrl, env, args: ['--role', 'worker'], listens: false });
  undoAfter(t, () => worker.stop());

  // A request that waits two seconds for a connection of its process is refused with 503; a busy machine does that.
  const ask = (pathname: string, init?: { body: unknown }) =>
    until(pathname, async () =>
      whole.fetch(pathname, init).then(
        ({ status }) => status < 300 || undefined,
        () => undefined,
      ),
    );
  let most = 0;
  let next = 0;
  let counting: Promise<void> | undefined;
  const count = async (): Promise<void> => {
    const { rows } = await superuser.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where usename = 'app'`,
    );
    most = Math.max(most, rows[0]?.count ?? 0);
  };
  const sendOn = async (): Promise<void> => {
    while (next < EMAILS) {
      const to = `person-${(next += 1)}@example.com`;
      const body = { from: 'hello@posthorn.test', to: [to], subject: 'One of many', text: 'Hello' };
      await ask('/v1/send', { body });
      await ask('/health');
      await (counting ??= count().finally(() => (counting = undefined)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect(); // a place is left, for pg_dump
  undoAfter(t, () => client.end());
  await until('every delivery', async () => {
    const { rows } = await client.query<{ all: number; delivered: number }>(
      `select count(*)::int as all, (count(*) filter (where status = 'delivered'))::int as delivered from emails`,
    );
    const { all = 0, delivered = 0 } = rows[0] ?? {};
    return (all >= EMAILS && delivered === all) || undefined;
  });
  t.diagnostic(`at most ${most} connections at once`);
  assert.ok(most <= atMost, `${most} connections; the page allows ${atMost}`);
  assert.doesNotMatch(
    readFileSync(path.join(dataDir, 'postgres.log'), 'utf8'),
    /too many clients|remaining connection slots/,
  );
});
