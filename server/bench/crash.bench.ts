/**
 * What killing costs, at full size: each run has 500 recipients and three kills (SIGKILL) at boundaries and passings
 * that its seed chooses, one life killed as soon as it serves again, in one process that does everything (odd seeds)
 * or in a worker or an API beside the other (even seeds). Counted from three accounts, as in test/e2e/crash.
 *
 * Then webhooks in the same way: 200 recipients whose events go to a receiver that fails now and then, three kills at
 * any moment.
 *
 *   npm run bench -- crash [runs] [first seed]
 */
import { ACCEPT_BOUNDARIES, HAND_OFF_BOUNDARIES } from '../test/e2e/crash/boundaries.ts';
import { type Comparison, tally } from '../test/e2e/crash/compare-records.ts';
import type { WebhookComparison } from '../test/e2e/crash/compare-webhooks.ts';
import { killAtRandom } from '../test/e2e/crash/kill-webhooks-at-random.ts';
import { between, requestsFor, sendAll, sendUntil } from '../test/e2e/crash/requests.ts';
import { arm, createRig } from '../test/e2e/crash/rig.ts';
import type { SendRequest } from '../test/e2e/crash/sending-client.ts';
import { tallyWebhooks } from '../test/e2e/crash/webhook-rig.ts';
import { seededRandom } from '../test/harness/smtp-faults.ts';
import { report } from './results.ts';

const RECIPIENTS = 500;
const KILLS = 3;
const WEBHOOK_RECIPIENTS = 200;
const [runs = 20, firstSeed = 1] = process.argv.slice(2).map(Number);

async function run(seed: number): Promise<Comparison> {
  const random = seededRandom(seed);
  const together = seed % 2 === 1;
  const ofApi = between(random, 0, 1) === 0;
  const own = ofApi ? ACCEPT_BOUNDARIES : HAND_OFF_BOUNDARIES;
  const boundaries = together ? [...ACCEPT_BOUNDARIES, ...HAND_OFF_BOUNDARIES] : own;
  const lives = Array.from({ length: KILLS }, () => {
    const boundary = boundaries[between(random, 0, boundaries.length - 1)];
    if (boundary === undefined) throw new Error('there are no boundaries');
    return [{ at: boundary.at, pass: between(random, 1, boundary.lastPass * 2), act: 'kill' as const }];
  });
  const rig = await createRig();
  try {
    const victim = rig.supervise(together ? 'all' : ofApi ? 'api' : 'worker', lives);
    if (!together) await rig.start(ofApi ? 'worker' : 'api');
    const killing = (async () => {
      for (const [number] of lives.entries()) await arm(await victim.life(number, 120_000));
      await victim.life(KILLS, 120_000);
    })();
    const send = (request: SendRequest): Promise<void> => rig.client.sendUntilAccepted(request);
    await sendAll(requestsFor(RECIPIENTS, seed), 4, send);
    await sendUntil(() => victim.hasBegun(KILLS), seed, send);
    await killing;
    await rig.untilQuiet(60_000);
    const found = await rig.compare();
    console.log(`seed ${seed}, ${together ? 'together' : 'apart'}; ${victim.deaths.join('; ')}: ${tally(found)}`);
    return found;
  } finally {
    await rig.close();
  }
}

const all: Comparison[] = [];
for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) all.push(await run(seed));
const sum = (count: (one: Comparison) => number): number => all.reduce((total, one) => total + count(one), 0);
const accepted = sum((one) => one.accepted);
const undone = sum((one) => one.undecided.length + one.untold.length + one.changedAnswers.length + one.strange.length);
report(
  'crash',
  `${runs} runs (seeds ${firstSeed} to ${firstSeed + runs - 1}), ${runs * KILLS} kills: lost ${sum((one) => one.lost.length)} of ${accepted}, second copies ${sum((one) => one.explained)} on record and ${sum((one) => one.unexplained.length)} without, left to a person ${sum((one) => one.leftUnconfirmed.length)}, other faults ${undone}, at most ${Math.max(...all.map((one) => one.handOffsMax))} hand-offs`,
  'lost 0, without record 0, other faults 0, at most 2 hand-offs',
);

const webhooks: WebhookComparison[] = [];
for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  const found = await killAtRandom({ seed, kills: KILLS, recipients: WEBHOOK_RECIPIENTS });
  console.log(`seed ${seed}, webhooks: ${tallyWebhooks(found)}`);
  webhooks.push(found);
}
const total = (count: (one: WebhookComparison) => number): number =>
  webhooks.reduce((before, one) => before + count(one), 0);
const otherFaults = total(
  ({ unknownEmails, unwanted, changedBodies, falselySucceeded, undecided, failed, doubled }) =>
    [unknownEmails, unwanted, changedBodies, falselySucceeded, undecided, failed, doubled].flat().length,
);
report(
  'crash, webhooks',
  `${runs} runs (seeds ${firstSeed} to ${firstSeed + runs - 1}), ${runs * KILLS} kills: lost ${total((one) => one.lost.length)} of ${total((one) => one.expected)} events, repeated ${total((one) => one.repeated)} (at most ${Math.max(...webhooks.map((one) => one.repeatedMax))} at an endpoint in a run), other faults ${otherFaults}`,
  'lost 0, other faults 0',
);
