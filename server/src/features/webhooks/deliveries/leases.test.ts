import assert from 'node:assert/strict';
import { after, afterEach, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { holdSnapshot } from '../../../../test/harness/hold-snapshot.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { inTransaction, openDatabase } from '#platform/db/database.ts';
import { systemClock } from '#platform/clock.ts';
import { createListener, type Listener } from '#platform/db/listener.ts';
import { onFaultPoint } from '#platform/fault-points.ts';
import { createLog } from '#platform/log.ts';
import { deliveryBacklogSeconds } from './delivery-backlog.ts';
import { pageOfDue } from './queries/due-deliveries.ts';
import { disableEndpointRow } from './queries/endpoint-health.ts';
import { leaseLeftMs, takeLeases } from './queries/leases.ts';
import { EndpointStarts } from './worker/endpoint-starts.ts';
import { stopDeliveries } from './worker/stop-deliveries.ts';
import {
  aWebhook,
  aWorker,
  deliveriesOf,
  dueDeliveries,
  endpointOf,
  forgetDeliveries,
  HeldFetch,
  type HeldRequest,
  makeDue,
  serve,
  silent,
  stopWorkers,
  type TestWebhook,
} from './test-kit.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { withRowReads } from '../../../../test/harness/row-reads.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase({ poolMax: 20 });
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());
afterEach(async () => {
  onFaultPoint(undefined);
  await stopWorkers();
  await forgetDeliveries(t.db);
});

const anEndpoint = (url = 'http://receiver.test/'): Promise<TestWebhook> => aWebhook(t.db, workspaceId, url);

const deleteEndpoint = (webhook: TestWebhook): Promise<unknown> =>
  sql`delete from webhooks where workspace_id = ${workspaceId} and id = ${webhook.id}`.execute(t.db);

const disable = (webhook: TestWebhook): Promise<boolean> =>
  disableEndpointRow(t.db, webhook, { reason: 'by hand', stillFailing: false });

const elsewhere = async (): Promise<{ stopDeliveries: typeof stopDeliveries }> => {
  const copy = './worker/stop-deliveries.ts?elsewhere';
  return (await import(copy)) as { stopDeliveries: typeof stopDeliveries }; // the same file
};

