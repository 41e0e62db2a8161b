/**
 * The clocks of the database and of Posthorn are set forward and back by an hour while mail is sent: nothing is sent
 * early, twice or never, and nothing waits for an hour.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startServer, temporaryFolder } from '../../harness/data-dir.ts';
import type { PosthornProcess } from '../../harness/posthorn-process.ts';
import { TEST_SETTINGS } from '../../harness/shared-server.ts';
import type { FaultRule } from '../../harness/smtp-faults.ts';
import { makeSteppedClock, type SteppedClock } from '../../harness/stepped-clock.ts';
import { undoAfter } from '../../harness/undo.ts';
import { until } from '../../harness/until.ts';
import { needsTool } from '../../system-tools.ts';
import { assertFound } from './assert-found.ts';
import { FLAWLESS, tally } from './compare-records.ts';
import { aList, anIssue, ask } from './issue-rig.ts';
import { createRig, type Rig, untilTrue } from './rig.ts';

const HOUR = 3_600;
const RATE = 40;
const CONNECTIONS = 10;
/** A message that has not come by then waits for an hour. */
const PATIENCE_MS = 120_000;
/** At most this much of the rate leaves at once: half a second of slots before the step, and as much after it. */
const AT_ONCE = RATE + CONNECTIONS;

interface Stepped {
  rig: Rig;
  /** Of the database. */
  database: SteppedClock;
  /** Of the processes of Posthorn. */
  posthorn: SteppedClock;
  send(name: string, count: number): Promise<void>;
}

async function createSteppedRig(t: TestContext): Promise<Stepped> {
  const [database, posthorn] = [makeSteppedClock(t), makeSteppedClock(t)];
  const { environment } = database;
  const { server } = await startServer(t, { dataDir: temporaryFolder(t), settings: TEST_SETTINGS, environment });
  const rig = await createRig({
    databaseUrl: server.url,
    env: {
      POSTHORN_SEND_RATE: String(RATE),
      POSTHORN_PROVIDER_CEILING: String(RATE),
      POSTHORN_UNSAFE_DATABASE: 'allow',
      ...posthorn.environment,
    },
  });
  undoAfter(t, rig.close);
  const send = (name: string, count: number): Promise<void> =>
    rig.client.sendUntilAccepted({
      key: name,
      sends: [Array.from({ length: count }, (_, number) => `${name}-${number}@example.net`)],
    });
  return { rig, database, posthorn, send };
}

/** The looks of these two decide about mail. Rounds that delete what is old say the same of their own. */
const HOLDERS = ['leases, retries and expiry of emails', 'scheduled issues'];

/** Both have seen the step, and hold the work that is due by the new time. */
const isStepNoticed = (process: PosthornProcess): boolean => {
  const lines = process.output().split('\n');
  return HOLDERS.every((holds) => lines.some((line) => line.includes('went forward') && line.includes(holds)));
};

test('steps of the clock', { timeout: 300_000 }, async (t) => {
  if (!needsTool(t, 'faketime')) return;
  const stepped = await createSteppedRig(t);
  const { rig } = stepped;
  // Living workers are to lose nothing, on however busy a machine.
  const first = await rig.start('all', [], { POSTHORN_LEASE_SECONDS: '60' });
  const issuePath = await anIssue(first, await aList(rig, first, 'early', 3));
  const inFortyMinutes = new Date(Date.now() + 40 * 60_000).toISOString();
  assert.equal((await ask(first, `${issuePath}/schedule`, { scheduled_for: inFortyMinutes })).status, 200);

  await t.test('forward: what is with the provider is sent once, new mail is sent, and nothing scheduled starts', () =>
    setForward(stepped, first),
  );
  await t.test('forward and right again: neither the emails of a dead worker nor retries wait for an hour', () =>
    setRightAgain(stepped, first),
  );
  await t.test('back: mail goes on, at its rate', () => setBack(stepped));
  await t.test('by two seconds, or of one machine alone: mail goes on', () => setALittle(stepped));

  await rig.untilQuiet();
  assert.deepEqual(await rig.query(`select status from issues`), [{ status: 'scheduled' }]);
  const found = await rig.compare();
  t.diagnostic(tally(found));
  assertFound(found, FLAWLESS);
});

async function setForward({ rig, database, posthorn, send }: Stepped, process: PosthornProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const later: FaultRule = {
    at: 'rcpt',
    act: 'reply',
    reply: '451 4.7.1 later',
    address: 'later-0@example.net',
    times: 1,
  };
  rig.sink.setFaults({ rules: [later, { at: 'dot', act: 'hold', until: promise }] });
  await send('forward', CONNECTIONS + 2);
  await untilTrue(() => rig.sink.commands.filter((line) => line === 'DATA').length === CONNECTIONS, 'too few began');
  database.stepTo(HOUR);
  posthorn.stepTo(HOUR);
  // The round that says it takes nothing away before outcomes are written, 50 ms after they came.
  await untilTrue(() => isStepNoticed(process), 'the step was not noticed');
  resolve();
  await rig.sink.waitFor(CONNECTIONS + 2, PATIENCE_MS);
  await rig.untilQuiet();
  assert.equal(rig.sink.count, CONNECTIONS + 2);
  assert.deepEqual(await rig.query(`select distinct status from emails`), [{ status: 'sent' }]);
  assert.deepEqual(await rig.query(`select status from issues`), [{ status: 'scheduled' }]);
  await send('later', 1);
  await until('the retry', async () => {
    const rows = await rig.query(`select 1 from emails where status = 'deferred'`);
    return rows.length === 1 ? true : undefined;
  });
}

async function setRightAgain({ rig, database, posthorn, send }: Stepped, process: PosthornProcess): Promise<void> {
  rig.sink.setFaults({ rules: [{ at: 'dot', act: 'take-and-hang' }] });
  const before = rig.sink.count;
  await send('dead', 1);
  await rig.sink.waitFor(before + 1, PATIENCE_MS);
  await process.kill();
  rig.sink.setFaults(undefined);
  database.stepTo(0);
  posthorn.stepTo(0);
  // A machine that stands still for longer than a lease twice would leave an email unconfirmed.
  await rig.start('all', [], { POSTHORN_LEASE_SECONDS: '4' });
  // The retry, and the second copy of what the dead worker had handed over.
  await rig.sink.waitFor(before + 3, PATIENCE_MS);
}

async function setBack({ rig, database, send }: Stepped): Promise<void> {
  const before = rig.sink.count;
  await send('back', 2 * AT_ONCE);
  await rig.sink.waitFor(before + 5, PATIENCE_MS);
  database.stepTo(-HOUR);
  const [steppedMs, count] = [performance.now(), rig.sink.count];
  await rig.sink.waitFor(before + 2 * AT_ONCE, PATIENCE_MS);
  for (const [index, { monotonicMs }] of rig.sink.messages.slice(count).entries()) {
    const seconds = (monotonicMs - steppedMs) / 1_000;
    assert.ok(index < AT_ONCE + RATE * seconds, `${index + 1} messages within ${seconds} s`);
  }
}

async function setALittle({ rig, database, posthorn, send }: Stepped): Promise<void> {
  const steps: [string, () => void][] = [
    ['two-forward', () => database.stepTo(-HOUR + 2)],
    ['two-back', () => database.stepTo(-HOUR)],
    ['posthorn-forward', () => posthorn.stepTo(HOUR)],
    ['posthorn-back', () => posthorn.stepTo(-HOUR)],
  ];
  for (const [name, step] of steps) {
    const before = rig.sink.count;
    step();
    await send(name, 5);
    await rig.sink.waitFor(before + 5, PATIENCE_MS);
  }
}
