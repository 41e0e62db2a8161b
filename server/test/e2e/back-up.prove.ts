/**
 * Runs docs/examples/deploy/back-up.sh on a process that accepts requests meanwhile, and starts a process on the
 * copy.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../harness/data-dir.ts';
import { startProcess } from '../harness/posthorn-process.ts';
import { needsTool } from '../system-tools.ts';

const SCRIPT = join(import.meta.dirname, '../../../docs/examples/deploy/back-up.sh');

test('a backup of the running database contains what was committed before it began', async (t) => {
  if (!needsTool(t, 'psql')) return;
  const folder = temporaryFolder(t);
  const start = (name: string) =>
    startProcess({
      env: { POSTHORN_DATA_DIR: join(folder, name), POSTHORN_SECRET_KEY: undefined },
      startTimeoutMs: 60_000,
    });
  const original = await start('data');
  const suppress = (number: number) =>
    original.fetch('/v1/suppressions', { body: { email: `person-${number}@example.com` } });
  try {
    for (let number = 0; number < 20; number += 1) assert.equal((await suppress(number)).status, 201);
    const backup = promisify(execFile)(SCRIPT, [join(folder, 'data'), join(folder, 'copy')]);
    for (let number = 20; number < 40; number += 1) assert.equal((await suppress(number)).status, 201);
    await backup;
  } finally {
    await original.stop();
  }

  const copy = await start('copy');
  try {
    // The copy knows the key of the original.
    const { body } = await copy.fetch('/v1/suppressions?limit=1', {
      headers: { authorization: `Bearer ${original.key}` },
    });
    const { total } = body as { total: number }; // The answer is JSON of the list endpoint.
    assert.ok(total >= 20 && total <= 40, `${total} suppressions`);
  } finally {
    await copy.stop();
  }
});
