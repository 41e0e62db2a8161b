import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { inTransaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type Counting, countOrRefuse, firstExceeded, forgetAttempts, giveBackAttempt } from './attempt-limits.ts';
import { deletePastCounts } from './queries.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const limit = (subject: string, max: number, windowSeconds = 60) => ({ subject, max, windowSeconds });

let t: TestDatabase;
let counting: Counting;
before(async () => {
  t = await createTestDatabase({ poolMax: 12 });
  counting = { db: t.db, secrets: createSecrets('a master secret for tests, 32 bytes or more') };
});
beforeEach(async () => {
  await sql`truncate attempt_counts`.execute(t.db);
});
after(() => t.close());

const take = (now = NOW, ...limits: ReturnType<typeof limit>[]): Promise<Date | undefined> =>
  firstExceeded(counting, limits, now);

const rows = async (): Promise<{ subject: Buffer; attempts: number }[]> =>
  (await sql<{ subject: Buffer; attempts: number }>`select subject, attempts from attempt_counts`.execute(t.db)).rows;

test('as many as the limit says in one window, which begins with the first; then a new window', async () => {
  const one = limit('one', 3);
  for (let attempt = 0; attempt < 3; attempt += 1) assert.equal(await take(later(attempt * 10), one), undefined);
  assert.deepEqual(await take(later(59), one), later(60));
  assert.equal(await take(later(60), one), undefined);
  assert.deepEqual(await take(later(61), limit('other', 3)), undefined, 'another subject has its own');
});

test('attempts at once are counted one by one: exactly the limit passes', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => take(NOW, limit('at once', 10))));
  assert.equal(answers.filter((refused) => refused === undefined).length, 10);
});

test('a refusal by the narrow limit does not use up the wide one', async () => {
  const both = [limit('minute', 2), limit('hour', 4, 3_600)];
  for (let attempt = 0; attempt < 20; attempt += 1) await take(NOW, ...both);
  assert.equal(await take(later(60), ...both), undefined);
  assert.equal(await take(later(61), ...both), undefined);
  assert.deepEqual(await take(later(120), ...both), later(3_600));
});

test('a refusal says when to come again, in whole seconds', async () => {
  await countOrRefuse(counting, [limit('x', 1)], NOW);
  await assert.rejects(countOrRefuse(counting, [limit('x', 1)], later(0.5)), (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.name, 'rate_limit_error');
    assert.deepEqual([error.extras.retryAfterSeconds, error.extras.resetAt], [60, later(60)]);
    return true;
  });
});

test('a refusal names the limit, and the setting that raises it', async () => {
  const until = 'Wait until 2026-11-21T1';
  const table: [windowSeconds: number, setting: string | undefined, message: string][] = [
    [
      60,
      'POSTHORN_PUBLIC_LIMIT_PER_MINUTE',
      `1 minute. ${until}0:01:00.000Z, or raise POSTHORN_PUBLIC_LIMIT_PER_MINUTE on the server.`,
    ],
    [900, undefined, `15 minutes. ${until}0:15:00.000Z; this limit is fixed.`],
    [3_600, undefined, `1 hour. ${until}1:00:00.000Z; this limit is fixed.`],
    [
      7_200,
      'POSTHORN_PUBLIC_LIMIT_PER_HOUR',
      `2 hours. ${until}2:00:00.000Z, or raise POSTHORN_PUBLIC_LIMIT_PER_HOUR on the server.`,
    ],
  ];
  for (const [windowSeconds, setting, message] of table) {
    const one = { ...limit(`in ${windowSeconds}`, 1, windowSeconds), ...(setting === undefined ? {} : { setting }) };
    await countOrRefuse(counting, [one], NOW);
    await assert.rejects(countOrRefuse(counting, [one], NOW), {
      message: `Too many requests: the limit is 1 in ${message}`,
    });
  }
});

test('0 is unlimited, and counts nothing', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) assert.equal(await take(NOW, limit('x', 0)), undefined);
  assert.deepEqual(await rows(), []);
});

test('a rolled back attempt does not count; an uncommitted one holds the others, and counts', async () => {
  const once = limit('once', 1);
  await assert.rejects(
    inTransaction(t.db, async (tx) => {
      await firstExceeded({ ...counting, db: tx }, [once], NOW);
      throw new Error('undone');
    }),
    /undone/,
  );
  const results = await Promise.all(
    Array.from({ length: 5 }, () =>
      inTransaction(t.db, async (tx) => (await firstExceeded({ ...counting, db: tx }, [once], NOW)) === undefined),
    ),
  );
  assert.deepEqual(results.filter(Boolean).length, 1);
});

test('an attempt can be taken back, and a count forgotten', async () => {
  const one = limit('x', 1);
  await take(NOW, one);
  await giveBackAttempt(counting, one);
  assert.equal(await take(NOW, one), undefined);
  assert.notEqual(await take(NOW, one), undefined);
  await forgetAttempts(counting, one);
  assert.equal(await take(NOW, one), undefined);
});

test('the table tells nobody who was counted: another master secret counts the same subject elsewhere', async () => {
  await take(NOW, limit('ada@example.com', 5));
  await firstExceeded(
    { ...counting, secrets: createSecrets('another secret of 32 characters or more') },
    [limit('ada@example.com', 5)],
    NOW,
  );
  const kept = await rows();
  assert.equal(kept.length, 2);
  for (const { subject } of kept) {
    assert.equal(subject.length, 32);
    assert.equal(subject.includes('ada'), false);
  }
});

test('counts whose window is over are removed, a page at a time, and no others', async () => {
  for (const subject of ['a', 'b', 'c']) await take(NOW, limit(subject, 1));
  await take(later(30), limit('d', 1));
  assert.equal(await deletePastCounts(t.db, later(61), 2), 2);
  assert.equal(await deletePastCounts(t.db, later(61), 2), 1);
  assert.equal((await rows()).length, 1);
});