const eventually = async (holds: () => Promise<boolean> | boolean, what: string): Promise<void> => {
  for (let tries = 0; !(await holds()); tries += 1) {
    if (tries > 1_000) throw new Error(`never came true: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
    await sql`select pg_sleep(0.01)`.execute(t.db);
  }
};

const allSucceeded = async (webhook: TestWebhook): Promise<boolean> =>
  (await deliveriesOf(t.db, webhook)).every((delivery) => delivery.status === 'succeeded');

const somebodyWaits = async (): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
  return rows.length > 0;
};

test('one process at a time serves an endpoint, and begins with five attempts, however many share the database', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 60);
  const fetches = [new HeldFetch(), new HeldFetch()];
  const workers = fetches.map((safeFetch) => aWorker(t.db, { safeFetch }));
  for (const worker of workers) await worker.start();
  const open = () => fetches.flatMap((fetch) => fetch.requests);
  let answered = 0;
  await eventually(() => open().length === 5, 'five attempts have begun');
  while (answered < 60) {
    const next = open()[answered];
    const of = fetches.filter((fetch) => fetch.requests.length > 0).length;
    assert.equal(of, 1, 'one of them serves it');
    if (next === undefined) await eventually(() => open().length > answered, 'another attempt began');
    else {
      next.answer(200);
      answered += 1;
    }
  }
  await eventually(() => allSucceeded(webhook), 'all are on record');
  for (const worker of workers) await worker.stop();
  assert.equal(open().length, 60, 'none was made twice');
  assert.equal(await leaseLeftMs(t.db, workspaceId, webhook.id), 0);
});

/** Answers everything that is open, and says how many that were. */
async function answerAll(fetches: readonly HeldFetch[], answered: Set<HeldRequest>, status: number): Promise<number> {
  const open = () => fetches.flatMap((fetch) => fetch.requests).filter((request) => !answered.has(request));
  // The database has been asked twice since the last request began: no more begin.
  for (let seen = -1; seen !== open().length || seen === 0; ) {
    seen = open().length;
    await sql`select pg_sleep(0.05)`.execute(t.db);
  }
  const now = open();
  for (const request of now) {
    answered.add(request);
    request.answer(status);
  }
  return now.length;
}

test('an endpoint that answers well gets up to fifty attempts at once, in all processes together, and fewer when it fails', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 400);
  const fetches = [new HeldFetch(), new HeldFetch()];
  const workers = fetches.map((safeFetch) => aWorker(t.db, { safeFetch }));
  for (const worker of workers) await worker.start();
  const answered = new Set<HeldRequest>();
  const atOnce: number[] = [];
  while (atOnce.at(-1) !== 50 && atOnce.length < 10) atOnce.push(await answerAll(fetches, answered, 200));
  assert.deepEqual(atOnce, [5, 10, 20, 40, 50]);
  assert.equal(await answerAll(fetches, answered, 500), 50);
  assert.equal(await answerAll(fetches, answered, 200), 5, 'it answers well no more');
});

test('a dead endpoint beside a healthy one takes nothing from it', async () => {
  const [dead, healthy] = [await anEndpoint('http://dead.test/'), await anEndpoint('http://healthy.test/')];
  await dueDeliveries(t.db, dead, 100);
  await dueDeliveries(t.db, healthy, 200);
  const safeFetch = new HeldFetch();
  safeFetch.auto = (url) => (url.includes('healthy') ? 200 : undefined);
  const worker = aWorker(t.db, { safeFetch });
  await worker.start();
  const toDead = () => safeFetch.requests.filter((request) => request.url.includes('dead')).length;
  await eventually(() => allSucceeded(healthy), 'the healthy one has everything');
  await eventually(() => toDead() >= 5, 'the dead one has what it may have');
  assert.equal(toDead(), 5);
  await deleteEndpoint(dead);
  await stopDeliveries({ db: t.db, clock: systemClock, workspaceId }, dead.id);
  await worker.stop();
});

test('a hundred dead endpoints leave room for one that works', async () => {
  const dead = await Promise.all(Array.from({ length: 110 }, (_, n) => anEndpoint(`http://dead-${n}.test/`)));
  for (const webhook of dead) {
    await dueDeliveries(t.db, webhook, 10);
    await sql`update webhooks set failing_since = now() - interval '1 hour'
      where workspace_id = ${workspaceId} and id = ${webhook.id}`.execute(t.db);
  }
  const safeFetch = new HeldFetch();
  safeFetch.auto = (url) => (url.includes('healthy') ? 200 : undefined);
  const worker = aWorker(t.db, { safeFetch });
  // Two looks in a row, as when more endpoints wait than one steps over: none of the first has been opened yet.
  for (let looks = 0; looks < 2; looks += 1) await worker.runOnce();
  const { rows } = await sql`select from webhook_leases where token is not null`.execute(t.db);
  assert.equal(rows.length, 75);
  await worker.start();
  const toDead = () => safeFetch.requests.filter((request) => request.url.includes('dead')).length;
  await eventually(() => toDead() >= 75 * 5, 'the dead ones have their share');
  const healthy = await anEndpoint('http://healthy.test/');
  await dueDeliveries(t.db, healthy, 20);
  await eventually(() => allSucceeded(healthy), 'the healthy one has everything');
  assert.equal(toDead(), 75 * 5);
  await sql`delete from webhooks where workspace_id = ${workspaceId}`.execute(t.db);
  await Promise.all(dead.map((webhook) => stopDeliveries({ db: t.db, clock: systemClock, workspaceId }, webhook.id)));
  await worker.stop();
});

test('a process that stood still sends nothing late', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 3);
  const clock = createTestClock();
  const safeFetch = new HeldFetch();
  const worker = aWorker(t.db, { safeFetch, clock });
  // Renewals succeed before and after; what counts is the look between standing still and the request.
  let stood = 0;
  onFaultPoint((name) => {
    if (name !== 'webhooks.attempt.before') return;
    stood += 1;
    clock.advance(6_000);
  });
  await worker.start();
  await eventually(() => stood >= 1, 'the process stood still');
  assert.equal(safeFetch.requests.length, 0);
  await sql`delete from webhooks where workspace_id = ${workspaceId} and id = ${webhook.id}`.execute(t.db);
  await worker.stop(); // until then it stands still before each attempt, as often as its lease is renewed
  assert.equal(safeFetch.requests.length, 0);
});

