/**
 * Issues are cancelled at random moments while their workers are killed. The answers of the API, the messages of the
 * mail server and the rows of the database are compared: exactly those that the answer counted leave, and not one is
 * queued after it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PosthornProcess } from '../../harness/posthorn-process.ts';
import { seededRandom } from '../../harness/smtp-faults.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { CANCEL_FLAWLESS, compareCancel, compareIssue, ISSUE_FLAWLESS } from './compare-issue.ts';
import {
  aList,
  anIssue,
  cancel,
  installCancelWitness,
  IS_LARGE,
  type List,
  read,
  pauseFor,
  recordsOf,
  seedsFrom,
  send,
  strangersOf,
  UNCONFIRMED_PER_KILL,
  witnessOf,
} from './issue-rig.ts';
import type { IssueStats } from './issue-records.ts';
import { between } from './requests.ts';
import { createRig, type Rig } from './rig.ts';

/** `POSTHORN_PROPERTY_RUNS=200 node test/run.ts …` cancels as often as the promise is tested before a release. */
const CANCELS = Number(process.env['POSTHORN_PROPERTY_RUNS'] ?? 6);
/** Emails per second, one after the other: with 110 the first release has several pages. */
const RATES = IS_LARGE ? [40, 12, 20, 110] : [60, 12];
/** Issues at the same time. */
const LANES = IS_LARGE ? 20 : 5;
const ROUNDS = Math.ceil(CANCELS / LANES);
const [SEED = 0] = seedsFrom(32_000);
/** Some lists have several pages of the freeze. */
const sizeOf = (lane: number): number => (lane % 10 === 4 ? 11_000 : 2_500);
/** The pace that empties the queue afterwards, so that a run does not take ten seconds for each cancel. */
const DRAIN = { POSTHORN_SEND_RATE: '1000' };

/** One of many issues may wait longer than a test can for its first email: then any moment is as good. */
const PATIENCE_MS = IS_LARGE ? 30_000 : 8_000;

interface Cancelled {
  list: List;
  issuePath: string;
  /** undefined: all of it had been released before. */
  alreadyQueued: number | undefined;
  answeredAt: number;
  ms: number;
}

/** The state to wait for before an issue is cancelled, and the longest wait after that. */
interface Moment {
  isThere: (stats: IssueStats) => boolean;
  laterMsMax: number;
}

const MOMENTS: ((random: () => number, rate: number) => Moment)[] = [
  () => ({ isThere: () => true, laterMsMax: 400 }),
  () => ({ isThere: (stats) => stats.total > 0, laterMsMax: 300 }),
  () => ({ isThere: (stats) => stats.queued + stats.sending + stats.sent > 0, laterMsMax: 100 }),
  () => ({ isThere: (stats) => stats.queued + stats.sending + stats.sent > 0, laterMsMax: 2_500 }),
  (random, rate) => {
    const sent = between(random, 1, rate * 2);
    return { isThere: (stats) => stats.sent >= sent, laterMsMax: 600 };
  },
];

/** Sends an issue and cancels it at the moment that is chosen. */
async function sendAndCancel(api: PosthornProcess, list: List, moment: Moment, laterMs: number): Promise<Cancelled> {
  const issuePath = await anIssue(api, list);
  await send(api, issuePath);
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const stats = (await read(api, issuePath))?.stats;
    if (stats !== undefined && moment.isThere(stats)) break;
    // oxlint-disable-next-line house/no-sleep -- the moment is chosen at random, and another process is looked at now and then
    await pauseFor(LANES * 4);
  }
  // oxlint-disable-next-line house/no-sleep -- the moment is chosen at random, and another process is looked at now and then
  await pauseFor(laterMs);
  const begun = performance.now();
  const alreadyQueued = await cancel(api, issuePath);
  return { list, issuePath, alreadyQueued, answeredAt: Date.now(), ms: performance.now() - begun };
}

async function assertExact(rig: Rig, api: PosthornProcess, cancelled: Cancelled, rate: number) {
  const { list, issuePath, alreadyQueued, answeredAt } = cancelled;
  const records = await recordsOf(rig, api, { list, issuePath });
  if (alreadyQueued === undefined) {
    assertFound(compareIssue(records), { ...ISSUE_FLAWLESS, notFrozen: [], status: 'sent' });
    return undefined;
  }
  const witness = await witnessOf(rig, issuePath);
  assert.ok(witness, 'the database saw no cancel');
  const found = compareCancel({ ...records, alreadyQueued, answeredAt, witness });
  // Nobody was suppressed: of what was counted only a kill may keep something back.
  assertFound(found, { ...CANCEL_FLAWLESS, suppressed: 0 });
  assert.ok(alreadyQueued <= rate * 10, `${alreadyQueued} are more than ten seconds at ${rate} a second`);
  return found;
}

