/**
 * A worker is killed (SIGKILL) at each boundary of delivering webhooks, or frozen for longer than its leases; another
 * takes over. What the receiver got, and what the database says, are compared: nothing is lost, what came twice was
 * under way, and a worker that wakes up sends nothing late.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { createSecrets } from '#platform/crypto/secrets.ts';
import {
  aReceiver,
  aWebhook,
  type CountingReceiver,
  deliveriesOf,
  dueDeliveries,
  type TestWebhook,
} from '../../../src/features/webhooks/deliveries/test-kit.ts';
import { aWorkspace } from '../../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import type { Fault } from '../../harness/fault-plan.ts';
import { type PosthornProcess, startProcess, TEST_SECRET } from '../../harness/posthorn-process.ts';
import { undoAfter } from '../../harness/undo.ts';
import { arm, untilTrue } from './rig.ts';

const DELIVERIES = 60;
/** Requests at once, the batch that is being written, and the next one. */
const UNDER_WAY_MAX = 5 + 2 * 20;

const BOUNDARIES = [
  { at: 'webhooks.attempt.before', pass: 17 },
  { at: 'webhooks.attempt.after', pass: 23 },
  { at: 'webhooks.record.before', pass: 2 },
  { at: 'webhooks.record.after', pass: 1 },
];

const FAULT_PLAN = fileURLToPath(new URL('../../harness/fault-plan.ts', import.meta.url));

const startWorker = (t: TestDatabase, plan: readonly Fault[] = []): Promise<PosthornProcess> =>
  startProcess({
    databaseUrl: t.url,
    args: ['--role', 'worker'],
    listens: false,
    nodeArgs: plan.length === 0 ? [] : ['--import', FAULT_PLAN],
    env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32', CRASH_PLAN: JSON.stringify(plan) },
  });

interface Rig {
  t: TestDatabase;
  receiver: CountingReceiver;
  endpoint(): Promise<TestWebhook>;
}

async function createRig(context: Parameters<typeof undoAfter>[0]): Promise<Rig> {
  const t = await createTestDatabase();
  undoAfter(context, () => t.close());
  const receiver = await aReceiver();
  undoAfter(context, () => receiver.close());
  const workspaceId = await aWorkspace(t.db);
  return {
    t,
    receiver,
    endpoint: () => aWebhook(t.db, workspaceId, receiver.url, { secrets: createSecrets(TEST_SECRET) }),
  };
}

const allSucceeded = async (t: TestDatabase, webhooks: readonly TestWebhook[]): Promise<boolean> => {
  for (const webhook of webhooks) {
    const deliveries = await deliveriesOf(t.db, webhook);
    if (!deliveries.every((delivery) => delivery.status === 'succeeded')) return false;
  }
  return true;
};

async function untilAllSucceeded(t: TestDatabase, webhooks: readonly TestWebhook[]): Promise<void> {
  const until = performance.now() + 60_000;
  while (!(await allSucceeded(t, webhooks))) assert.ok(performance.now() < until, 'everything was delivered');
}

/** The bodies that arrived, by delivery. */
function arrivals(receiver: CountingReceiver): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { headers, body } of receiver.posts) {
    const id = String(headers['x-service-delivery']);
    found.set(id, [...(found.get(id) ?? []), body]);
  }
  return found;
}

test('killed at any boundary of delivering: every event arrives, and only what was under way arrives twice', {
  timeout: 120_000,
}, async (context) => {
  const { t, receiver, endpoint } = await createRig(context);
  const webhooks: TestWebhook[] = [];
  for (const { at, pass } of BOUNDARIES) {
    const victim = await startWorker(t, [{ at, pass, act: 'kill' }]);
    undoAfter(context, () => victim.kill());
    await arm(victim);
    const webhook = await endpoint();
    webhooks.push(webhook);
    await dueDeliveries(t.db, webhook, DELIVERIES);
    assert.equal(await victim.ended, 'SIGKILL');
    assert.match(victim.output(), new RegExp(`fault: kill at ${at},`));
    assert.equal(await allSucceeded(t, [webhook]), false, 'it was killed in the middle');
  }
  const survivor = await startWorker(t);
  undoAfter(context, () => survivor.stop());
  await untilAllSucceeded(t, webhooks);

  const found = arrivals(receiver);
  const twice = receiver.posts.length - found.size;
  context.diagnostic(`${found.size} events, 0 lost, ${twice} repeated after ${BOUNDARIES.length} kills`);
  assert.equal(found.size, DELIVERIES * BOUNDARIES.length);
  assert.ok(
    [...found.values()].every((bodies) => new Set(bodies).size === 1),
    'the bytes were the same',
  );
  assert.ok(twice <= UNDER_WAY_MAX * BOUNDARIES.length, `${twice} came twice`);
});

test('a worker that was frozen for longer than its lease begins no attempt when it wakes up', {
  timeout: 120_000,
}, async (context) => {
  const { t, receiver, endpoint } = await createRig(context);
  const frozen = await startWorker(t, [{ at: 'webhooks.attempt.before', pass: 12, act: 'freeze' }]);
  undoAfter(context, () => frozen.kill());
  await arm(frozen);
  const webhook = await endpoint();
  await dueDeliveries(t.db, webhook, DELIVERIES);
  await untilTrue(() => frozen.output().includes('fault: freeze'), 'the worker was frozen');
  const survivor = await startWorker(t);
  undoAfter(context, () => survivor.stop());
  await untilAllSucceeded(t, [webhook]);

  const before = receiver.posts.length;
  // What it has in hand when it wakes up is still in its memory; new work shows that it is awake.
  await survivor.stop();
  frozen.child.kill('SIGCONT');
  const fresh = await endpoint();
  await dueDeliveries(t.db, fresh, 1);
  await untilAllSucceeded(t, [fresh]);
  const late = receiver.posts.slice(before).map((post) => post.headers['x-service-delivery']);
  const [own] = await deliveriesOf(t.db, fresh);
  assert.deepEqual(late, [own?.id]);
});
