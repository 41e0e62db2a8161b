import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSettings } from '#platform/config/settings.ts';
import { temporaryFolder } from '../../test/harness/data-dir.ts';
import { masterKey } from './secret-key.ts';

const settingsFor = (dataDir: string) => loadSettings({ POSTHORN_DATA_DIR: dataDir }).settings;

test('a new database gets a key, and every later start the same one', (t) => {
  const dataDir = join(temporaryFolder(t), 'not/yet/there');
  const key = masterKey(settingsFor(dataDir), true);
  assert.match(key, /^[A-Za-z0-9_-]{43}$/);
  for (const isNew of [true, false]) assert.equal(masterKey(settingsFor(dataDir), isNew), key);
});

for (const [content, fault] of [
  ['', 'is empty'],
  ['\n', 'is empty'],
  ['\0'.repeat(44), 'is damaged: it contains zero bytes'],
  ['abcdefgh', 'has 8 characters; it needs at least 32'],
] as const) {
  for (const isNew of [true, false]) {
    test(`a key file with ${JSON.stringify(content)} is refused, and kept (new database: ${isNew})`, (t) => {
      const dataDir = temporaryFolder(t);
      const file = join(dataDir, 'secret-key');
      writeFileSync(file, content);
      assert.throws(() => masterKey(settingsFor(dataDir), isNew), {
        message:
          `The secret key file ${file} ${fault}. Posthorn makes no new key, because the DKIM keys and webhook secrets in its ` +
          'database can be read with the old one only. Restore this file from a backup, or set POSTHORN_SECRET_KEY to its ' +
          'content. Without a backup, move the data directory away and start with an empty one.',
      });
      assert.equal(readFileSync(file, 'utf8'), content);
    });
  }
}

test('a key file that is missing beside a used database is refused, and no new key is made', (t) => {
  const dataDir = temporaryFolder(t);
  assert.throws(() => masterKey(settingsFor(dataDir), false), /secret-key is missing\. Posthorn makes no new key/);
  assert.ok(!existsSync(join(dataDir, 'secret-key')));
});
