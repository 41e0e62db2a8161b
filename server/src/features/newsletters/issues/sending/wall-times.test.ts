import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createAuditFeature } from '#features/audit';
import { createListener } from '#platform/db/listener.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createSafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { ZONE_RULES } from '#platform/time/wall-time.ts';
import { until } from '../../../../../test/harness/until.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';
import { issueServices } from './services.ts';
import { wallTimesService } from './wall-times.ts';

let t: IssuesApp;
let wiring: NewslettersWiring;
before(async () => {
  t = await createIssuesApp();
  const { db, clock, settings, secrets, url } = t.app;
  const log = createLog({ level: 'error', destination: { write: () => undefined } });
  wiring = {
    db,
    clock,
    log,
    settings,
    secrets,
    listener: createListener({ url, log, clock }),
    safeFetch: createSafeFetch({ clock, allow: [], development: null }),
    metrics: createMetrics(),
    sendSystemMail: async () => undefined,
    audit: createAuditFeature({ db, clock, log }).auditLog,
  };
});
after(async () => {
  await wiring.audit.stop();
  await wiring.safeFetch.close();
  await t.close();
});

const service = () => wallTimesService(wiring);

/** Ten o'clock in Kathmandu, some weeks from now: 04:15 in UTC, without summer time. */
const DAY = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const TIME = { scheduled_for: `${DAY}T10:00:00`, timezone: 'Asia/Kathmandu' };
const MEANT = `${DAY}T04:15:00.000Z`;
const BY_OLD_RULES = `${DAY}T03:45:00.000Z`;

/** An issue with a wall time, stored by a process with older rules. */
async function planted(body: object = TIME): Promise<Body> {
  const issue = await t.draft(await t.list(1), body);
  await sql`update issues set scheduled_for = ${BY_OLD_RULES}, wall_time = wall_time || '{"rules":"1900a"}'
    where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(t.app.db);
  return issue;
}

const path = (issue: Body): string => `/${issue.newsletter_id}/issues/${issue.id}`;
const read = async (issue: Body): Promise<Body> => (await t.call('GET', path(issue))).body;

test('a scheduled issue moves to what its wall time means by new rules, once and with an entry', async () => {
  const issue = await planted();
  assert.equal((await read(issue)).scheduled_for, BY_OLD_RULES);
  const running = issueServices(wiring).find(({ name }) => name === 'wall times of scheduled issues');
  assert.ok(running !== undefined);
  await running.start();
  try {
    await until('the new time', async () => ((await read(issue)).scheduled_for === MEANT ? true : undefined));
  } finally {
    await running.stop();
  }
  assert.equal(await service().runOnce(), 0);
  const { rows } = await sql<Body>`select action, details from audit_entries
    where workspace_id = ${t.app.workspaceId} and target_id = ${issue.id} and actor_type = 'system'`.execute(t.app.db);
  const zone_rules = { from: '1900a', to: ZONE_RULES };
  const details = { scheduled_for: MEANT, was: BY_OLD_RULES, zone_rules, record_name: issue.subject };
  assert.deepEqual(rows, [{ action: 'scheduled', details }]);
  assert.equal((await t.stored(issue.id)).sends, 0);
});

test('an issue that asks for an instant, one with another zone since, and one that is due stay where they are', async () => {
  const instant = await planted({ scheduled_for: MEANT, timezone: TIME.timezone });
  const rezoned = await planted();
  const patched = await t.call('PATCH', path(rezoned), { body: { timezone: 'Asia/Tokyo' } });
  assert.equal(patched.status, 200, patched.text);
  const due = await planted();
  await sql`update issues set scheduled_for = clock_timestamp() - interval '1 second'
    where workspace_id = ${t.app.workspaceId} and id = ${due.id}`.execute(t.app.db);
  const rowsOf = () => Promise.all([instant, rezoned, due].map(async ({ id }) => (await t.stored(id)).issue));
  const seen = await rowsOf();
  assert.equal(await service().runOnce(), 0);
  assert.deepEqual(await rowsOf(), seen);
  assert.deepEqual(
    seen.map(({ wall_time: wallTime }) => wallTime?.rules),
    [undefined, undefined, '1900a'],
  );
});

test('a draft that was stored by older rules is scheduled by those of now', async () => {
  const issue = await planted();
  await sql`update issues set status = 'draft', sent_by = null
    where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(t.app.db);
  assert.equal(await service().runOnce(), 0);
  const sent = await t.call('POST', `${path(issue)}/send`);
  assert.equal(sent.status, 202, sent.text);
  const { status, scheduled_for: at } = await read(issue);
  assert.deepEqual([status, at], ['scheduled', MEANT]);
});