test('a process whose lease was taken over writes nothing, and its attempt is made again by the other', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 1);
  const first = new HeldFetch();
  const frozen = aWorker(t.db, { safeFetch: first });
  await frozen.start();
  if (first.requests.length === 0) await first.began.next();
  // As if it had not answered for longer than the lease: the other finds it over, and takes it.
  onFaultPoint((name) => (name === 'webhooks.record.before' ? handsOver : undefined));
  let handOver = (): void => undefined;
  const handsOver = new Promise<void>((resolve) => (handOver = resolve));
  first.requests[0]?.answer(200);
  await sql`update webhook_leases set token = gen_random_uuid(), until = now() + interval '1 minute'
    where workspace_id = ${workspaceId} and webhook_id = ${webhook.id}`.execute(t.db);
  handOver();
  await frozen.recorded.next();
  onFaultPoint(undefined);
  await frozen.stop();
  const [untouched] = await deliveriesOf(t.db, webhook);
  assert.deepEqual([untouched?.status, untouched?.attempt, untouched?.attempts], ['pending', 0, []]);
  assert.equal((await endpointOf(t.db, webhook)).succeeded, false);

  await sql`update webhook_leases set until = now()
    where workspace_id = ${workspaceId} and webhook_id = ${webhook.id}`.execute(t.db);
  const second = new HeldFetch();
  second.auto = () => 200;
  await serve(aWorker(t.db, { safeFetch: second }), 1);
  const [delivered] = await deliveriesOf(t.db, webhook);
  assert.deepEqual([delivered?.status, delivered?.attempt], ['succeeded', 1]);
});

test('an attempt whose recording lost its answer is not counted twice', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 1);
  const safeFetch = new HeldFetch();
  safeFetch.auto = () => 500;
  let failed = 0;
  onFaultPoint((name) => {
    if (name !== 'webhooks.record.after' || failed > 0) return;
    failed += 1;
    throw new Error('the answer was lost');
  });
  await serve(aWorker(t.db, { safeFetch }), 1);
  const [delivery] = await deliveriesOf(t.db, webhook);
  assert.deepEqual([failed, delivery?.attempt, delivery?.attempts.length], [1, 1, 1]);
});

/** A second each; where the barrier is changed, more of them are worth their time. */
const ROUNDS = propertyRuns({ test: 2, prove: 3 });
for (const [what, change] of [
  ['deleted', deleteEndpoint],
  ['disabled', disable],
] as const) {
  test(`no attempt begins after an endpoint was ${what} and that was answered: ${12 * ROUNDS} races`, async () => {
    const safeFetch = new HeldFetch();
    safeFetch.auto = () => 200;
    const count = (url: string): number => safeFetch.requests.filter((request) => request.url === url).length;
    const listener = createListener({ url: t.url, log: silent, clock: systemClock });
    const workers = [aWorker(t.db, { safeFetch }, listener), aWorker(t.db, { safeFetch }, listener)];
    await listener.start();
    for (const worker of workers) await worker.start();
    // Its own copy of the module, as in another process: the workers hear of it by NOTIFY alone.
    const { stopDeliveries: stopFromElsewhere } = await elsewhere();
    let begun = 0;
    let slowestMs = 0;
    const race = async (url: string, after: number): Promise<() => void> => {
      const webhook = await anEndpoint(url);
      await dueDeliveries(t.db, webhook, 40);
      const patientUntilMs = performance.now() + 30_000;
      while (count(url) < after && performance.now() < patientUntilMs) await sql`select pg_sleep(0.002)`.execute(t.db);
      await change(webhook);
      const startedMs = performance.now();
      await stopFromElsewhere({ db: t.db, clock: systemClock, workspaceId }, webhook.id);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      const atAnswer = count(url);
      begun += atAnswer;
      await makeDue(t.db, webhook);
      return () => assert.equal(count(url), atAnswer, url);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      // Some before the first attempt, some in the middle, some when nearly everything is sent.
      const races = Array.from({ length: 12 }, (_, n) => race(`http://race.test/${what}/${round}/${n}`, n * 3));
      const checks = await Promise.all(races);
      // A look of each worker comes by, one that had begun before the last of it was due, and one after that.
      for (let looks = 0; looks < 2; looks += 1) await Promise.all(workers.map((worker) => worker.idle.next()));
      for (const check of checks) check();
    }
    for (const worker of workers) await worker.stop();
    await listener.stop();
    assert.ok(begun > 50 * ROUNDS && begun < 12 * ROUNDS * 40, `${begun} attempts: the races were races`);
    // A lease that is not given back is held for 15 s, and was renewed in the second before.
    assert.ok(slowestMs < 10_000, `${slowestMs} ms`);
  });
}

