import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/harness/data-dir.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { explainDataDir } from './explain-failure.ts';

const failureOf = (dataDir: string): Promise<string> =>
  startEmbeddedPostgres({ dataDir, log: { info: () => undefined } }).then(
    () => assert.fail('it started'),
    (error: Error) => error.message,
  );
const REMEDY = 'Give this user a directory that it can write to, or set POSTHORN_DATA_DIR to another one.';

test('a data directory that the system refuses ends with the setting and a remedy', async () => {
  assert.equal(
    await failureOf('/proc/foo'),
    `The data directory /proc/foo cannot be used: it does not exist and cannot be made there. ${REMEDY}`,
  );
  assert.ok(!existsSync('/proc/foo'));
});

test('a data directory that is a file, below a file or a dead link ends with the setting and a remedy', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, 'kept');
  symlinkSync('nowhere', join(folder, 'link'));
  for (const [path, why] of [
    [file, 'a part of the path is a file'],
    [join(file, 'data'), 'a part of the path is a file'],
    [join(folder, 'link'), 'it does not exist and cannot be made there'],
  ] as const)
    assert.equal(await failureOf(path), `The data directory ${path} cannot be used: ${why}. ${REMEDY}`);
  assert.deepEqual(readdirSync(folder), ['file', 'link']);
});

test('a data directory without the right to write ends with the setting and a remedy', () => {
  for (const [code, why] of [
    ['EACCES', 'this user may not write to it'],
    ['EROFS', 'its file system is read-only'],
  ] as const) {
    const message = explainDataDir(Object.assign(new Error(), { code }), '/srv/data')?.message;
    assert.equal(message, `The data directory /srv/data cannot be used: ${why}. ${REMEDY}`);
  }
});
