import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/harness/data-dir.ts';
import { startOnTestDatabase } from '../../test/harness/posthorn-on-test-database.ts';
import type { WatchedStart } from '../../test/harness/watched-start.ts';
import PACKAGE from '../../package.json' with { type: 'json' };

const WATCH = join(import.meta.dirname, '../../test/harness/watched-start.ts');

/**
 * Of the libraries of package.json, those that every start loads. A further one takes its memory in each process for as
 * long as it runs: load it where its first use is (`await import()`, or `libraryOnFirstUse` in `platform/library.ts`),
 * unless an idle process needs it.
 */
const AT_START = [
  '@csstools/css-parser-algorithms',
  '@csstools/css-tokenizer',
  'ajv',
  'dns-packet',
  'fastify',
  'ipaddr.js',
  'kysely',
  'lru-cache',
  'nodemailer',
  'pg',
  'pino',
  'prom-client',
  'saxes',
  'smtp-server',
  'typebox',
];

test('a process with nothing to do loads the libraries that it needs, no other, and never asks Intl', async (t) => {
  const file = join(temporaryFolder(t), 'seen.json');
  const posthorn = await startOnTestDatabase({ nodeArgs: ['--import', WATCH], env: { WATCHED_START: file } });
  assert.equal(await posthorn.stop(), 0);
  const seen = JSON.parse(readFileSync(file, 'utf8')) as WatchedStart; // written by watched-start.ts
  const loaded = Object.keys(PACKAGE.dependencies).filter((name) => seen.packages.includes(name));
  assert.deepEqual(loaded, AT_START);
  // Its first answer takes 17 MB.
  assert.deepEqual(seen.intl, []);
});
