import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createAuditFeature } from '#features/audit';
import { queue } from '#features/outbox';
import { createSafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { createListener } from '#platform/db/listener.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { aDomain } from '../../../../../test/harness/builders.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { DueService } from '#platform/work/due-service.ts';
import { createDueService } from './due-service.ts';
import { type Body, createIssuesApp, inSeconds, type IssuesApp } from '../test-kit.ts';

let t: IssuesApp;
let wiring: NewslettersWiring;
let due: DueService;
let logged: string[];
before(async () => {
  t = await createIssuesApp();
  logged = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void logged.push(line) } });
  const { db, clock, settings, secrets, url } = t.app;
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
  due = createDueService(wiring);
});
after(async () => {
  await wiring.audit.stop();
  await wiring.safeFetch.close();
  await t.close();
});

/** A scheduled issue that was due this many seconds ago. */
async function scheduled(newsletterId: string, secondsAgo: number, body = {}): Promise<Body> {
  const issue = await t.draft(newsletterId, { scheduled_for: inSeconds(3_600), ...body });
  await read(issue); // writes the audit entries of the application before the service writes its own
  await dueAgo(issue, secondsAgo);
  return issue;
}

const dueAgo = (issue: Body, seconds: number) =>
  sql`update issues set scheduled_for = clock_timestamp() - make_interval(secs => ${seconds})
    where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(t.app.db);

/** How long after its time an issue was started. */
async function lateMsOf(issue: Body): Promise<number> {
  const { rows } = await sql<{ lateMs: string | null }>`
    select extract(epoch from started_at - scheduled_for) * 1000 as "lateMs" from issues
     where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(t.app.db);
  return Number(rows[0]?.lateMs ?? assert.fail('it was not started'));
}

const read = async (issue: Body): Promise<Body> =>
  (await t.call('GET', `/${issue.newsletter_id}/issues/${issue.id}`)).body;

test('an issue whose time has come is sent; one whose time has not is left alone', async () => {
  const newsletterId = await t.list(3);
  const now = await scheduled(newsletterId, 0);
  const later = await scheduled(newsletterId, -3_600);
  assert.equal(await due.runOnce(), 1);
  const { issue, sends } = await t.stored(now.id);
  assert.deepEqual([issue.status, issue.total_recipients, sends], ['sending', 3, 1]);
  assert.ok(issue.started_at >= issue.scheduled_for);
  await wiring.audit.flush();
  assert.deepEqual(
    (await read(now)).audit_log.map((entry: Body) => entry.action),
    ['created', 'scheduled', 'send_started'],
  );
  assert.deepEqual([(await t.stored(later.id)).issue.status, (await t.stored(later.id)).sends], ['scheduled', 0]);
  assert.equal(await due.runOnce(), 0);
});

test('an issue is never sent early: the clock of the database starts it, at its time or after', async () => {
  const newsletterId = await t.list(1);
  const issue = await scheduled(newsletterId, -3_600);
  t.app.clock.advance(86_400_000); // our clock is a day ahead
  try {
    assert.equal(await due.runOnce(), 0);
    assert.equal((await t.stored(issue.id)).issue.status, 'scheduled');
    await dueAgo(issue, -0.3);
    await t.until('its time comes', async () => (await due.runOnce()) === 1);
  } finally {
    t.app.clock.advance(-86_400_000);
  }
  assert.ok((await lateMsOf(issue)) >= 0, 'not before its time');
});

test('the running service starts an issue within a second of its time', async () => {
  // A busy machine may be late once. A service that looks too seldom is late each time.
  for (let round = 1, lateMs = 1_500; lateMs >= 1_500; round += 1) {
    assert.ok(round <= 3, `${lateMs} ms late`);
    const issue = await scheduled(await t.list(1), -1);
    const service = createDueService(wiring);
    await service.start();
    try {
      await t.until('it is started', async () => (await t.stored(issue.id)).issue.status === 'sending');
    } finally {
      await service.stop();
    }
    lateMs = await lateMsOf(issue);
    assert.ok(lateMs >= 0, 'not before its time');
  }
});

test('while sending is held no issue starts; afterwards it is sent once', async () => {
  const issue = await scheduled(await t.list(1), 60);
  await queue.hold.begin(t.app.db, 'went_back');
  assert.equal(await due.runOnce(), 0);
  assert.deepEqual([(await t.stored(issue.id)).issue.status, (await t.stored(issue.id)).sends], ['scheduled', 0]);
  await queue.hold.end(t.app.db);
  assert.equal(await due.runOnce(), 1);
  assert.deepEqual([(await t.stored(issue.id)).issue.status, (await t.stored(issue.id)).sends], ['sending', 1]);
});

test('an issue that was due while nothing ran is sent up to a day late, and fails after that', async () => {
  const newsletterId = await t.list(1);
  const late = await scheduled(newsletterId, 86_400 - 60);
  const tooLate = await scheduled(newsletterId, 86_400 + 60);
  assert.equal(await due.runOnce(), 2);
  assert.equal((await t.stored(late.id)).issue.status, 'sending');
  const { issue, sends, events } = await t.stored(tooLate.id);
  assert.deepEqual([issue.status, sends, events], ['failed', 0, ['newsletter.issue.failed']]);
  assert.match(issue.error, /^missed_window: its time had passed by 864\d\d seconds, and at most 86400 were allowed/);
});

test('16 processes that look at the same time send each of 10 issues once', async () => {
  const newsletterId = await t.list(1);
  const issues = [];
  for (let n = 0; n < 10; n += 1) issues.push(await scheduled(newsletterId, 1));
  const others = Array.from({ length: 16 }, () => createDueService(wiring));
  const settled = await Promise.all(others.map((one) => one.runOnce()));
  assert.equal(
    settled.reduce((sum, count) => sum + count, 0),
    10,
  );
  for (const issue of issues) {
    const { issue: stored, sends } = await t.stored(issue.id);
    assert.deepEqual([stored.status, sends], ['sending', 1]);
  }
});

