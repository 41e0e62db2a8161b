import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { checkServer } from './check-database.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

// The PostgreSQL of the tests runs without either.
test('a database that a power cut can lose is refused, and taken with a warning when a setting says so', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
  await assert.rejects(checkServer(t.db, log, false), /fsync off.*POSTHORN_UNSAFE_DATABASE=allow/);
  assert.deepEqual(lines, []);
  await checkServer(t.db, log, true);
  assert.deepEqual(
    lines.map((line) => /PostgreSQL runs with (\w+) off/.exec(line)?.[1]),
    ['fsync', 'full_page_writes'],
  );
});
