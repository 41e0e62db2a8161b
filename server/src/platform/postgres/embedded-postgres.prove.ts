import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startServer, temporaryFolder } from '../../../test/harness/data-dir.ts';
import { queryAt } from '../../../test/harness/query.ts';
import { until } from '../../../test/harness/until.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a server syncs every commit whatever its files say, checks its pages, and sorts the same everywhere', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await startServer(t, { dataDir });
  await first.server.stop();
  appendFileSync(
    join(first.server.cluster, 'postgresql.conf'),
    "fsync = off\nsynchronous_commit = off\nlisten_addresses = '*'\n",
  );
  const { server } = await startServer(t, { dataDir });
  const [settings] = await queryAt(
    server.url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
       current_setting('listen_addresses') as tcp, current_setting('full_page_writes') as full_page_writes, current_setting('data_checksums') as data_checksums,
       current_setting('server_encoding') as encoding, current_setting('TimeZone') as time_zone,
       (select datlocprovider::text || ' ' || datlocale from pg_database where datname = current_database()) as locale`,
  );
  assert.deepEqual(settings, {
    tcp: '',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    encoding: 'UTF8',
    time_zone: 'UTC',
    locale: 'b C.UTF-8',
  });
});

test('nobody else gets in: no TCP, a password, and files only their owner can open', async (t) => {
  const dataDir = temporaryFolder(t);
  const { server, lines } = await startServer(t, { dataDir });
  assert.deepEqual(await queryAt(server.url, `select current_setting('listen_addresses') as tcp`), [{ tcp: '' }]);
  for (const password of ['', 'wrong']) {
    const client = new pg.Client({ ...server.connection, password });
    await assert.rejects(client.connect(), /password/);
  }
  assert.equal(modeOf(join(server.cluster, 'posthorn-password')), '600');
  assert.equal(modeOf(server.cluster), '700');
  assert.equal(modeOf(server.connection.host), '700');
  assert.equal(modeOf(join(dataDir, 'postgres.log')), '600');
  assert.equal(readFileSync(join(server.cluster, 'posthorn-password'), 'utf8').trim(), server.connection.password);
  assert.ok(!lines.join('\n').includes(server.connection.password), 'the password is not printed');
});

test('a stop leaves nothing running, and the next start finds what was committed', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await startServer(t, { dataDir });
  await queryAt(first.server.url, 'create table kept as select 42 as answer');
  const pid = Number(readFileSync(join(first.server.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  await Promise.all([first.server.stop(), first.server.stop()]);
  await untilGone(pid);
  assert.throws(() => statSync(first.server.connection.host), { code: 'ENOENT' });
  const second = await startServer(t, { dataDir });
  assert.equal(second.server.adopted, false);
  assert.equal(second.server.url, first.server.url);
  assert.deepEqual(await queryAt(second.server.url, 'select answer from kept'), [{ answer: 42 }]);
});

test('the settings of the tests reach the server, and only when asked for', async (t) => {
  const { server } = await startServer(t, { dataDir: temporaryFolder(t), settings: { fsync: 'off' } });
  assert.deepEqual(await queryAt(server.url, 'show fsync'), [{ fsync: 'off' }]);
});

test('a data directory with a path too long for a socket works', async (t) => {
  const dataDir = join(temporaryFolder(t), 'a'.repeat(120));
  const { server } = await startServer(t, { dataDir });
  assert.ok(Buffer.byteLength(join(server.connection.host, '.s.PGSQL.5432')) <= 103);
  assert.equal(dirname(server.cluster), dataDir);
  assert.deepEqual(await queryAt(server.url, 'select 1 as one'), [{ one: 1 }]);
});

/** Its number is the system's until somebody has asked how the process ended, which may be a moment later. */
const untilGone = (pid: number): Promise<true> =>
  until(`the end of process ${pid}`, async () => {
    try {
      process.kill(pid, 0);
      return undefined;
    } catch (error) {
      assert.equal(Reflect.get(Object(error), 'code'), 'ESRCH');
      return true;
    }
  });