test('attempts that are not answered when the endpoint is disabled are given up, and on record', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 8);
  const safeFetch = new HeldFetch();
  const worker = aWorker(t.db, { safeFetch });
  await worker.start();
  await eventually(() => safeFetch.requests.length === 5, 'five attempts have begun');
  await disable(webhook);
  await stopDeliveries({ db: t.db, clock: systemClock, workspaceId }, webhook.id);
  const deliveries = await deliveriesOf(t.db, webhook);
  await worker.stop();
  assert.ok(safeFetch.requests.every((request) => request.aborted));
  const tried = deliveries.filter((delivery) => delivery.attempt === 1);
  assert.equal(tried.length, 5);
  assert.ok(tried.every((delivery) => delivery.status === 'pending' && /disabled/.test(delivery.error ?? '')));
});

/** Takes the second's clock of leases, which workers that are made from here on renew by, out of the test's time. */
const holdRenewals = (context: TestContext): { second(): void } => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  return { second: () => context.mock.timers.tick(1_000) };
};

/** A worker with five attempts under way, which nobody answers. */
async function aBusyWorker(listener?: Listener): Promise<{ webhook: TestWebhook; safeFetch: HeldFetch }> {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 10);
  const safeFetch = new HeldFetch();
  // Longer than the test may take: nothing is renewed while it does not say so.
  await aWorker(t.db, { safeFetch, attemptSeconds: 120 }, listener).start();
  await eventually(() => safeFetch.requests.length === 5, 'five attempts have begun');
  return { webhook, safeFetch };
}

const isBack = async (webhook: TestWebhook): Promise<boolean> =>
  (await leaseLeftMs(t.db, workspaceId, webhook.id)) === 0;

test('another process is told to stop, and stops before it would look for itself', async (context) => {
  holdRenewals(context);
  const listener = createListener({ url: t.url, log: silent, clock: systemClock });
  await listener.start();
  try {
    const { webhook, safeFetch } = await aBusyWorker(listener);
    await disable(webhook);
    await sql`select pg_notify('posthorn_webhook_stop', ${webhook.id})`.execute(t.db);
    await eventually(() => isBack(webhook), 'the lease is back');
    assert.equal(safeFetch.requests.length, 5);
  } finally {
    await listener.stop();
  }
});

test('another process that hears nothing finds out when it looks, which it does every second', async (context) => {
  const { second } = holdRenewals(context);
  const { webhook, safeFetch } = await aBusyWorker();
  await disable(webhook);
  second();
  await eventually(() => isBack(webhook), 'the lease is back');
  assert.equal(safeFetch.requests.length, 5);
});

test('a dead process keeps a deletion waiting until its lease is over, and no longer', async () => {
  const webhook = await anEndpoint();
  const startedMs = performance.now();
  await sql`insert into webhook_leases (workspace_id, webhook_id, token, until)
    values (${workspaceId}, ${webhook.id}, gen_random_uuid(), now() + interval '400 ms')`.execute(t.db);
  await deleteEndpoint(webhook);
  await stopDeliveries({ db: t.db, clock: systemClock, workspaceId }, webhook.id);
  const tookMs = performance.now() - startedMs;
  // Two clocks: that of the database may have been set in between. Waiting for any lease would be 15 s.
  assert.ok(tookMs > 350 && tookMs < 5_000, `${tookMs} ms`);
});

