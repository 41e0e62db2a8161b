import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { EMAIL_MOVES, EMAIL_STATUSES, shownStatus } from './email-status.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('the table of moves names exactly the states that the column allows', async () => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint
     where contypid = 'email_status'::regtype`.execute(t.db);
  const allowed = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'::text/g)].map((match) => match[1]);
  assert.deepEqual([...EMAIL_STATUSES].sort(), allowed.sort());
});

test('every move leads to a state of the table', () => {
  const targets = Object.values(EMAIL_MOVES).flatMap((moves) => Object.values<string>(moves));
  for (const target of targets) assert.ok(target in EMAIL_MOVES, target);
});

test('waiting for another attempt is shown as queued', () => {
  assert.equal(shownStatus('deferred'), 'queued');
  assert.equal(shownStatus('sent'), 'sent');
});
