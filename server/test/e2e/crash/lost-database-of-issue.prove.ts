/**
 * PostgreSQL goes away while an issue is frozen and while it is released, and comes back. No process of ours is started
 * again; the issue goes on by itself, and everybody gets it once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRestartablePostgres } from '../../harness/restartable-postgres.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { compareIssue, ISSUE_FLAWLESS } from './compare-issue.ts';
import { aList, anIssue, IS_LARGE, RUNS, recordsOf, send, strangersOf, watch } from './issue-rig.ts';
import { createRig } from './rig.ts';

const SIZE = IS_LARGE ? { people: 15_000, suppressed: 11_000 } : { people: 11_000, suppressed: 10_200 };
const RATE = IS_LARGE ? '500' : '200';

/** The emails claimed when PostgreSQL went away, by both workers, each of the three times. */
const UNCONFIRMED_MAX = 600;

test(`without PostgreSQL an issue stands still, and goes on when it is back, ${RUNS} times: each recipient once`, {
  timeout: 300_000 + RUNS * 300_000,
}, async (t) => {
  const postgres = await startRestartablePostgres();
  undoAfter(t, postgres.close);
  const rig = await createRig({
    databaseUrl: postgres.url,
    env: { POSTHORN_SEND_RATE: RATE, POSTHORN_PROVIDER_CEILING: '1000' },
  });
  undoAfter(t, rig.close);
  const api = await rig.start('api'); // migrates
  const workers = await Promise.all([rig.start('worker'), rig.start('worker')]);
  const sums = { issues: 0, outages: 0, recipients: 0, received: 0, unconfirmed: 0, answers: 0, standstillMs: 0 };

  for (let run = 0; run < RUNS; run += 1) {
    const list = await aList(rig, api, `outage${run}`, SIZE.people);
    await rig.query(`
      insert into suppressions (workspace_id, id, email, reason)
      select workspace_id, ph_uuidv7(), email, 'manual' from subscribers
       where newsletter_id = '${list.newsletterId}' order by email limit ${SIZE.suppressed}`);
    const issuePath = await anIssue(api, list);
    const watched = watch(api, issuePath);
    await send(api, issuePath);

    const outages: string[] = [];
    const outage = async (how: 'crash' | 'shutDown', when: string): Promise<void> => {
      await postgres[how]();
      await postgres.startAgain();
      const back = performance.now();
      const before = watched.answers.length;
      await watched.until(() => watched.answers.length > before + 1);
      outages.push(`${how} when ${when}: answers again after ${Math.round(performance.now() - back)} ms`);
    };
    await watched.until(({ stats }) => stats.total > 0);
    const [frozen] = await rig.query(
      `select bulk_state as state from send_requests where issue_id = '${issuePath.slice(-36)}'`,
    );
    await outage('crash', String(frozen?.['state']));
    await watched.until(({ stats }) => stats.sent > 100);
    await outage('crash', 'it was released');
    await watched.until(({ stats }) => stats.sent > 400);
    await outage('shutDown', 'it was released');

    await watched.until(({ status, stats }) => status === 'sent' && stats.pending === stats.unconfirmed, 600_000);
    await rig.untilQuiet(120_000);
    await watched.stop();
    const found = compareIssue(await recordsOf(rig, api, { list, issuePath, answers: watched.answers }));
    const expected = SIZE.people - SIZE.suppressed;
    t.diagnostic(
      `${outages.join('; ')}; ${found.received} of ${expected} received once, ${found.unconfirmed} unconfirmed; ` +
        `stood still ${Math.round(watched.standstillMs)} ms at most`,
    );
    assert.deepEqual(
      [api, ...workers].map(({ child }) => child.exitCode),
      [null, null, null],
      'a process ended',
    );
    assertFound(found, { ...ISSUE_FLAWLESS, notFrozen: [], suppressed: SIZE.suppressed, cancelled: 0, status: 'sent' });
    assert.ok(found.received <= expected && found.received + found.unconfirmed >= expected);
    assert.ok(found.unconfirmed <= UNCONFIRMED_MAX, `${found.unconfirmed} unconfirmed`);
    sums.issues += 1;
    sums.outages += outages.length;
    sums.recipients += expected;
    sums.received += found.received;
    sums.unconfirmed += found.unconfirmed;
    sums.answers += watched.answers.length;
    sums.standstillMs = Math.max(sums.standstillMs, Math.round(watched.standstillMs));
  }
  assert.deepEqual(await strangersOf(rig), []);
  t.diagnostic(JSON.stringify(sums));
});