test('a process that ends waits for answers, records them, and gives its endpoints back', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 8);
  const safeFetch = new HeldFetch();
  const worker = aWorker(t.db, { safeFetch });
  await worker.start();
  await eventually(() => safeFetch.requests.length === 5, 'five attempts have begun');
  let stopping = Promise.resolve();
  await inTransaction(t.db, async (tx) => {
    // Its next look at what is due does not come back.
    await sql`lock table webhook_leases in access exclusive mode`.execute(tx);
    await eventually(somebodyWaits, 'a look is under way');
    stopping = worker.stop();
    for (const request of safeFetch.requests) request.answer(200);
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    assert.equal(safeFetch.requests.length, 5, 'nothing new begins');
  });
  await stopping;
  const deliveries = await deliveriesOf(t.db, webhook);
  assert.equal(deliveries.filter((delivery) => delivery.status === 'succeeded').length, 5);
  assert.equal(deliveries.filter((delivery) => delivery.attempt === 0).length, 3);
  assert.equal(await leaseLeftMs(t.db, workspaceId, webhook.id), 0);
});

test('replays come after what is new, with a fifth of the attempts for themselves', async () => {
  const webhook = await anEndpoint();
  const replays = new Set(await dueDeliveries(t.db, webhook, 400, { isReplay: true }));
  const live = new Set(await dueDeliveries(t.db, webhook, 200));
  const safeFetch = new HeldFetch();
  safeFetch.auto = () => 200;
  const worker = aWorker(t.db, { safeFetch });
  await worker.start();
  const order: string[] = [];
  while (order.length < 600) order.push(...(await worker.recorded.next()).map((record) => record.deliveryId));
  await worker.stop();
  const lastLive = order.findLastIndex((id) => live.has(id));
  const replaysBefore = order.slice(0, lastLive).filter((id) => replays.has(id)).length;
  assert.ok(replaysBefore >= 20 && replaysBefore <= 80, `${replaysBefore} replays before the last of 200 new ones`);
});

test('the lease of an endpoint is not revived once it has run out', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 1);
  const safeFetch = new HeldFetch();
  const worker = aWorker(t.db, { safeFetch, clock: systemClock });
  await worker.start();
  if (safeFetch.requests.length === 0) await safeFetch.began.next();
  await sql`update webhook_leases set until = now() - interval '1 second'
    where workspace_id = ${workspaceId} and webhook_id = ${webhook.id}`.execute(t.db);
  safeFetch.auto = () => 200; // whoever takes the endpoint now, is answered
  await eventually(() => safeFetch.requests[0]?.aborted === true, 'the attempt was given up');
  await worker.stop();
});

test('a look reads one row for each endpoint, however many deliveries wait', async (context) => {
  // As a worker's: whatever the statistics say at this moment, it reads by indexes.
  const log = createLog({ level: 'silent' });
  const worker = openDatabase({ url: t.url, poolMax: 1, applicationName: 'worker', log, byIndex: true });
  context.after(() => worker.close());
  const webhooks = await Promise.all(Array.from({ length: 10 }, () => anEndpoint()));
  for (const webhook of webhooks) await dueDeliveries(t.db, webhook, 3_000);
  const { rows: waiting } = await sql<{ endpoints: number }>`
    select count(distinct webhook_id) as endpoints from webhook_deliveries
     where workspace_id = ${workspaceId} and status = 'pending'`.execute(t.db);
  const endpoints = waiting[0]?.endpoints ?? 0;
  for (const analyzed of [false, true]) {
    if (analyzed) await sql`analyze webhook_deliveries, webhooks`.execute(t.db);
    const { found, reads } = await withRowReads(worker.db, ['webhook_deliveries'], async (tx) => {
      const look = await takeLeases(tx, { after: undefined, room: 0, failingRoom: 0, steps: 500, leaseSeconds: 15 });
      return { look, backlogSeconds: await deliveryBacklogSeconds(tx) };
    });
    assert.ok(found.look.othersWait);
    assert.ok(found.backlogSeconds > 0);
    assert.ok(reads < 4 * endpoints, `${reads} rows read for ${endpoints} endpoints`);
  }
});

/** Looks and pages of a process that knows an endpoint, and whose time stands still. */
function aProcessThatKnows(webhook: TestWebhook) {
  const clock = createTestClock({ held: true });
  const starts = new EndpointStarts(clock);
  const key = { workspaceId, webhookId: webhook.id };
  const { live, replayed } = starts.of(key);
  const finds = async (db = t.db) => {
    const known = starts.known();
    const look = await takeLeases(db, { ...nothingTaken, known });
    starts.seen(known, look.seenUpTo);
    const from = { live: live.from, replayed: replayed.from };
    const page = await pageOfDue(db, key, { limit: 100, except: [], from });
    live.seenUpTo(page.seenUpTo.live, from.live);
    replayed.seenUpTo(page.seenUpTo.replayed, from.replayed);
    return { look: look.othersWait, page: page.due.length };
  };
  return { clock, finds };
}

