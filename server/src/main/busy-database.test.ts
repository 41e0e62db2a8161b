import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { onFaultPoint } from '#platform/fault-points.ts';
import { createLog } from '#platform/log.ts';
import { testSettings, TEST_KEY } from '../../test/harness/app-settings.ts';
import { startBreakableProxy } from '../../test/harness/breakable-proxy.ts';
import { temporaryFolder } from '../../test/harness/data-dir.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { undoAfter } from '../../test/harness/undo.ts';
import { startPosthorn } from './start.ts';

after(() => onFaultPoint(undefined));

test('a process that serves is not ended by a database that does not answer at the end of its start', async (t) => {
  const database = await createTestDatabase({ poolMax: 1 });
  undoAfter(t, () => database.close());
  const proxy = await startBreakableProxy(database.url);
  undoAfter(t, () => proxy.close());
  const settings = testSettings(proxy.url, TEST_KEY, {
    POSTHORN_DATA_DIR: temporaryFolder(t),
    POSTHORN_UNSAFE_DATABASE: 'allow',
    POSTHORN_DASHBOARD_FILES: 'none',
    POSTHORN_HOST: '127.0.0.1',
    PORT: '0',
  });
  onFaultPoint(async (name) => {
    if (name === 'start.after-listen') await proxy.breakDown();
  });
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const running = await startPosthorn({ settings, roles: ['api'], log, say: () => undefined });
  undoAfter(t, () => running.stop());
  assert.ok(running.url);
  assert.equal((await fetch(`${running.url}/health`, { headers: { connection: 'close' } })).status, 503);
  assert.match(lines.join(''), /whether sending is held could not be read/);
  await proxy.mend();
  assert.equal((await fetch(`${running.url}/health`, { headers: { connection: 'close' } })).status, 200);
});
