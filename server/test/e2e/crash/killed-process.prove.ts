/**
 * A process is killed (SIGKILL) at each boundary of accepting an email and of handing it over, and started again; the
 * client repeats what was not answered, with its Idempotency-Key. Then the three accounts are compared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../harness/smtp-faults.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { ACCEPT_BOUNDARIES, type Boundary, HAND_OFF_BOUNDARIES, inTurn } from './boundaries.ts';
import { FLAWLESS, tally } from './compare-records.ts';
import { between, requestsFor, sendAll, sendUntil } from './requests.ts';
import { arm, createRig, type Part } from './rig.ts';
import type { SendRequest } from './sending-client.ts';

const RECIPIENTS = 25;
/**
 * With less, a process that has just begun on a busy machine loses what it holds, as if it had been killed once more.
 */
const ENV = { POSTHORN_LEASE_SECONDS: '5' };

interface Installation {
  name: string;
  seed: number;
  boundaries: readonly Boundary[];
  /** The process that is killed, and the one that runs beside it. */
  victim: Part;
  survivor?: Part;
}

const INSTALLATIONS: Installation[] = [
  {
    name: 'one process that does everything',
    seed: 1_000,
    boundaries: [...inTurn(ACCEPT_BOUNDARIES, 0, 2), ...inTurn(HAND_OFF_BOUNDARIES, 0, 2)],
    victim: 'all',
  },
  {
    name: 'an API beside a worker',
    seed: 3_000,
    boundaries: inTurn(ACCEPT_BOUNDARIES, 1, 2),
    victim: 'api',
    survivor: 'worker',
  },
  {
    name: 'a worker beside an API',
    seed: 4_000,
    boundaries: inTurn(HAND_OFF_BOUNDARIES, 1, 2),
    victim: 'worker',
    survivor: 'api',
  },
];

test('killed at any boundary: nothing accepted is lost, and a second copy is on record before it leaves', {
  concurrency: true,
  timeout: 600_000,
}, async (t) => {
  await Promise.all(
    INSTALLATIONS.map(({ name, seed, boundaries, victim, survivor }) =>
      t.test(`${name}, seed ${seed}`, async (t) => {
        const rig = await createRig({ env: ENV });
        undoAfter(t, rig.close);
        const random = seededRandom(seed);
        const lives = boundaries.map(({ at, lastPass }) => [
          { at, pass: between(random, 1, lastPass), act: 'kill' as const },
        ]);
        const supervised = rig.supervise(victim, lives);
        if (survivor !== undefined) await rig.start(survivor);

        for (const [run, { at }] of boundaries.entries()) {
          await t.test(at, async (t) => {
            await arm(await supervised.life(run));
            const send = (request: SendRequest): Promise<void> => rig.client.sendUntilAccepted(request);
            await sendAll(requestsFor(RECIPIENTS, seed + run), 4, send);
            // How many emails a page of claims or outcomes holds is a matter of chance: a few more may be needed.
            await sendUntil(() => supervised.hasBegun(run + 1), seed + run, send);
            await supervised.life(run + 1);
            await rig.untilQuiet();

            const found = await rig.compare();
            t.diagnostic(`seed ${seed + run}, ${supervised.deaths[run]}; so far: ${tally(found)}`);
            assert.match(supervised.deaths[run] ?? '', new RegExp(`^fault: kill at ${at},`));
            assertFound(found, {
              received: found.accepted + found.explained,
              ...FLAWLESS,
            });
            assert.ok(found.accepted >= (run + 1) * RECIPIENTS);
            assert.ok(found.handOffsMax <= 2, `handed over ${found.handOffsMax} times`);
          });
        }
      }),
    ),
  );
});

test('an exception at any boundary ends one request or one page, and neither the process nor an email', {
  timeout: 300_000,
}, async (t) => {
  const rig = await createRig({ env: ENV });
  undoAfter(t, rig.close);
  const boundaries = [...ACCEPT_BOUNDARIES, ...HAND_OFF_BOUNDARIES];
  const service = await rig.start(
    'all',
    boundaries.map(({ at }) => ({ at, pass: 2, act: 'throw' })),
  );
  await arm(service);
  const send = (request: SendRequest): Promise<void> => rig.client.sendUntilAccepted(request);
  await sendAll(requestsFor(RECIPIENTS, 9_000), 4, send);
  const thrown = (): string[] => service.output().match(/(?<=fault: throw at )[^,]+/g) ?? [];
  await sendUntil(() => thrown().length === boundaries.length, 9_000, send);
  await rig.untilQuiet();

  const found = await rig.compare();
  t.diagnostic(tally(found));
  assert.deepEqual(thrown().sort(), boundaries.map(({ at }) => at).sort());
  assert.equal(service.child.exitCode, null, 'the process ended');
  assertFound(found, { ...FLAWLESS, received: found.accepted + found.explained });
  assert.ok(found.handOffsMax <= 2);
});
