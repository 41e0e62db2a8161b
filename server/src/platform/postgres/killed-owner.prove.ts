import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startServer, temporaryFolder } from '../../../test/harness/data-dir.ts';
import { startInOwnProcess } from '../../../test/harness/postgres-owner.ts';
import { queryAt } from '../../../test/harness/query.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { until } from '../../../test/harness/until.ts';
import { lifeOf } from './process-identity.ts';
import { asUser, chooseServerUser } from './server-user.ts';

const STARTED_AT = 'select pg_postmaster_start_time()::text as started_at';
const postmasterOf = (cluster: string) => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);

/** A server with one committed row, whose owner was ended by kill -9. */
async function orphan(t: TestContext, dataDir: string): Promise<{ url: string; cluster: string }> {
  const owner = await startInOwnProcess(t, dataDir);
  assert.ok(owner.outcome.started);
  const { url, cluster } = owner.outcome;
  await queryAt(url, 'create table kept as select 42 as answer');
  await owner.end('SIGKILL');
  return { url, cluster };
}

test('a server that outlives kill -9 of its owner is adopted, and stopped by the adopter', async (t) => {
  const dataDir = temporaryFolder(t);
  const { url, cluster } = await orphan(t, dataDir);
  const before = await queryAt(url, STARTED_AT);
  const { server } = await startServer(t, { dataDir });
  assert.equal(server.adopted, true);
  assert.equal(server.url, url);
  assert.deepEqual(await queryAt(server.url, STARTED_AT), before);
  assert.deepEqual(await queryAt(server.url, 'select answer from kept'), [{ answer: 42 }]);
  const pid = postmasterOf(cluster);
  await server.stop();
  assert.equal(lifeOf(pid), undefined);
});

test('after kill -9 of owner and server, the next start recovers what was committed', async (t) => {
  const dataDir = temporaryFolder(t);
  const { cluster } = await orphan(t, dataDir);
  process.kill(postmasterOf(cluster), 'SIGKILL');
  const { server } = await startServer(t, { dataDir });
  assert.equal(server.adopted, false);
  assert.deepEqual(await queryAt(server.url, 'select answer from kept'), [{ answer: 42 }]);
});

test('processes that outlive a killed server for a moment hold the next start up, and do not fail it', async (t) => {
  const dataDir = temporaryFolder(t);
  const { url, cluster } = await orphan(t, dataDir);
  const [late] = await queryAt(url, "select pid from pg_stat_activity where backend_type = 'checkpointer'");
  const pid = Number(late?.['pid']);
  process.kill(pid, 'SIGSTOP'); // a busy machine that does not let it run
  undoAfter(t, () => lifeOf(pid) === undefined || process.kill(pid, 'SIGCONT'));
  process.kill(postmasterOf(cluster), 'SIGKILL');
  const starting = startServer(t, { dataDir });
  const refused = async (): Promise<true | undefined> =>
    readFileSync(join(dataDir, 'postgres.log'), 'utf8').includes('pre-existing shared memory block') || undefined;
  await Promise.race([until('the refusal of a second server', refused), starting]);
  process.kill(pid, 'SIGCONT');
  const { server } = await starting;
  assert.deepEqual(await queryAt(server.url, 'select answer from kept'), [{ answer: 42 }]);
});

test('a server that cannot be reached any more is shut down in order and started again', async (t) => {
  const dataDir = temporaryFolder(t);
  const { url, cluster } = await orphan(t, dataDir);
  const lost = postmasterOf(cluster);
  rmSync(new URL(url.replace('@/', '@host/')).searchParams.get('host') ?? '', { recursive: true });
  const { server } = await startServer(t, { dataDir });
  assert.equal(server.adopted, false);
  assert.equal(lifeOf(lost), undefined);
  assert.deepEqual(await queryAt(server.url, 'select answer from kept'), [{ answer: 42 }]);
});

test('a leftover postmaster.pid whose number now belongs to another process is not believed', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await startServer(t, { dataDir });
  const file = join(first.server.cluster, 'postmaster.pid');
  const text = readFileSync(file, 'utf8');
  await first.server.stop();
  // PostgreSQL itself would believe it: the process is there, and it belongs to the user the server runs as.
  const other = spawn('sleep', ['60'], { stdio: 'ignore', ...asUser(chooseServerUser(undefined)) });
  undoAfter(t, () => other.kill());
  writeFileSync(file, text.replace(/^\d+/, String(other.pid)));
  const { server } = await startServer(t, { dataDir });
  assert.equal(server.adopted, false);
  assert.deepEqual(await queryAt(server.url, 'select 1 as one'), [{ one: 1 }]);
});

test('an initdb that was interrupted leaves nothing that a start would take for a database', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await startServer(t, { dataDir });
  await first.server.stop();
  // The remains of a crash: the draft, unfinished, and no cluster.
  rmSync(join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres.new'), 'not even a folder');
  const { server } = await startServer(t, { dataDir });
  assert.deepEqual(await queryAt(server.url, 'select 1 as one'), [{ one: 1 }]);
});
