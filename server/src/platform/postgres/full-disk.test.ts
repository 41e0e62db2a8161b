import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startServer, temporaryFolder } from '../../../test/harness/data-dir.ts';
import { queryAt } from '../../../test/harness/query.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { needsTool, skipTest } from '../../../test/system-tools.ts';

const MEGABYTE = 2 ** 20;
const SHM = '/dev/shm';

/** A folder on a file system with this much room: a mount of its own, or /dev/shm where a container has a small one. */
function smallDisk(t: TestContext, megabytes: number): string | undefined {
  const mountPoint = temporaryFolder(t);
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', mountPoint], {
      stdio: 'ignore',
    });
    undoAfter(t, () => execFileSync('/bin/umount', ['-l', mountPoint]));
    return mountPoint;
  } catch {
    // A container without the right to mount.
  }
  const shm = existsSync(SHM) ? statfsSync(SHM) : undefined;
  if (!shm || shm.blocks * shm.bsize > 256 * MEGABYTE) return undefined;
  const folder = mkdtempSync(join(SHM, 'posthorn-test-'));
  chmodSync(folder, 0o755);
  undoAfter(t, () => rmSync(folder, { recursive: true, force: true }));
  const spare = shm.bavail * shm.bsize - megabytes * MEGABYTE;
  if (spare < 0) return undefined;
  writeFileSync(join(folder, 'filler'), Buffer.alloc(spare));
  return folder;
}

/** Takes all that is left, to the last byte. */
function fill(disk: string): string {
  const file = join(disk, 'rest');
  writeFileSync(file, '');
  for (let chunk = MEGABYTE; chunk >= 1; chunk = Math.floor(chunk / 2)) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(chunk), { flag: 'a' });
    } catch (error) {
      assert.match(String(error), /ENOSPC/);
    }
  }
  return file;
}

const isPlain = (error: Error) => {
  assert.match(error.message, /^The disk is full: \d+ MB are free for .+ Free some space, then start again\.$/);
  return true;
};

test('a new database on a full disk ends with one clear message and leaves no half of it', async (t) => {
  if (!needsTool(t, 'root')) return;
  const disk = smallDisk(t, 12);
  if (!disk) return void skipTest(t, 'neither a mount nor a small /dev/shm is to be had');
  const dataDir = join(disk, 'data');
  await assert.rejects(startServer(t, { dataDir }), isPlain);
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name !== 'postgres.log'),
    [],
  );
});

test('a start on a disk that has filled up says so, and loses nothing', async (t) => {
  if (!needsTool(t, 'root')) return;
  const disk = smallDisk(t, 120);
  if (!disk) return void skipTest(t, 'neither a mount nor a small /dev/shm is to be had');
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  const settings = { min_wal_size: '32MB', max_wal_size: '32MB' };
  const first = await startServer(t, { dataDir, settings });
  await queryAt(first.server.url, 'create table kept as select 42 as answer');
  await first.server.stop();
  const filler = fill(disk);
  await assert.rejects(startServer(t, { dataDir, settings }), isPlain);
  rmSync(filler);
  const again = await startServer(t, { dataDir, settings });
  assert.deepEqual(await queryAt(again.server.url, 'select answer from kept'), [{ answer: 42 }]);
});