const nothingTaken = { after: undefined, room: 0, failingRoom: 0, steps: 500, leaseSeconds: 15 };

const succeed = (webhook: TestWebhook): Promise<unknown> =>
  sql`update webhook_deliveries set status = 'succeeded'
    where workspace_id = ${workspaceId} and webhook_id = ${webhook.id}`.execute(t.db);

for (const isReplay of [false, true]) {
  const kind = isReplay ? 'replay' : 'delivery';
  test(`a ${kind} that appears before those that were seen is found within ten seconds`, async () => {
    const webhook = await anEndpoint();
    const { clock, finds } = aProcessThatKnows(webhook);
    await dueDeliveries(t.db, webhook, 1, { isReplay });
    assert.deepEqual(await finds(), { look: true, page: 1 });
    await succeed(webhook);
    assert.deepEqual(await finds(), { look: false, page: 0 });
    const [early] = await dueDeliveries(t.db, webhook, 1, { isReplay });
    // As of a transaction that began an hour ago.
    await sql`update webhook_deliveries set next_attempt_at = now() - interval '1 hour'
      where workspace_id = ${workspaceId} and id = ${early}`.execute(t.db);
    assert.deepEqual(await finds(), { look: false, page: 0 });
    await dueDeliveries(t.db, webhook, 1, { isReplay });
    assert.deepEqual(await finds(), { look: true, page: 1 });
    clock.advance(10_000);
    assert.deepEqual(await finds(), { look: true, page: 2 });
  });
}

test('while a snapshot is held, a look and a page read what waits, and none of what was delivered before', async () => {
  // Earlier tests left 30,000 dead entries, which no snapshot of this one holds.
  await sql`vacuum (analyze) webhook_deliveries`.execute(t.db);
  await using _snapshot = await holdSnapshot(t.url);
  const webhook = await anEndpoint();
  const { finds } = aProcessThatKnows(webhook);
  await sql`insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type, next_attempt_at)
    select ${workspaceId}, ph_uuidv7(), ${webhook.id}, ph_uuidv7(), 'delivery', now() - interval '1 minute'
      from generate_series(1, 500)`.execute(t.db);
  await succeed(webhook);
  await dueDeliveries(t.db, webhook, 3);
  await finds();
  await inTransaction(t.db, async (tx) => {
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select pg_stat_get_xact_tuples_returned('webhook_deliveries_due'::regclass)::integer as n`.execute(tx);
      return rows[0]?.n ?? 0;
    };
    const before = await read();
    assert.deepEqual(await finds(tx), { look: true, page: 3 });
    const entries = (await read()) - before;
    assert.ok(entries <= 20, `${entries} entries read for 3 deliveries after 500`);
  });
});

test('endpoints that are known, unknown, deleted and without deliveries are each found once, in steps of any length', async () => {
  const webhooks = await Promise.all(Array.from({ length: 7 }, () => anEndpoint()));
  const keys = webhooks.map(({ id }) => id);
  const [, idle, , gone] = webhooks;
  assert.ok(idle && gone);
  for (const webhook of webhooks) if (webhook !== idle) await dueDeliveries(t.db, webhook, 2);
  await deleteEndpoint(gone);
  const known = keys.slice(0, 5).map((webhookId) => ({ workspaceId, webhookId, live: null, replayed: null }));
  for (const steps of [1, 2, 3, 500]) {
    const found: string[] = [];
    let due = 0;
    let after: { workspaceId: string; webhookId: string } | undefined;
    do {
      const look = await takeLeases(t.db, { ...nothingTaken, after, steps, known });
      found.push(...look.orphans.map(({ webhookId }) => webhookId));
      due += look.othersWait ? 1 : 0;
      after = look.next;
    } while (after !== undefined);
    assert.deepEqual(found, [gone.id]);
    if (steps === 1) assert.equal(due, 5);
  }
  const all = await takeLeases(t.db, { ...nothingTaken, room: 100, failingRoom: 75, known });
  const served = keys.filter((id) => id !== idle.id && id !== gone.id);
  assert.deepEqual(all.taken.map(({ webhookId }) => webhookId).toSorted(), served.toSorted());
});
