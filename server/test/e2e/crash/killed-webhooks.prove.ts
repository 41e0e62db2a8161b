/**
 * A process is killed (SIGKILL) at each boundary between a change that endpoints are to be told of and the record of
 * its delivery, and at any moment. The answers to the client, the requests to the receiver and the deliveries are
 * compared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { WEBHOOKS_FLAWLESS, type WebhookComparison } from './compare-webhooks.ts';
import { sendAll } from './requests.ts';
import { arm, type Part } from './rig.ts';
import { killAtRandom } from './kill-webhooks-at-random.ts';
import { createWebhookRig, eventfulRequests, tallyWebhooks, UNDER_WAY_MAX } from './webhook-rig.ts';

const RECIPIENTS = 16;
/** Not a point of the code: the receiver has the request, and the process dies before the answer. */
const DURING = 'during the attempt';

interface Installation {
  name: string;
  seed: number;
  victim: Part;
  survivor?: Part;
  boundaries: { at: string; pass: number }[];
}

const INSTALLATIONS: Installation[] = [
  {
    name: 'one process that does everything',
    seed: 11_000,
    victim: 'all',
    boundaries: [
      // The change is committed, and nobody has been told of it, nor the client of the change.
      { at: 'outbox.accept.after-commit', pass: 4 },
      { at: 'webhooks.attempt.before', pass: 9 },
      { at: DURING, pass: 7 },
    ],
  },
  {
    name: 'a worker beside an API',
    seed: 12_000,
    victim: 'worker',
    survivor: 'api',
    boundaries: [
      { at: 'webhooks.attempt.after', pass: 13 },
      { at: 'webhooks.record.before', pass: 2 },
      { at: 'webhooks.record.after', pass: 2 },
    ],
  },
];

function assertFlawless(found: WebhookComparison, kills: number): void {
  assertFound(found, WEBHOOKS_FLAWLESS);
  assert.ok(found.repeatedMax <= kills * UNDER_WAY_MAX, `${found.repeatedMax} attempts were repeated at one endpoint`);
}

test('killed while webhooks are delivered: every event arrives, what was under way a second time, with its bytes', {
  concurrency: true,
  timeout: 600_000,
}, async (t) => {
  await Promise.all(
    INSTALLATIONS.map(({ name, seed, victim, survivor, boundaries }) =>
      t.test(`${name}, seed ${seed}`, async (t) => {
        const rig = await createWebhookRig();
        undoAfter(t, rig.close);
        const lives = boundaries.map(({ at, pass }) => (at === DURING ? [] : [{ at, pass, act: 'kill' as const }]));
        const supervised = rig.supervise(victim, lives);
        await rig.makeEndpoints(survivor === undefined ? await supervised.life(0) : await rig.start(survivor));

        for (const [run, { at, pass }] of boundaries.entries()) {
          const process = await supervised.life(run);
          await arm(process);
          let killed = false;
          const from = rig.receiver.received.length;
          rig.receiver.answer(() => {
            if (at !== DURING || rig.receiver.received.length < from + pass || killed) return 200;
            killed = process.child.kill('SIGKILL');
            return 'never';
          });
          const requests = eventfulRequests(RECIPIENTS, seed + run);
          await sendAll(requests, 4, (request) => rig.client.sendUntilAccepted(request));
          await supervised.life(run + 1);
          await rig.untilDelivered();

          const found = await rig.compareWebhooks();
          t.diagnostic(`${at}, seed ${seed + run}, ${supervised.deaths[run]}; so far: ${tallyWebhooks(found)}`);
          assert.match(supervised.deaths[run] ?? '', at === DURING ? /accident/ : new RegExp(`^fault: kill at ${at},`));
          assert.equal(killed, at === DURING);
          assertFlawless(found, run + 1);
          assert.equal(rig.client.accepted.flatMap(({ emails }) => emails).length, (run + 1) * RECIPIENTS);
        }
        assert.ok((await rig.compareWebhooks()).repeated > 0, 'no kill met an attempt that was under way');
      }),
    ),
  );
});

const RANDOM = { seed: 13_000, kills: 3, recipients: 60 };

test(`killed at any moment, seed ${RANDOM.seed}, by a receiver that fails now and then: every event arrives`, {
  timeout: 600_000,
}, async (t) => {
  const found = await killAtRandom(RANDOM);
  t.diagnostic(`${RANDOM.kills} kills, seed ${RANDOM.seed}: ${tallyWebhooks(found)}`);
  assertFlawless(found, RANDOM.kills);
  assert.ok(found.retried > 0, 'the receiver did not fail');
});
