import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProcess } from '../harness/posthorn-process.ts';

test('a closed terminal ends the process as SIGTERM does: in good order, with 0', { timeout: 90_000 }, async () => {
  const posthorn = await startProcess({ env: { POSTHORN_LOG_LEVEL: 'info' }, startTimeoutMs: 60_000 });
  posthorn.child.kill('SIGHUP');
  assert.equal(await posthorn.ended, 0);
  assert.match(posthorn.output(), /"signal":"SIGHUP","msg":"stopping"/);
});
