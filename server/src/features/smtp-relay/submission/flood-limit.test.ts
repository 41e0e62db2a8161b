import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock, type TestClock } from '../../../../test/harness/test-clock.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import { createWrongLogins } from '../sessions/wrong-logins.ts';
import { createFloodLimit } from './flood-limit.ts';

const secrets = createSecrets('a master secret for tests, 32 bytes or more');
let t: TestDatabase;
let clock: TestClock;
before(async () => {
  t = await createTestDatabase({ poolMax: 8 });
});
beforeEach(async () => {
  clock = createTestClock({ held: true });
  await sql`truncate attempt_counts`.execute(t.db);
});
after(() => t.close());

type Limit = (keyId: string) => Promise<void>;
const aProcess = (perMinute: number): Limit => createFloodLimit({ db: t.db, secrets, clock }, perMinute);

async function passes(limit: Limit, keyId = 'key'): Promise<boolean> {
  try {
    await limit(keyId);
    return true;
  } catch (error) {
    assert.ok(error instanceof SmtpReply);
    assert.deepEqual([error.responseCode, error.status], [451, '4.7.1']);
    return false;
  }
}
const passed = async (limits: readonly Limit[], messages: number): Promise<number> => {
  const all = Array.from({ length: messages }, (_, index) => passes(limits[index % limits.length] ?? assert.fail()));
  return (await Promise.all(all)).filter(Boolean).length;
};
const counted = async (): Promise<number> => {
  const { rows } = await sql<{ attempts: number }>`select attempts from attempt_counts`.execute(t.db);
  return rows[0]?.attempts ?? 0;
};

test('of messages at once on three processes exactly the limit passes', async () => {
  assert.equal(await passed([aProcess(50), aProcess(50), aProcess(50)], 500), 50);
});

test('a share is taken for many messages, and what a process does not use is all that is lost', async () => {
  const [one, other] = [aProcess(1_000), aProcess(1_000)];
  assert.ok(await passes(one));
  assert.equal(await counted(), 20);
  assert.equal(await passed([one], 19), 19);
  assert.equal(await counted(), 20, 'no question to the database for the rest of the share');
  assert.ok(await passes(one));
  assert.equal(await passed([other], 2_000), 960);
  assert.equal(await passed([one], 2_000), 19);
});

test('a key that is refused asks the database no more until its minute is over', async () => {
  const one = aProcess(2);
  assert.equal(await passed([one], 20), 2);
  const before = await counted();
  assert.equal(await passed([one], 100), 0);
  assert.equal(await counted(), before);
  clock.advance(59_000);
  await assert.rejects(one('key'), /try again in 1 s/);
  clock.advance(1_000);
  assert.equal(await passed([one], 20), 2);
});

test('other keys have a minute of their own, and 0 is no limit', async () => {
  const one = aProcess(1);
  assert.deepEqual([await passes(one), await passes(one), await passes(one, 'other')], [true, false, true]);
  assert.equal(await passed([aProcess(0)], 1_000), 1_000);
});

test('wrong keys are counted on all processes: a network gains nothing by trying several', async () => {
  const processes = [1, 2, 3].map(() => createWrongLogins({ db: t.db, clock, secrets }));
  const answers: boolean[] = [];
  for (let n = 0; n < 21; n += 1) answers.push(await (processes[n % 3]?.areTooMany('192.0.2.7') ?? assert.fail()));
  assert.deepEqual(answers, [...Array.from({ length: 20 }, () => false), true]);
  assert.equal(await processes[0]?.areTooMany('192.0.2.8'), false);
});
