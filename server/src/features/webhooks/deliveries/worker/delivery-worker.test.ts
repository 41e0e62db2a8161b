import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { aWorkspace } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { until } from '../../../../../test/harness/until.ts';
import { sealSecret } from '../../endpoint-secret.ts';
import { isSignedWith } from '../../test-kit.ts';
import {
  aReceiver,
  aWebhook,
  aWorker,
  type CountingReceiver,
  countingEnds,
  deliveriesOf,
  dueDeliveries,
  type DeliveryState,
  endpointOf,
  forgetDeliveries,
  makeDue,
  type Post,
  secrets,
  serve,
  stopWorkers,
  type TestWebhook,
} from '../test-kit.ts';

let t: TestDatabase;
let receiver: CountingReceiver;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  receiver = await aReceiver();
  workspaceId = await aWorkspace(t.db);
});
afterEach(async () => {
  await stopWorkers();
  await forgetDeliveries(t.db);
});
after(async () => {
  await receiver.close();
  await t.close();
});

/** A fresh receiver's view, and an endpoint that leads there. */
async function anEndpoint(url = receiver.url): Promise<TestWebhook> {
  receiver.posts.length = 0;
  receiver.atOnce = 0;
  receiver.answer = (_request, response) => response.end('ok');
  return aWebhook(t.db, workspaceId, url);
}

const answerStatus =
  (status: number, headers: Record<string, string> = {}): CountingReceiver['answer'] =>
  (_request, response) =>
    void response.writeHead(status, headers).end(status === 204 || status === 304 ? undefined : 'text');

/**
 * That the next attempt is so many seconds after one that was made since then: neither later than if it had been made
 * just now nor earlier than if it had been made at the start, however long the test took to look. A tenth of a second
 * is for the two clocks.
 */
function assertWaits(delivery: DeliveryState | undefined, seconds: number, startedMs: number, what = ''): void {
  const left = delivery?.waitSeconds ?? 0;
  const passed = (performance.now() - startedMs) / 1_000;
  assert.ok(left <= seconds + 0.1 && left + passed >= seconds - 0.1, `${what} ${left} s after ${passed} s`);
}

const signedBy = (secret: string, post: Post): boolean =>
  isSignedWith(secret, { headers: post.headers, raw: post.body });

