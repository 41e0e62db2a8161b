/**
 * Workers are killed (SIGKILL) and ended (SIGTERM) while the recipients of an issue are frozen and released. Everybody
 * on the list is in the mail server's log once, or on record as unconfirmed, and every answer of the API adds up.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PosthornProcess } from '../../harness/posthorn-process.ts';
import { seededRandom } from '../../harness/smtp-faults.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { compareIssue, ISSUE_FLAWLESS } from './compare-issue.ts';
import {
  aList,
  anIssue,
  IS_LARGE,
  type List,
  pauseFor,
  RUNS,
  recordsOf,
  seedsFrom,
  send,
  strangersOf,
  UNCONFIRMED_PER_KILL,
  type Watch,
  watch,
} from './issue-rig.ts';
import { between } from './requests.ts';
import { arm, createRig, type Rig } from './rig.ts';

/** Most are suppressed: they are frozen like everybody, in a second page too, and cost no hand-off. */
const AT_BOUNDARIES = IS_LARGE ? { people: 20_000, suppressed: 17_000 } : { people: 5_200, suppressed: 4_900 };
const AT_RANDOM = IS_LARGE ? { people: 6_000, kills: 10 } : { people: 700, kills: 2 };
/** Four pages of the freeze. */
const AT_UPGRADE = 20_000;
const SETTINGS = {
  POSTHORN_SEND_RATE: IS_LARGE ? '500' : '300',
  POSTHORN_PROVIDER_CEILING: '1000',
  // With less, a worker that the machine lets stand loses what it holds, as if it had been killed.
  POSTHORN_LEASE_SECONDS: '6',
};
/** A start of a process and a lease, on a machine that tests share. A fault in it stands still for good. */
const RESUMES_WITHIN_MS = 60_000;
/** How fast the machine sends is not what is tried. */
const ENDS_WITHIN_MS = 600_000;

interface Sending {
  list: List;
  issuePath: string;
  watched: Watch;
  what: string;
  kills: number;
  suppressed?: number;
}

const sums = { issues: 0, kills: 0, recipients: 0, received: 0, unconfirmed: 0, answers: 0, standstillMs: 0 };

async function assertOnce(t: TestContext, rig: Rig, api: PosthornProcess, sending: Sending): Promise<void> {
  const { list, issuePath, watched, what, kills, suppressed = 0 } = sending;
  await watched.until(({ status, stats }) => status === 'sent' && stats.pending === stats.unconfirmed, ENDS_WITHIN_MS);
  await rig.untilQuiet(120_000);
  await watched.stop();
  const found = compareIssue(await recordsOf(rig, api, { list, issuePath, answers: watched.answers }));
  t.diagnostic(
    `${what}: ${found.received} of ${found.people - suppressed} received once, ${found.unconfirmed} unconfirmed, ` +
      `${watched.answers.length} answers add up; stood still ${Math.round(watched.standstillMs)} ms at most`,
  );
  assertFound(found, { ...ISSUE_FLAWLESS, notFrozen: [], suppressed, cancelled: 0, status: 'sent' });
  // A hand-off that was cut off may or may not have arrived.
  const expected = found.people - suppressed;
  assert.ok(found.received <= expected && found.received + found.unconfirmed >= expected);
  assert.ok(found.unconfirmed <= kills * UNCONFIRMED_PER_KILL, `${found.unconfirmed} unconfirmed of ${kills} kills`);
  assert.ok(watched.standstillMs < RESUMES_WITHIN_MS, `it stood still for ${watched.standstillMs} ms`);
  sums.issues += 1;
  sums.kills += kills;
  sums.recipients += expected;
  sums.received += found.received;
  sums.unconfirmed += found.unconfirmed;
  sums.answers += watched.answers.length;
  sums.standstillMs = Math.max(sums.standstillMs, Math.round(watched.standstillMs));
}

const BOUNDARIES = [
  'outbox.freeze.before-commit',
  'outbox.freeze.after-commit',
  'outbox.release.before-commit',
  'outbox.release.after-commit',
];