test(`${ROUNDS * LANES} issues cancelled at random moments, seed ${SEED}, their workers killed meanwhile`, {
  timeout: 300_000 + ROUNDS * 180_000,
}, async (t) => {
  const random = seededRandom(SEED);
  const rig = await createRig({ env: { POSTHORN_PROVIDER_CEILING: '1000', POSTHORN_LEASE_SECONDS: '3' } });
  undoAfter(t, rig.close);
  const api = await rig.start('api');
  await installCancelWitness(rig);
  const lists: List[] = [];
  for (let lane = 0; lane < LANES; lane += 1) lists.push(await aList(rig, api, `lane${lane}`, sizeOf(lane)));
  const sums = {
    cancels: 0,
    tooLate: 0,
    recipients: 0,
    received: 0,
    receivedAfter: 0,
    alreadyQueued: 0,
    handedOver: 0,
    stoppedLater: 0,
    cancelled: 0,
    unconfirmed: 0,
    none: 0,
    inFreeze: 0,
    kills: 0,
    slowestMs: 0,
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = RATES[round % RATES.length] ?? 12;
    const start = (): Promise<PosthornProcess> => rig.start('worker', [], { POSTHORN_SEND_RATE: String(rate) });
    const workers = await Promise.all([start(), start()]);
    const chooseAndCancel = (list: List): Promise<Cancelled> => {
      const moment = MOMENTS[between(random, 0, MOMENTS.length - 1)]?.(random, rate);
      assert.ok(moment);
      return sendAndCancel(api, list, moment, between(random, 0, moment.laterMsMax));
    };
    const cancelling = Promise.all(lists.map((list) => chooseAndCancel(list)));
    const kills = between(random, 1, IS_LARGE ? 3 : 2);
    for (let kill = 0; kill < kills; kill += 1) {
      // oxlint-disable-next-line house/no-sleep -- the moment is chosen at random, and another process is looked at now and then
      await pauseFor(between(random, 200, 2_500));
      const victim = between(random, 0, 1);
      await workers[victim]?.kill();
      workers[victim] = await start();
    }
    const cancels = await cancelling;
    await Promise.all(workers.map((worker) => worker.kill()));
    const drain = await rig.start('worker', [], DRAIN);
    await rig.untilQuiet(300_000);
    await drain.stop();

    sums.kills += kills + 2;
    const unconfirmedBefore = sums.unconfirmed;
    for (const cancelled of cancels) {
      const found = await assertExact(rig, api, cancelled, rate);
      if (found === undefined) {
        sums.tooLate += 1;
        continue;
      }
      sums.cancels += 1;
      sums.recipients += found.people - found.notFrozen.length;
      sums.received += found.received;
      sums.receivedAfter += found.receivedAfter;
      sums.alreadyQueued += found.alreadyQueued;
      sums.handedOver += found.handedOver;
      sums.stoppedLater += found.stoppedLater;
      sums.cancelled += found.cancelled;
      sums.unconfirmed += found.unconfirmed;
      sums.none += Number(found.alreadyQueued === 0);
      sums.inFreeze += Number(found.notFrozen.length > 0);
      sums.slowestMs = Math.max(sums.slowestMs, Math.round(cancelled.ms));
    }
    t.diagnostic(`round ${round + 1} at ${rate} a second: ${JSON.stringify(sums)}`);
    const unconfirmed = sums.unconfirmed - unconfirmedBefore;
    assert.ok(unconfirmed <= (kills + 2) * UNCONFIRMED_PER_KILL, `${unconfirmed} unconfirmed of ${kills + 2} kills`);
  }
  assert.deepEqual(await strangersOf(rig), []);
  // Otherwise there was nothing to be exact about.
  assert.ok(sums.none < sums.cancels, 'every cancel came before the first release');
  assert.ok(sums.cancelled > 0, 'every cancel came after the last release');
  assert.ok(sums.receivedAfter > 0, 'nothing was on its way at any cancel');
});