test('a due delivery is posted, and everything about the attempt is on record', async () => {
  const webhook = await anEndpoint();
  const [id = ''] = await dueDeliveries(t.db, webhook, 1);
  const { ends, counted } = countingEnds();
  await serve(aWorker(t.db, { counted }), 1);
  const [post] = receiver.posts;
  assert.ok(post !== undefined && signedBy(webhook.secret, post));
  assert.equal(post.headers['x-service-delivery'], id);
  assert.equal(post.headers['x-service-attempt'], '1');
  assert.equal(post.headers['x-service-event'], 'delivery');
  const [delivery] = await deliveriesOf(t.db, webhook);
  assert.ok(delivery !== undefined);
  const { attempts, ...rest } = delivery;
  assert.deepEqual(rest, {
    id,
    status: 'succeeded',
    attempt: 1,
    waitSeconds: null,
    url: receiver.url,
    responseStatus: 200,
    responseBody: 'ok',
    error: null,
    delivered: true,
  });
  assert.equal(attempts.length, 1);
  assert.match(attempts[0]?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(attempts[0]?.status, 200);
  const { succeeded, failed, failing } = await endpointOf(t.db, webhook);
  assert.deepEqual({ succeeded, failed, failing }, { succeeded: true, failed: false, failing: false });
  assert.deepEqual([...ends], [['succeeded', 1]]);
});

for (const status of [200, 204, 299]) {
  test(`${status} is success`, async () => {
    const webhook = await anEndpoint();
    receiver.answer = answerStatus(status);
    await dueDeliveries(t.db, webhook, 1);
    await serve(aWorker(t.db), 1);
    const [delivery] = await deliveriesOf(t.db, webhook);
    assert.deepEqual([delivery?.status, delivery?.responseStatus], ['succeeded', status]);
  });
}

for (const status of [300, 301, 304, 400, 404, 429, 500, 503, 600]) {
  test(`${status} is a failure that is tried again after 5 s`, async () => {
    const webhook = await anEndpoint();
    receiver.answer = answerStatus(status, { location: `${receiver.url}/elsewhere` });
    await dueDeliveries(t.db, webhook, 1);
    const startedMs = performance.now();
    await serve(aWorker(t.db), 1);
    const [delivery] = await deliveriesOf(t.db, webhook);
    assert.deepEqual([delivery?.status, delivery?.attempt, delivery?.delivered], ['pending', 1, false]);
    assert.equal(delivery?.responseStatus, status);
    assertWaits(delivery, 5, startedMs);
    assert.notEqual(delivery?.error, null);
    assert.equal(receiver.posts.length, 1, 'a redirect is not followed');
    assert.equal((await endpointOf(t.db, webhook)).failing, true);
  });
}

interface Rude {
  name: string;
  meet(socket: Socket): void;
}

const rude: readonly Rude[] = [
  { name: 'says nothing after the connection', meet: () => undefined },
  { name: 'stops in the middle of the headers', meet: (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-') },
  {
    name: 'stops in the middle of the body',
    meet: (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
  },
  { name: 'resets the connection', meet: (socket) => void socket.resetAndDestroy() },
  { name: 'closes without a word', meet: (socket) => void socket.end() },
  { name: 'answers something that is not HTTP', meet: (socket) => void socket.end('220 smtp.example ESMTP\r\n') },
  { name: 'answers a status below 200 for good', meet: (socket) => void socket.end('HTTP/1.1 199 What\r\n\r\n') },
];

for (const { name, meet } of rude) {
  test(`a receiver that ${name} is a failure within the time of an attempt`, async () => {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => meet(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const webhook = await anEndpoint(`http://127.0.0.1:${port}/`);
    await dueDeliveries(t.db, webhook, 1);
    const startedMs = performance.now();
    await serve(aWorker(t.db, { attemptSeconds: 0.3 }), 1);
    // Without a time of its own an attempt takes ten seconds.
    assert.ok(performance.now() - startedMs < 8_000);
    const [delivery] = await deliveriesOf(t.db, webhook);
    assert.deepEqual([delivery?.status, delivery?.attempt], ['pending', 1]);
    assert.notEqual(delivery?.error, null);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

test('an endless answer is cut: 4 KB of it are kept, and a 200 counts', async () => {
  const webhook = await anEndpoint();
  receiver.answer = (_request, response) => {
    const more = (): void => {
      while (response.writable && response.write('x'.repeat(65_536)));
      if (response.writable) response.once('drain', more);
    };
    more();
  };
  await dueDeliveries(t.db, webhook, 1);
  await serve(aWorker(t.db), 1);
  const [delivery] = await deliveriesOf(t.db, webhook);
  assert.deepEqual([delivery?.status, delivery?.responseStatus], ['succeeded', 200]);
  assert.equal(delivery?.responseBody?.length, 4_096);
});

test('an address that may not be reached is a failed attempt that says so', async () => {
  const webhook = await anEndpoint('http://10.1.2.3/');
  await dueDeliveries(t.db, webhook, 1);
  const { ends, counted } = countingEnds();
  await serve(aWorker(t.db, { counted }), 1);
  const [delivery] = await deliveriesOf(t.db, webhook);
  assert.deepEqual([delivery?.status, delivery?.attempt, delivery?.responseStatus], ['pending', 1, null]);
  assert.match(delivery?.error ?? '', /public/);
  assert.deepEqual([...ends], [['blocked', 1]]);
});

test('eight attempts with the same body, each with its own time and signature; then it has failed', async () => {
  const webhook = await anEndpoint();
  receiver.answer = answerStatus(500);
  await dueDeliveries(t.db, webhook, 1);
  const { ends, counted } = countingEnds();
  const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const now = new Date(Date.UTC(2027, 0, 1, 0, attempt));
    const startedMs = performance.now();
    await serve(aWorker(t.db, { counted, clock: { ...systemClock, now: () => now } }), 1);
    const [delivery] = await deliveriesOf(t.db, webhook);
    assert.equal(delivery?.attempt, attempt);
    assert.equal(delivery?.attempts.length, attempt);
    const wait = waits[attempt - 1];
    if (wait === undefined) assert.deepEqual([delivery?.status, delivery?.waitSeconds], ['failed', null]);
    else assertWaits(delivery, wait, startedMs, `attempt ${attempt}:`);
    await makeDue(t.db, webhook);
  }
  assert.equal(new Set(receiver.posts.map((post) => post.body)).size, 1);
  assert.equal(new Set(receiver.posts.map((post) => post.headers['x-service-timestamp'])).size, 8);
  assert.equal(new Set(receiver.posts.map((post) => post.headers['x-service-signature'])).size, 8);
  assert.deepEqual(
    receiver.posts.map((post) => post.headers['x-service-attempt']),
    ['1', '2', '3', '4', '5', '6', '7', '8'],
  );
  assert.ok(receiver.posts.every((post) => signedBy(webhook.secret, post)));
  assert.deepEqual(
    [...ends],
    [
      ['failed', 7],
      ['given_up', 1],
    ],
  );
});

for (const [given, expected] of [
  ['120', 120],
  ['31536000', 3_600],
  ['1', 5],
] as const) {
  test(`Retry-After of ${given} s on a 503 means ${expected} s`, async () => {
    const webhook = await anEndpoint();
    receiver.answer = answerStatus(503, { 'retry-after': given });
    await dueDeliveries(t.db, webhook, 1);
    const startedMs = performance.now();
    await serve(aWorker(t.db), 1);
    const [delivery] = await deliveriesOf(t.db, webhook);
    assertWaits(delivery, expected, startedMs);
  });
}

test('410 disables the endpoint at once; what waited stays, and goes out when it is enabled again', async () => {
  const webhook = await anEndpoint();
  receiver.answer = answerStatus(410);
  await dueDeliveries(t.db, webhook, 12);
  const worker = aWorker(t.db);
  await worker.start();
  await worker.laneEnded.next();
  const told = receiver.posts.length;
  assert.ok(told <= 5, `${told} requests`);
  const endpoint = await endpointOf(t.db, webhook);
  assert.deepEqual([endpoint.enabled, endpoint.disabledReason], [false, 'The receiver answered 410 Gone.']);
  await worker.idle.next();
  assert.equal(receiver.posts.length, told, 'nothing more is sent');
  assert.ok((await deliveriesOf(t.db, webhook)).every((delivery) => delivery.status === 'pending'));

  receiver.answer = answerStatus(200);
  await sql`update webhooks set enabled = true where workspace_id = ${workspaceId} and id = ${webhook.id}`.execute(
    t.db,
  );
  await makeDue(t.db, webhook);
  await until('all of them', async () => {
    const deliveries = await deliveriesOf(t.db, webhook);
    return deliveries.every((delivery) => delivery.status === 'succeeded') || undefined;
  });
  await worker.stop();
});

test('a new address and both secrets of a rotation count from the next attempt on', async () => {
  const webhook = await anEndpoint(`${receiver.url}/old`);
  receiver.answer = answerStatus(500);
  await dueDeliveries(t.db, webhook, 1);
  await serve(aWorker(t.db), 1);
  const fresh = 'whsec_the_new_one_for_this_test';
  await sql`update webhooks set url = ${`${receiver.url}/new`}, previous_secret = secret,
      secret = ${sealSecret(secrets, fresh)}, previous_secret_until = now() + interval '1 hour'
    where workspace_id = ${workspaceId} and id = ${webhook.id}`.execute(t.db);
  await makeDue(t.db, webhook);
  await serve(aWorker(t.db), 1);
  const [first, second] = receiver.posts;
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual([first.path, second.path], ['/hook/old', '/hook/new']);
  assert.ok(signedBy(webhook.secret, first) && !signedBy(fresh, first));
  assert.ok(signedBy(webhook.secret, second) && signedBy(fresh, second));
});

test('endpoints of one host that swallow their requests keep none of its others waiting', async () => {
  const dead = await Promise.all(Array.from({ length: 14 }, () => anEndpoint(`${receiver.url}/dead`)));
  const healthy = await anEndpoint();
  const held: ServerResponse[] = [];
  receiver.answer = (request, response) => {
    if (request.url === '/hook/dead') held.push(response);
    else response.end('ok');
  };
  for (const endpoint of dead) await dueDeliveries(t.db, endpoint, 5);
  // None of the dead ones is over before the moments below have lost their patience.
  const worker = aWorker(t.db, { attemptSeconds: 60 });
  await worker.start();
  while (held.length < 70) await receiver.arrived.next();
  const recorded = worker.recorded.next();
  await dueDeliveries(t.db, healthy, 1);
  const [first] = await recorded;
  assert.equal(first?.status, 'succeeded');
  assert.equal(held.length, 70);
  for (const response of held) response.end('ok');
  await worker.stop();
});

test('a delivery whose event is gone is discarded without a request', async () => {
  const webhook = await anEndpoint();
  await dueDeliveries(t.db, webhook, 1);
  await sql`delete from webhook_bodies where workspace_id = ${workspaceId}`.execute(t.db);
  await serve(aWorker(t.db), 1);
  const [delivery] = await deliveriesOf(t.db, webhook);
  assert.deepEqual([delivery?.status, delivery?.attempt, delivery?.attempts], ['discarded', 0, []]);
  assert.equal(receiver.posts.length, 0);
  assert.equal((await endpointOf(t.db, webhook)).failing, false);
});

test('waiting deliveries of a deleted endpoint are removed, and no others', async () => {
  const [gone, stays] = [await anEndpoint(), await anEndpoint()];
  await dueDeliveries(t.db, gone, 3);
  await sql`delete from webhooks where workspace_id = ${workspaceId} and id = ${gone.id}`.execute(t.db);
  await dueDeliveries(t.db, stays, 3);
  await serve(aWorker(t.db), 3);
  assert.equal((await deliveriesOf(t.db, gone)).length, 0);
  assert.equal((await deliveriesOf(t.db, stays)).length, 3);
  assert.equal(receiver.posts.length, 3);
});

test('one success ends a row of failures', async () => {
  const webhook = await anEndpoint();
  receiver.answer = answerStatus(500);
  await dueDeliveries(t.db, webhook, 3);
  await serve(aWorker(t.db), 3);
  const failing = await endpointOf(t.db, webhook);
  assert.deepEqual([failing.failing, failing.failedAttempts], [true, 3]);
  receiver.answer = answerStatus(200);
  await makeDue(t.db, webhook);
  await serve(aWorker(t.db), 3);
  const working = await endpointOf(t.db, webhook);
  assert.deepEqual([working.failing, working.failedAttempts, working.succeeded], [false, 0, true]);
});