test('workers that freeze and release an issue', { timeout: 1_800_000 + RUNS * 180_000 }, async (t) => {
  const rig = await createRig({ env: SETTINGS });
  undoAfter(t, rig.close);
  const api = await rig.start('api');
  const workers: PosthornProcess[] = [];

  await t.test('killed at each boundary: each recipient once', async (t) => {
    for (const [round, boundary] of BOUNDARIES.entries()) {
      await Promise.all(workers.splice(0).map((worker) => worker.kill()));
      const { people, suppressed } = AT_BOUNDARIES;
      const list = await aList(rig, api, `boundary${round}`, people);
      await rig.query(`
        insert into suppressions (workspace_id, id, email, reason)
        select workspace_id, ph_uuidv7(), email, 'manual' from subscribers
         where newsletter_id = '${list.newsletterId}' order by email desc limit ${suppressed}`);
      const issuePath = await anIssue(api, list);
      // Alone, so that it is the one who comes to the boundary; those after it find what it left.
      const victim = await rig.start('worker', [{ at: boundary, pass: 1, act: 'kill' }]);
      await arm(victim);
      const watched = watch(api, issuePath);
      await send(api, issuePath);
      await victim.ended;
      assert.match(victim.output(), new RegExp(`fault: kill at ${boundary}`));
      workers.push(await rig.start('worker'));
      await assertOnce(t, rig, api, { list, issuePath, watched, suppressed, kills: 1, what: `killed at ${boundary}` });
    }
  });

  workers.push(await rig.start('worker'));
  const seeds = seedsFrom(31_000);
  await t.test(`killed at random moments, seeds ${seeds[0]} to ${seeds.at(-1)}: each recipient once`, async (t) => {
    for (const seed of seeds) {
      const random = seededRandom(seed);
      const list = await aList(rig, api, `random${seed}`, AT_RANDOM.people);
      const issuePath = await anIssue(api, list);
      const watched = watch(api, issuePath);
      await send(api, issuePath);
      const isOver = (): boolean => watched.answers.some(({ stats }) => stats.total > 0 && stats.pending === 0);
      const starts: Promise<void>[] = [];
      let kills = 0;
      for (; kills < AT_RANDOM.kills && !isOver(); kills += 1) {
        // The first ones while it is frozen.
        // oxlint-disable-next-line house/no-sleep -- the moment of the kill is chosen at random
        await pauseFor(between(random, 0, kills < 2 ? 300 : 1_500));
        // In turn, so that the next kill need not wait for the start after this one, in which the issue may end.
        const victim = kills % 2;
        await starts[victim];
        await workers[victim]?.kill();
        starts[victim] = rig.start('worker').then((worker) => void (workers[victim] = worker));
      }
      await Promise.all(starts);
      await assertOnce(t, rig, api, { list, issuePath, watched, kills, what: `seed ${seed}, ${kills} kills` });
      assert.ok(kills >= 2, 'it was over too soon to be disturbed');
    }
  });

  await t.test('ended by SIGTERM while it is frozen: exit 0, and those after them freeze the rest', async (t) => {
    const list = await aList(rig, api, 'upgrade', AT_UPGRADE);
    const issuePath = await anIssue(api, list);
    const frozen = async (): Promise<number> => {
      const [row] = await rig.query(`select coalesce(sum(c.total), 0)::integer as n from send_counts c
        join send_requests r on r.id = c.send_id where r.issue_id = '${issuePath.slice(-36)}'`);
      return Number(row?.['n']);
    };
    await send(api, issuePath);
    await untilFrozen(frozen);
    const ended = await Promise.all(workers.map((worker) => worker.stop()));
    const frozenThen = await frozen();
    assert.deepEqual(ended, [0, 0]);
    assert.ok(frozenThen > 0 && frozenThen < AT_UPGRADE, `${frozenThen} were frozen`);

    await Promise.all([rig.start('worker'), rig.start('worker')]);
    const begun = performance.now();
    const watched = watch(api, issuePath);
    await watched.until(({ stats }) => stats.total === AT_UPGRADE, 30_000);
    t.diagnostic(`at ${frozenThen}; all were frozen ${Math.round(performance.now() - begun)} ms after the next start`);
    // Enough was seen: the rest need not be sent.
    const cancelled = await api.fetch(`${issuePath}/cancel`, { method: 'POST' });
    await watched.stop();
    assert.equal(cancelled.status, 200);
    const { emails } = await recordsOf(rig, api, { list, issuePath });
    assert.equal(emails.length, AT_UPGRADE);
    assert.deepEqual(new Set(emails.map((email) => email.recipient)), new Set(list.people));
  });
  assert.deepEqual(await strangersOf(rig), []);
  t.diagnostic(JSON.stringify(sums));
});

async function untilFrozen(frozen: () => Promise<number>): Promise<void> {
  const until = performance.now() + 20_000;
  while ((await frozen()) === 0) assert.ok(performance.now() < until, 'nothing is frozen');
}
