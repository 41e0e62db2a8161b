/**
 * Everything that can move an issue, at the same time: one wins, the others are told, and nobody is sent it twice. The
 * due service and the requests share no memory here, as in processes of their own.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSendReleased } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { type Body, createIssuesApp, inSeconds, type IssuesApp, type Reply } from '../test-kit.ts';

const CALLS = 64;

let t: IssuesApp;
let newsletterId: string;
before(async () => {
  t = await createIssuesApp();
  newsletterId = await t.list(3);
});
after(() => t.close());

const urlOf = (issue: Body): string => `/${newsletterId}/issues/${issue.id}`;
const ask = (issue: Body, path: string, options = {}): Promise<Reply> =>
  t.call('POST', `${urlOf(issue)}${path}`, options);

/** How many of the answers had each status. */
function counted(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const untilSomebodyWaits = (): Promise<void> =>
  t.until('it waits', async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.app.db);
    return rows.length > 0;
  });

const actionsOf = async (issue: Body): Promise<string[]> =>
  (await t.call('GET', urlOf(issue))).body.audit_log.map((entry: Body) => entry.action);

test(`of ${CALLS} sends at the same time one sends`, async () => {
  for (const body of [{}, { scheduled_for: inSeconds(3_600) }]) {
    const issue = await t.draft(newsletterId, body);
    assert.deepEqual(counted(await times(CALLS, () => ask(issue, '/send'))), { 202: 1, 409: CALLS - 1 });
    const { sends, issue: stored } = await t.stored(issue.id);
    assert.deepEqual([sends, stored.status], [1, 'sending']);
    assert.equal((await actionsOf(issue)).filter((action) => action === 'send_started').length, 1);
  }
});

test(`of ${CALLS} sends with one Idempotency-Key one sends, and all that are answered are told the same`, async () => {
  const issue = await t.draft(newsletterId);
  const headers = { 'idempotency-key': `race-${issue.id}` };
  const replies = await times(CALLS, () => ask(issue, '/send', { headers }));
  const good = replies.filter((reply) => reply.status === 202);
  assert.ok(good.length >= 1);
  assert.equal(new Set(good.map((reply) => reply.text)).size, 1);
  for (const { status, body } of replies) {
    if (status !== 202) assert.deepEqual([status, body.param], [409, 'Idempotency-Key']);
  }
  assert.equal((await t.stored(issue.id)).sends, 1);
});

test(`of ${CALLS} cancels at the same time one cancels, of a scheduled issue and of one that is being sent`, async () => {
  const scheduled = await t.draft(newsletterId, { scheduled_for: inSeconds(3_600) });
  const sending = await t.draft(newsletterId);
  await ask(sending, '/send');
  for (const issue of [scheduled, sending]) {
    const replies = await times(CALLS, () => ask(issue, '/cancel'));
    assert.deepEqual(counted(replies), { 200: 1, 409: CALLS - 1 });
    assert.equal((await t.stored(issue.id)).issue.status, 'cancelled');
    assert.equal((await actionsOf(issue)).filter((action) => action === 'cancelled').length, 1);
  }
});

test(`of ${CALLS} sends with nobody on the list one sends, and there is one event`, async () => {
  const empty = await t.list();
  const issue = await t.draft(empty);
  const replies = await times(CALLS, () => t.call('POST', `/${empty}/issues/${issue.id}/send`));
  assert.deepEqual(counted(replies), { 202: 1, 409: CALLS - 1 });
  assert.deepEqual((await t.stored(issue.id)).events, ['newsletter.issue.sent']);
});

test('sends, cancels, schedules, changes and deletions at the same time leave one story', async () => {
  for (let round = 0; round < 6; round += 1) {
    const issue = await t.draft(newsletterId, round % 2 === 0 ? {} : { scheduled_for: inSeconds(3_600) });
    const kinds: ((index: number) => Promise<Reply>)[] = [
      () => ask(issue, '/send'),
      () => ask(issue, '/cancel'),
      () => ask(issue, '/schedule', { body: { scheduled_for: inSeconds(3_600) } }),
      (index) => t.call('PATCH', urlOf(issue), { body: { subject: `Changed ${index}` } }),
      () => t.call('PATCH', urlOf(issue), { body: { scheduled_for: null } }),
    ];
    const replies = await times(25, async (index) => {
      const kind = (index + round) % kinds.length;
      const reply = await kinds[kind]?.(index);
      assert.ok(reply !== undefined && [200, 202, 409].includes(reply.status), reply?.text);
      return { ...reply, kind };
    });
    const sent = replies.filter(({ kind, status }) => kind === 0 && status === 202);
    const started = sent.filter(({ body }) => body.status === 'sending');
    const cancelled = replies.filter(({ kind, status }) => kind === 1 && status === 200);
    const { issue: stored, sends } = await t.stored(issue.id);
    assert.ok(started.length <= 1 && cancelled.length <= 1, `${started.length} sends, ${cancelled.length} cancels`);
    assert.equal(sends, started.length);
    if (cancelled.length === 1) assert.equal(stored.status, 'cancelled');
    else if (started.length === 1) assert.equal(stored.status, 'sending');
    else assert.ok(['draft', 'scheduled'].includes(stored.status));
    const actions = await actionsOf(issue);
    assert.equal(actions.filter((action) => action === 'send_started').length, started.length);
    assert.equal(actions.filter((action) => action === 'cancelled').length, cancelled.length);
  }
});

