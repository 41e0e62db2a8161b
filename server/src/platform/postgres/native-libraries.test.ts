import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/harness/data-dir.ts';
import { findBinaries, linkLibraries } from './binaries.ts';

test('every library link of the package is made, once, however often it is asked for', (t) => {
  const native = join(temporaryFolder(t), 'native');
  mkdirSync(native);
  const list = join(findBinaries().dir, 'pg-symlinks.json');
  cpSync(list, join(native, 'pg-symlinks.json'));
  mkdirSync(join(native, 'lib'));
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  assert.ok(links.length > 10);
  for (const again of [1, 2]) {
    assert.equal(linkLibraries(native), true, `time ${again}`);
    for (const { source, target } of links) {
      assert.equal(readlinkSync(join(native, '..', target)), source.replace('native/lib/', ''));
    }
  }
});
