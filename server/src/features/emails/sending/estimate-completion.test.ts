import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KyselyPlugin, sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { newId } from '#platform/ids.ts';
import { estimateCompletion } from './estimate-completion.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('sends of the same moment share one count of the queue, and the next ones do not wait for a new one', async () => {
  let statements = 0;
  const clock = createTestClock();
  const db = t.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const ctx = { workspaceId: newId(), db, clock, settings: loadSettings({}).settings };

  await estimateCompletion(ctx, 1);
  const forOne = statements;
  assert.ok(forOne > 0);

  clock.advance(6_000);
  statements = 0;
  await Promise.all(Array.from({ length: 16 }, () => estimateCompletion(ctx, 1)));
  assert.equal(statements, forOne);

  clock.advance(1_500);
  const late = await estimateCompletion({ ...ctx, db: t.db.withPlugin(neverAnswers) }, 12);
  assert.ok(late !== null && late > clock.now());
});

test('an estimate knows the rate of the provider', async () => {
  const ctx = {
    workspaceId: newId(),
    db: t.db,
    clock: createTestClock({ held: true }),
    settings: loadSettings({}).settings,
  };
  await sql`update send_pace set provider_rate = 2`.execute(t.db);
  const at = await estimateCompletion(ctx, 24);
  assert.equal((at?.getTime() ?? 0) - ctx.clock.now().getTime(), 12_000);
});

const neverAnswers: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: () => new Promise<never>(() => undefined),
};
