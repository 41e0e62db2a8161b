import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../harness/data-dir.ts';
import { createTestDatabase } from '../harness/database.ts';
import { freePort, startProcess, TEST_SECRET } from '../harness/posthorn-process.ts';
import { PROGRAM } from '../harness/program.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

test('a closed terminal ends the process as SIGTERM does: in good order, with 0', { timeout: 90_000 }, async () => {
  const posthorn = await startProcess({ env: { POSTHORN_LOG_LEVEL: 'info' }, startTimeoutMs: 60_000 });
  posthorn.child.kill('SIGHUP');
  assert.equal(await posthorn.ended, 0);
  assert.match(posthorn.output(), /"signal":"SIGHUP","msg":"stopping"/);
});

test('a supervisor that signals every process, ours by two ways, ends it in good order', {
  timeout: 90_000,
}, async (t) => {
  const dataDir = path.join(temporaryFolder(t), 'data');
  const posthorn = await startProcess({ env: { POSTHORN_DATA_DIR: dataDir, POSTHORN_LOG_LEVEL: 'info' } });
  undoAfter(t, () => posthorn.stop());
  const status = readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  const postmaster = Number(status.split('\n')[0]);
  process.kill(postmaster, 'SIGTERM');
  posthorn.child.kill('SIGTERM');
  await until('it is stopping', async () => posthorn.output().includes('"stopping"') || undefined);
  posthorn.child.kill('SIGTERM');
  assert.equal(await posthorn.ended, 0);
});

/** Loaded before everything else: ends the process in the moment in which it says that it runs. */
const END_WHEN_IT_RUNS = `
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...more) => {
  const isWritten = write(text, ...more);
  if (String(text).startsWith('Posthorn is running')) process.kill(process.pid, 'SIGTERM');
  return isWritten;
};`;

test('a caller that learns that it runs can end it in good order at once', { timeout: 90_000 }, async (t) => {
  const database = await createTestDatabase();
  undoAfter(t, () => database.close());
  const load = `data:text/javascript,${encodeURIComponent(END_WHEN_IT_RUNS)}`;
  const child = spawn(process.execPath, ['--import', load, PROGRAM], {
    cwd: temporaryFolder(t),
    env: {
      PATH: process.env['PATH'],
      PORT: String(await freePort()),
      DATABASE_URL: database.url,
      POSTHORN_SECRET_KEY: TEST_SECRET,
      POSTHORN_UNSAFE_DATABASE: 'allow', // the database of the tests does not sync
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  undoAfter(t, () => child.kill('SIGKILL'));
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
