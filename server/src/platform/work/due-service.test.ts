import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { createLog } from '../log.ts';
import { createDueService } from './due-service.ts';

const log = createLog({ level: 'silent' });
let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a record that becomes due while another takes long waits for that one only, and each is tried once in a round', async () => {
  const clock = createTestClock();
  const due = ['look 1', 'look 2', 'look 3'];
  const tried: string[] = [];
  const service = createDueService(
    { db: t.db, clock, log },
    {
      name: 'things',
      list: async () => due.map((id) => ({ id })),
      start: async ({ id }) => {
        tried.push(id);
        if (id === 'look 1') {
          due.unshift('sooner');
          clock.advance(600);
        }
        return id === 'sooner';
      },
    },
  );
  assert.equal(await service.runOnce(), 1);
  assert.deepEqual(tried, ['look 1', 'sooner', 'look 2', 'look 3']);
});
