import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { BULK_MOVES, BULK_STATES } from './bulk-send.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('the table of moves names exactly the states that the column allows, and no move leads elsewhere', async () => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'send_requests_bulk_state_check'`.execute(
    t.db,
  );
  const allowed = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'::text/g)].map((match) => match[1]);
  assert.deepEqual([...BULK_STATES].sort(), allowed.sort());
  for (const target of Object.values(BULK_MOVES).flatMap((moves) => Object.values<string>(moves))) {
    assert.ok(target in BULK_MOVES, target);
  }
});
