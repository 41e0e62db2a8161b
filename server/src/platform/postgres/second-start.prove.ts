import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer, temporaryFolder } from '../../../test/harness/data-dir.ts';
import { startInOwnProcess } from '../../../test/harness/postgres-owner.ts';
import { queryAt } from '../../../test/harness/query.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { lifeOf } from './process-identity.ts';

test('a second start on the same data directory ends with one message that names the first', async (t) => {
  const dataDir = temporaryFolder(t);
  const { server } = await startServer(t, { dataDir });
  const second = await startInOwnProcess(t, dataDir);
  assert.ok(!second.outcome.started);
  assert.equal(
    second.outcome.message,
    `Another Posthorn (process ${process.pid}) is using ${dataDir}. Stop it first, or give this one a data directory of its own ` +
      '(POSTHORN_DATA_DIR). Several processes can share one database through DATABASE_URL.',
  );
  assert.deepEqual(await queryAt(server.url, 'select 1 as one'), [{ one: 1 }], 'the first goes on');
});

test('of four simultaneous starts on a new data directory exactly one gets it', async (t) => {
  const dataDir = temporaryFolder(t);
  const owners = await Promise.all([1, 2, 3, 4].map(() => startInOwnProcess(t, dataDir)));
  const winners = owners.filter(({ outcome }) => outcome.started);
  assert.equal(winners.length, 1);
  for (const { outcome } of owners)
    if (!outcome.started) assert.match(outcome.message, /^Another Posthorn \(process \d+\)/);
  await winners[0]?.end('SIGTERM');
  assert.ok(!existsSync(join(dataDir, 'postgres.lock')));
  const { server } = await startServer(t, { dataDir });
  assert.equal(server.adopted, false);
});

test('a lock of a process that is gone is taken over, also when its number is in use again', (t) => {
  const file = join(temporaryFolder(t), 'lock');
  for (const dead of [
    { pid: process.pid, life: 'an earlier life of this number' },
    { pid: 2 ** 22 + 1, life: 'above the largest pid of Linux' },
  ]) {
    writeFileSync(file, JSON.stringify(dead));
    const lock = takeOwnerLock(file);
    assert.ok(lock.held);
    lock.release();
    assert.deepEqual(readdirSync(join(file, '..')), []);
  }
});

test('a lock that a crash left empty or torn is taken over', (t) => {
  const file = join(temporaryFolder(t), 'lock');
  for (const torn of ['', '{"pid":', 'null', '[]']) {
    writeFileSync(file, torn);
    const lock = takeOwnerLock(file);
    assert.ok(lock.held, JSON.stringify(torn));
    lock.release();
  }
});

test('a lock is held against everybody until it is released, and released only by its owner', (t) => {
  const file = join(temporaryFolder(t), 'lock');
  writeFileSync(file, JSON.stringify({ pid: process.ppid, life: lifeOf(process.ppid) }));
  assert.deepEqual(takeOwnerLock(file), { held: false, ownerPid: process.ppid });
  assert.ok(existsSync(file));
});