test('an issue for an empty list is sent to nobody, with its event', async () => {
  const issue = await scheduled(await t.list(), 1);
  assert.equal(await due.runOnce(), 1);
  const { issue: stored, events } = await t.stored(issue.id);
  assert.deepEqual([stored.status, stored.total_recipients, events], ['sent', 0, ['newsletter.issue.sent']]);
});

test('an issue that a test key scheduled goes to the sandbox', async () => {
  const newsletterId = await t.list(1);
  const key = await t.key({ mode: 'test' });
  const issue = await t.draft(newsletterId);
  const url = `/${newsletterId}/issues/${issue.id}`;
  const reply = await t.call('POST', `${url}/schedule`, { body: { scheduled_for: inSeconds(60) }, key });
  assert.equal(reply.status, 200);
  await sql`update issues set scheduled_for = now() where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(
    t.app.db,
  );
  assert.equal(await due.runOnce(), 1);
  const { rows } = await sql<Body>`select sandbox from send_requests
    where workspace_id = ${t.app.workspaceId} and issue_id = ${issue.id}`.execute(t.app.db);
  assert.deepEqual(rows, [{ sandbox: true }]);
});

const LOST: readonly [
  what: string,
  param: string,
  lose: (newsletterId: string, issueId: string) => Promise<unknown>,
][] = [
  [
    'the newsletter has no sender any more',
    'from_email',
    (id) =>
      sql`update newsletters set from_email = null
        where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db),
  ],
  [
    'its domain is not verified any more',
    'from_email',
    (id) =>
      sql`update newsletters set from_email = 'news@withdrawn.example'
        where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db),
  ],
  [
    'it has no body any more',
    'html_body',
    (_, id) =>
      sql`update issues set html_body = ''
        where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db),
  ],
];
for (const [what, param, lose] of LOST) {
  test(`an issue fails loudly at its time when ${what}`, async () => {
    const newsletterId = await t.list(1);
    const issue = await scheduled(newsletterId, 1);
    await lose(newsletterId, issue.id);
    assert.equal(await due.runOnce(), 1);
    const { issue: stored, sends, events } = await t.stored(issue.id);
    assert.deepEqual([stored.status, stored.error_code, sends], ['failed', param, 0]);
    assert.ok(stored.error.length > 20 && stored.failed_at !== null);
    assert.deepEqual(events, ['newsletter.issue.failed']);
    await wiring.audit.flush();
    const shown = await read(issue);
    assert.deepEqual(shown.audit_log.at(-1).details, { error: stored.error, code: param });
    assert.equal(await due.runOnce(), 0, 'it is not tried again');
  });
}

test('a paused workspace keeps its issue with a reason, and sends it when it is resumed', async () => {
  await aDomain(t.app.db, t.app.workspaceId, 'waiting.example');
  const issue = await scheduled(await t.list(1, { fromEmail: 'news@waiting.example' }), 5);
  const set = (status: string) =>
    sql`update workspaces set status = ${status} where id = ${t.app.workspaceId}`.execute(t.app.db);
  await set('paused');
  try {
    assert.equal(await due.runOnce(), 0);
    const shown = await read(issue);
    assert.deepEqual([shown.status, shown.progress.state], ['scheduled', 'paused']);
    assert.match(shown.progress.reason, /paused for this workspace/);
    assert.equal((await t.stored(issue.id)).sends, 0);
  } finally {
    await set('active');
  }
  await t.until('it is known that sending goes on', async () => (await due.runOnce()) === 1);
  assert.equal((await t.stored(issue.id)).issue.status, 'sending');
  assert.deepEqual(logged, []);
});

test('an issue of a deleted newsletter does not delay the others', async () => {
  const gone = await t.list(1);
  const orphan = await scheduled(gone, 10);
  await sql`delete from newsletters where workspace_id = ${t.app.workspaceId} and id = ${gone}`.execute(t.app.db);
  const other = await scheduled(await t.list(1), 1);
  assert.equal(await due.runOnce(), 1);
  assert.equal((await t.stored(other.id)).issue.status, 'sending');
  assert.equal((await t.stored(orphan.id)).sends, 0);
});

test('a failure of ours leaves the issue scheduled; the others are sent, and it is tried again later', async () => {
  const [bad, good] = [await scheduled(await t.list(1), 10), await scheduled(await t.list(1), 1)];
  let nowMs = 0; // the clock stands still, so no wait ends while the test looks
  const clock = { ...wiring.clock, monotonicMs: () => nowMs };
  const broken = createDueService({ ...wiring, clock, settings: failingFor(2) });
  assert.equal(await broken.runOnce(), 1);
  assert.deepEqual([(await t.stored(bad.id)).issue.status, (await t.stored(bad.id)).sends], ['scheduled', 0]);
  assert.equal((await t.stored(good.id)).issue.status, 'sending');
  assert.equal(await broken.runOnce(), 0, 'not at once');
  nowMs += 1_100;
  assert.equal(await broken.runOnce(), 1);
  assert.equal((await t.stored(bad.id)).sends, 1);
  assert.ok(logged.some((line) => line.includes(bad.id)));
});

/** Settings whose first reader fails, as after a mistake of ours. */
function failingFor(reads: number): NewslettersWiring['settings'] {
  let left = reads - 1;
  return new Proxy(wiring.settings, {
    get(settings, name) {
      if (left > 0) {
        left -= 1;
        throw new Error('planted');
      }
      return Reflect.get(settings, name);
    },
  });
}
