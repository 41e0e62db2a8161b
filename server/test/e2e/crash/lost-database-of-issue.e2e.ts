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
import { aList, anIssue, IS_LARGE, recordsOf, send, watch } from './issue-rig.ts';
import { createRig } from './rig.ts';

const SIZE = IS_LARGE ? { people: 30_000, suppressed: 10_000 } : { people: 11_000, suppressed: 10_200 };
const RATE = IS_LARGE ? '1000' : '200';

test('without PostgreSQL an issue stands still, and goes on when it is back: each recipient once', {
  timeout: 600_000,
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
  const list = await aList(rig, api, 'outage', SIZE.people);
  await rig.query(`
    insert into suppressions (workspace_id, id, email, reason)
    select workspace_id, ph_uuidv7(), email, 'manual' from subscribers order by email limit ${SIZE.suppressed}`);
  const issuePath = await anIssue(api, list);
  const watched = watch(api, issuePath);
  await send(api, issuePath);

  const outages: string[] = [];
  const outage = async (how: 'crash' | 'shutDown', when: string): Promise<void> => {
    await postgres[how]();
    await postgres.startAgain();
    const back = performance.now();
    const [before] = [watched.answers.length];
    await watched.until(() => watched.answers.length > before + 1);
    outages.push(`${how} when ${when}: answers again after ${Math.round(performance.now() - back)} ms`);
  };
  await watched.until(({ stats }) => stats.total > 0);
  const [frozen] = await rig.query('select bulk_state as state from send_requests');
  await outage('crash', String(frozen?.['state']));
  await watched.until(({ stats }) => stats.sent > 100);
  await outage('crash', 'it was released');
  await watched.until(({ stats }) => stats.sent > 400);
  await outage('shutDown', 'it was released');

  await watched.until(({ status, stats }) => status === 'sent' && stats.pending === stats.unconfirmed, 240_000);
  await rig.untilQuiet();
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
});
