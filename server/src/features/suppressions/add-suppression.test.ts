import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import fc from 'fast-check';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { newId } from '#platform/ids.ts';
import { addSuppression, addSuppressions } from './add-suppression.ts';
import { suppressedAmong } from './suppressed-among.ts';
import { SUPPRESSION_REASONS, type SuppressionReason } from './suppression.ts';

let t: TestDatabase;
let workspaceId: string;

before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const stored = async (identity: string, of = workspaceId) => {
  const { rows } = await sql<{ reason: string; source: string | null; note: string | null; expires: Date | null }>`
    select reason, source_email_id as source, note, expires_at as expires from suppressions
     where workspace_id = ${of} and email = ${identity}`.execute(t.db);
  return rows;
};

test('an address is suppressed once, however often it is added', async () => {
  const ctx = { db: t.db, workspaceId };
  const one = { identity: 'ada@example.com', reason: 'manual' as const, note: 'asked by phone' };
  assert.deepEqual(await addSuppression(ctx, one), { added: true });
  assert.deepEqual(await addSuppression(ctx, { ...one, note: 'again' }), { added: false });
  assert.deepEqual(await stored('ada@example.com'), [
    { reason: 'manual', source: null, note: 'asked by phone', expires: null },
  ]);
});

test('a stronger reason replaces a weaker one and never the reverse', async () => {
  const ctx = { db: t.db, workspaceId };
  const sourceEmailId = newId();
  await addSuppression(ctx, { identity: 'bob@example.com', reason: 'hard_bounce' });
  await addSuppression(ctx, { identity: 'bob@example.com', reason: 'complaint', sourceEmailId });
  await addSuppression(ctx, { identity: 'bob@example.com', reason: 'soft_bounce' });
  const [row] = await stored('bob@example.com');
  assert.equal(row?.reason, 'complaint');
  assert.equal(row?.source, sourceEmailId);
});

test('the strongest reason wins in any order, also inside one statement', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...SUPPRESSION_REASONS), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      async (reasons: SuppressionReason[], pageSize) => {
        const identity = `${newId()}@example.com`;
        for (let from = 0; from < reasons.length; from += pageSize) {
          const page = reasons.slice(from, from + pageSize);
          await addSuppressions(
            t.db,
            page.map((reason) => ({ workspaceId, identity, reason })),
          );
        }
        const strongest = SUPPRESSION_REASONS.findLast((reason) => reasons.includes(reason));
        assert.deepEqual(
          (await stored(identity)).map((row) => row.reason),
          [strongest],
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('a suppression that has run out no longer counts, and a new one takes its place', async () => {
  const ctx = { db: t.db, workspaceId };
  const identity = 'eve@example.com';
  await addSuppression(ctx, { identity, reason: 'hard_bounce', expiresAt: new Date(Date.now() - 1_000) });
  assert.equal((await suppressedAmong(t.db, workspaceId, [identity])).size, 0);
  await addSuppression(ctx, { identity, reason: 'soft_bounce' });
  assert.deepEqual([...(await suppressedAmong(t.db, workspaceId, [identity]))], [identity]);
  assert.equal((await stored(identity))[0]?.expires, null);
});

test('a suppression for good is never shortened', async () => {
  const ctx = { db: t.db, workspaceId };
  const identity = 'carol@example.com';
  await addSuppression(ctx, { identity, reason: 'manual' });
  await addSuppression(ctx, { identity, reason: 'complaint', expiresAt: new Date(Date.now() + 60_000) });
  const [row] = await stored(identity);
  assert.deepEqual({ reason: row?.reason, expires: row?.expires }, { reason: 'complaint', expires: null });
});

test('a suppression of one workspace says nothing about another', async () => {
  const other = await aWorkspace(t.db);
  await addSuppression({ db: t.db, workspaceId }, { identity: 'dan@example.com', reason: 'manual' });
  assert.equal((await suppressedAmong(t.db, other, ['dan@example.com'])).size, 0);
  assert.deepEqual(await stored('dan@example.com', other), []);
});