test('a caller that comes while an issue is being started waits, and learns that it has started', async () => {
  for (const [method, path, body] of [
    ['PATCH', '', { scheduled_for: null }],
    ['PATCH', '', { subject: 'Too late' }],
    ['POST', '/schedule', { scheduled_for: inSeconds(3_600) }],
    ['POST', '/send', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    const issue = await t.draft(newsletterId);
    const asked = await inTransaction(t.app.db, async (tx) => {
      await sql`update issues set status = 'sending' where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(
        tx,
      );
      const reply = t.call(method, `${urlOf(issue)}${path}`, body === undefined ? {} : { body });
      await untilSomebodyWaits();
      return { reply };
    });
    const reply = await asked.reply;
    assert.equal(reply.status, 409, `${method} ${path} ${reply.text}`);
    const { issue: stored, sends } = await t.stored(issue.id);
    assert.deepEqual([stored.status, stored.subject, sends], ['sending', issue.subject, 0]);
  }
});

test('cancels and the last page at the same time: the issue is sent or cancelled, and the event says which', async () => {
  for (let round = 0; round < 8; round += 1) {
    const issue = await t.draft(newsletterId);
    await ask(issue, '/send');
    const { issue: before } = await t.stored(issue.id);
    const key = { workspaceId: t.app.workspaceId, sendId: before.send_id };
    const release = inTransaction(t.app.db, async (tx) => {
      // As the release does it: the send is held, and then its issue is told.
      await sql`select from send_requests where workspace_id = ${key.workspaceId} and id = ${key.sendId} for update`.execute(
        tx,
      );
      await bulkSendReleased.announce(tx, { ...key, total: 3 });
    });
    const [replies] = await Promise.all([times(8, () => ask(issue, '/cancel')), release]);
    const cancelled = replies.filter((reply) => reply.status === 200).length;
    const { issue: stored, events } = await t.stored(issue.id);
    assert.equal(stored.status, cancelled === 1 ? 'cancelled' : 'sent');
    assert.deepEqual(events, cancelled === 1 ? [] : ['newsletter.issue.sent']);
  }
});

test('a pause that waits for the last page of an issue is refused: it is sent, and nothing of it is held', async () => {
  const issue = await t.draft(newsletterId);
  await ask(issue, '/send');
  const { issue: before } = await t.stored(issue.id);
  const key = { workspaceId: t.app.workspaceId, sendId: before.send_id };
  let pause: Promise<Reply> | undefined;
  await inTransaction(t.app.db, async (tx) => {
    await sql`select from send_requests where workspace_id = ${key.workspaceId} and id = ${key.sendId} for update`.execute(
      tx,
    );
    pause = ask(issue, '/pause');
    await untilSomebodyWaits();
    await bulkSendReleased.announce(tx, { ...key, total: 3 });
  });
  const { status, body } = (await pause) ?? {};
  assert.deepEqual([status, body.message], [409, 'The issue is sent: nothing of it is being sent.']);
  const { body: after } = await t.call('GET', urlOf(issue));
  assert.equal(after.status, 'sent');
  assert.notEqual(after.progress.state, 'paused');
  assert.equal((await actionsOf(issue)).includes('paused'), false);
});

test(`of ${CALLS} changes at the same time no field is lost: each wins whole, one after the other`, async () => {
  const issue = await t.draft(newsletterId);
  const replies = await times(CALLS, (index) =>
    t.call('PATCH', urlOf(issue), {
      body: index % 2 === 0 ? { subject: `Subject ${index}` } : { preheader: `Preheader ${index}` },
    }),
  );
  assert.deepEqual(counted(replies), { 200: CALLS });
  const { body } = await t.call('GET', urlOf(issue));
  assert.match(body.subject, /^Subject \d+$/);
  assert.match(body.preheader, /^Preheader \d+$/);
  assert.match(body.slug, /^subject-\d+(-\d+)?$/);
});

test('an issue of a newsletter that is deleted at the same time is not sent, or is stopped', async () => {
  for (let round = 0; round < 4; round += 1) {
    const doomed = await t.list(2);
    const issue = await t.draft(doomed);
    const [reply, removed] = await Promise.all([
      t.call('POST', `/${doomed}/issues/${issue.id}/send`),
      t.app.request({ method: 'DELETE', url: `/v1/newsletters/${doomed}` }),
    ]);
    assert.equal(removed.status, 200, removed.text);
    assert.ok([202, 404].includes(reply.status), reply.text);
    const { rows } = await sql<Body>`select bulk_state, cancelled_at from send_requests
      where workspace_id = ${t.app.workspaceId} and issue_id = ${issue.id}`.execute(t.app.db);
    assert.equal(rows.length, reply.status === 202 ? 1 : 0);
    for (const row of rows) {
      assert.ok(['cancelling', 'cancelled'].includes(row.bulk_state), row.bulk_state);
      assert.ok(row.cancelled_at !== null, 'nothing of it is handed over any more');
    }
  }
});
