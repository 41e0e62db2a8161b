import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer, temporaryFolder } from '../../../test/harness/data-dir.ts';

test('a database of another major version is refused with the commands to run, and not touched', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await startServer(t, { dataDir });
  const { cluster } = first.server;
  await first.server.stop();
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  const state = () =>
    readdirSync(cluster, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((file) => `${file} ${statSync(join(cluster, file)).mtimeMs}`);
  const before = state();
  await assert.rejects(startServer(t, { dataDir }), (error: Error) => {
    assert.match(error.message, /was written by PostgreSQL 17; this Posthorn brings PostgreSQL 18/);
    for (const command of [
      'pg_ctl start',
      'pg_dump --format=custom',
      'pg_ctl stop',
      `mv ${cluster} ${cluster}-17`,
      'pg_restore',
    ]) {
      assert.ok(error.message.includes(command), command);
    }
    assert.ok(!error.message.includes(readFileSync(join(cluster, 'posthorn-password'), 'utf8').trim()), 'no password');
    return true;
  });
  assert.deepEqual(state(), before);
  writeFileSync(join(cluster, 'PG_VERSION'), '18\n');
  await startServer(t, { dataDir }); // The refusal has released the directory.
});
