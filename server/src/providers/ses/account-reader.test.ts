import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { type FakeSes, startFakeSes } from '../../../test/harness/fake-ses.ts';
import { SES_ERRORS } from '../../../test/harness/ses-faults.ts';
import { AccountReader } from './account-reader.ts';
import { createSesInspector } from './ses-inspector.ts';

let t: TestDatabase;
let ses: FakeSes;
let reader: AccountReader;
/** The reports that the engine received. */
const rates: (number | null)[] = [];
const pauses: { seconds: number; words: string }[] = [];
const logged: string[] = [];
const log = createLog({ level: 'info', destination: { write: (line: string) => void logged.push(line) } });

before(async () => {
  t = await createTestDatabase();
  ses = await startFakeSes();
});
after(async () => {
  await reader?.stop();
  await ses.stop();
  await t.close();
});
beforeEach(async () => {
  await reader?.stop();
  logged.length = 0;
  ses.setFaults(undefined);
  Object.assign(ses.account, { maxSendRate: 14, max24HourSend: 50_000, sentLast24Hours: 3, productionAccess: true });
  await sql`delete from provider_accounts`.execute(t.db);
  rates.length = 0;
  pauses.length = 0;
  const settings = { region: 'us-east-1', configurationSet: null, connections: 2, endpoint: ses.endpoint };
  const inspector = createSesInspector(settings, { credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  reader = new AccountReader({
    db: t.db,
    clock: systemClock,
    log,
    inspector,
    noteProviderRate: async (_db, rate) => void rates.push(rate),
    pauseForQuota: async (_db, seconds, words) => void pauses.push({ seconds, words }),
  });
});

const account = async () => {
  const { rows } = await sql<Record<string, unknown>>`select * from provider_accounts`.execute(t.db);
  assert.ok(rows.length <= 1);
  return rows[0];
};

test('rate, quota and standing of the account are kept, and the engine is told the rate', async () => {
  assert.equal(await reader.runOnce(), 3_600_000);
  assert.partialDeepStrictEqual(await account(), {
    provider: 'ses',
    max_send_rate: 14,
    max_24_hour_send: 50_000,
    sent_last_24_hours: 3,
    details: { productionAccess: true, sendingEnabled: true, enforcementStatus: 'HEALTHY' },
    error: null,
  });
  ses.account.maxSendRate = 1;
  await reader.runOnce();
  assert.deepEqual(rates, [14, 1]);
  assert.deepEqual(pauses, []);
});

test('a reading that fails keeps what was known, and is warned of once', async () => {
  await reader.runOnce();
  ses.setFaults({ rules: [{ ...SES_ERRORS.denied, operation: 'GetAccount' }] });
  assert.equal(await reader.runOnce(), 300_000);
  await reader.runOnce();
  assert.partialDeepStrictEqual(await account(), { max_send_rate: 14 });
  assert.match(String((await account())?.['error']), /AccessDenied/);
  assert.deepEqual(rates, [14]);
  assert.equal(logged.filter((line) => line.includes('cannot be read')).length, 1);
  ses.setFaults(undefined);
  await reader.runOnce();
  assert.partialDeepStrictEqual(await account(), { error: null });
});

test('a quota that is used up pauses hand-offs, with a word on when it is looked at again', async () => {
  ses.account.max24HourSend = 200;
  ses.account.sentLast24Hours = 200;
  assert.equal(await reader.runOnce(), 600_000);
  const [pause] = pauses;
  assert.equal(pause?.seconds, 600);
  assert.match(pause.words, /^200 of 200 emails .* looked at again every 10 minutes$/);
});

test('an account without a daily limit never pauses', async () => {
  ses.account.max24HourSend = -1;
  ses.account.sentLast24Hours = 1_000_000;
  assert.equal(await reader.runOnce(), 3_600_000);
  assert.deepEqual(pauses, []);
  assert.partialDeepStrictEqual(await account(), { max_24_hour_send: null });
});

test('the first reading comes with the start, which does not wait for it', async () => {
  ses.setFaults({ rules: [{ act: 'hang', operation: 'GetAccount' }] });
  const asked = ses.nextRequest();
  await reader.start();
  assert.equal((await asked).operation, 'GetAccount');
});

test('stopping does not wait for the answer to a reading, whether its request has begun or not', async () => {
  ses.setFaults({ rules: [{ act: 'hang', operation: 'GetAccount' }] });
  for (const hasBegun of [false, true]) {
    const asked = ses.nextRequest();
    await reader.start();
    if (hasBegun) await asked;
    const begunMs = performance.now();
    await reader.stop();
    const tookMs = performance.now() - begunMs;
    assert.ok(tookMs < 5_000, `${tookMs} ms; a call may take ten seconds`);
  }
});

test('the rate that was known before counts from the start on, although nobody answers', async () => {
  await reader.runOnce();
  rates.length = 0;
  ses.setFaults({ rules: [{ act: 'hang', operation: 'GetAccount' }] });
  await reader.start();
  assert.deepEqual(rates, [14]);
});
