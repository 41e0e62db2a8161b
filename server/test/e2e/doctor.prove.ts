/** `npm start -- doctor` as a command: beside a running Posthorn, without one, and with something wrong. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../harness/data-dir.ts';
import { startProcess } from '../harness/posthorn-process.ts';
import { undoAfter } from '../harness/undo.ts';

const ENTRY = path.join(import.meta.dirname, '../../src/main/posthorn.ts');

function doctor(folder: string, env: Record<string, string> = {}): { code: number | null; output: string } {
  const ran = spawnSync(process.execPath, [ENTRY, 'doctor'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      POSTHORN_DATA_DIR: path.join(folder, 'data'),
      POSTHORN_LOG_LEVEL: 'warn',
      ...env,
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: ran.status, output: `${ran.stdout}${ran.stderr}` };
}

test('the doctor looks beside a running Posthorn and after it, and ends with 1 when it found an error', async (t) => {
  const folder = temporaryFolder(t);
  const running = await startProcess({ env: { POSTHORN_DATA_DIR: path.join(folder, 'data') } });
  undoAfter(t, () => running.stop());

  const beside = doctor(folder);
  assert.equal(beside.code, 0, beside.output);
  assert.match(
    beside.output,
    /^Provider: capture\n\nok {7}capture {2}Nothing leaves this machine.*\n\nAll is well\.\n$/,
  );
  const { status } = await running.fetch('/v1/provider/check');
  assert.equal(status, 200, 'it goes on');
  assert.equal(await running.stop(), 0);

  const alone = doctor(folder);
  assert.deepEqual([alone.code, alone.output], [0, beside.output]);
  const wrong = doctor(folder, { POSTHORN_PROVIDER_URL: 'smtp://ann:secret@127.0.0.1:1' });
  assert.equal(wrong.code, 1, wrong.output);
  assert.match(wrong.output, /error {4}connection {3}127\.0\.0\.1:1: .*\n {22}cause: No session.*\n {22}fix: /);
  assert.match(wrong.output, /\n2 errors, 1 warning\.\n$/);
  assert.doesNotMatch(wrong.output, /secret/);
});

test('a setting with a fault ends the doctor before it looks', (t) => {
  const { code, output } = doctor(temporaryFolder(t), { POSTHORN_PROVIDER_URL: 'ses://nowhere' });
  assert.equal(code, 1);
  assert.match(output, /POSTHORN_PROVIDER_URL names a region that no AWS region looks like/);
});
