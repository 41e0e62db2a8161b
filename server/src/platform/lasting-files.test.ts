import assert from 'node:assert/strict';
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/harness/data-dir.ts';
import { undoAfter } from '../../test/harness/undo.ts';
import { linkFolder, makeFolder, moveFile, replaceFile, syncTree, writeNewFile } from './lasting-files.ts';

/** The order in which names appeared and files and folders were brought to the disk. */
function recordCalls(t: TestContext, folder: string): string[] {
  const calls: string[] = [];
  const short = (path: unknown): string => String(path).replace(folder, '').replace(`.${process.pid}`, '.draft') || '/';
  const paths = new Map<unknown, string>();
  const { openSync, fsyncSync } = fs;
  t.mock.method(fs, 'openSync', (path: string, flags: string, mode?: number) => {
    const fd = openSync(path, flags, mode);
    paths.set(fd, short(path));
    return fd;
  });
  t.mock.method(fs, 'fsyncSync', (fd: number) => {
    calls.push(`sync ${paths.get(fd)}`);
    fsyncSync(fd);
  });
  for (const name of ['linkSync', 'renameSync', 'symlinkSync'] as const) {
    const original: (from: string, to: string) => void = fs[name];
    t.mock.method(fs, name, (from: string, to: string) => {
      calls.push(`${name} ${short(to)}`);
      original(from, to);
    });
  }
  syncBuiltinESMExports();
  undoAfter(t, () => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return calls;
}

test('a new file is on the disk before it has its name, and its name before the call returns', (t) => {
  const folder = temporaryFolder(t);
  const calls = recordCalls(t, folder);
  writeNewFile(join(folder, 'key'), 'secret\n');
  assert.deepEqual(calls, ['sync /key.draft', 'linkSync /key', 'sync /']);
  assert.equal(readFileSync(join(folder, 'key'), 'utf8'), 'secret\n');
  assert.equal(statSync(join(folder, 'key')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['key']);
});

test('a file that is there is not overwritten', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'key'), 'first');
  assert.throws(() => writeNewFile(join(folder, 'key'), 'second'), { code: 'EEXIST' });
  assert.equal(readFileSync(join(folder, 'key'), 'utf8'), 'first');
  assert.deepEqual(readdirSync(folder), ['key']);
});

test('a file is replaced whole by one that knows its own number, and a failure leaves the old one', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'seen');
  writeFileSync(`${file}.${process.pid}`, 'half'); // a crash left it
  for (const text of ['first', 'second']) {
    await replaceFile(file, (inode) => `${text} ${inode}`);
    assert.equal(readFileSync(file, 'utf8'), `${text} ${statSync(file).ino}`);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }
  const before = readFileSync(file, 'utf8');
  const refuse = (): string => {
    throw new Error('no text');
  };
  await assert.rejects(replaceFile(file, refuse), /no text/);
  assert.equal(readFileSync(file, 'utf8'), before);
  assert.deepEqual(readdirSync(folder), ['seen']);
});

test('a draft that a crash left is written again', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, `key.${process.pid}`), 'half');
  writeNewFile(join(folder, 'key'), 'whole');
  assert.equal(readFileSync(join(folder, 'key'), 'utf8'), 'whole');
});

test('a move and a link are on the disk, in both folders, before the call returns', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'from'));
  mkdirSync(join(folder, 'to'));
  writeFileSync(join(folder, 'from/a'), '');
  const calls = recordCalls(t, folder);
  moveFile(join(folder, 'from/a'), join(folder, 'to/b'));
  linkFolder(join(folder, 'to'), join(folder, 'link'));
  assert.deepEqual(calls, ['renameSync /to/b', 'sync /to', 'sync /from', 'symlinkSync /link', 'sync /']);
});

test('each new folder is on the disk in the folder above it', (t) => {
  const folder = temporaryFolder(t);
  const calls = recordCalls(t, folder);
  makeFolder(join(folder, 'a/b/c'));
  makeFolder(join(folder, 'a/b/c'));
  assert.deepEqual(calls, ['sync /', 'sync /a', 'sync /a/b']);
});

test('a folder that the system refuses is an error, not a loop', () => {
  assert.throws(() => makeFolder('/proc/posthorn/data'), { code: 'ENOENT' });
  assert.ok(!existsSync('/proc/posthorn'));
});

test('a tree is on the disk with every file and folder in it', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/file'), '');
  writeFileSync(join(folder, 'a/b/file'), '');
  const calls = recordCalls(t, folder);
  syncTree(folder);
  assert.deepEqual(calls.sort(), ['sync /', 'sync /a', 'sync /a/b', 'sync /a/b/file', 'sync /a/file']);
});
