import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSendReleased } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';
import { finishIssues } from './finish-service.ts';

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

const read = async (issue: Body): Promise<Body> =>
  (await t.call('GET', `/${issue.newsletter_id}/issues/${issue.id}`)).body;

/** An issue whose send is released; `counts` are those of its recipients. */
async function aSentIssue(counts: { queued?: number; unconfirmed?: number; sent?: number }): Promise<Body> {
  const issue = await t.draft(await t.list(1));
  await t.call('POST', `/${issue.newsletter_id}/issues/${issue.id}/send`);
  const { issue: stored } = await t.stored(issue.id);
  const { queued = 0, unconfirmed = 0, sent = 0 } = counts;
  const total = queued + unconfirmed + sent;
  await sql`insert into send_counts (workspace_id, send_id, total, queued, unconfirmed, sent)
    values (${t.app.workspaceId}, ${stored.send_id}, ${total}, ${queued}, ${unconfirmed}, ${sent})`.execute(t.app.db);
  await sql`update send_requests set bulk_state = 'released'
    where workspace_id = ${t.app.workspaceId} and id = ${stored.send_id}`.execute(t.app.db);
  await inTransaction(t.app.db, (tx) =>
    bulkSendReleased.announce(tx, { workspaceId: t.app.workspaceId, sendId: stored.send_id, total }),
  );
  return { ...issue, sendId: stored.send_id };
}

const finishedEvents = async (issue: Body): Promise<Body[]> => {
  const { rows } = await sql<{ payload: Body }>`
    select payload from workspace_events where workspace_id = ${t.app.workspaceId}
       and type = 'newsletter.issue.finished' and payload #>> '{issue,id}' = ${issue.id}`.execute(t.app.db);
  return rows.map((row) => row.payload);
};

test('an issue is finished when nothing is pending any more, and that is told once with its figures', async () => {
  const issue = await aSentIssue({ queued: 1, sent: 4 });
  await finishIssues(t.app);
  assert.equal((await read(issue)).finished_at, null, 'one waits in the queue');
  await sql`insert into send_counts (workspace_id, send_id, queued, sent)
    values (${t.app.workspaceId}, ${issue.sendId}, -1, 1)`.execute(t.app.db);
  await Promise.all([0, 1, 2].map(() => finishIssues(t.app)));
  await finishIssues(t.app);
  const { finished_at: finishedAt, status } = await read(issue);
  assert.equal(status, 'sent');
  const [event, ...others] = await finishedEvents(issue);
  assert.deepEqual([others.length, event.issue.finished_at, event.issue.stats.sent], [0, finishedAt, 5]);
});

test('a process that dies before its commit leaves the issue to be finished by another, with one event', async () => {
  const issue = await aSentIssue({ sent: 1 });
  const died = inTransaction(t.app.db, async (tx) => {
    assert.ok((await finishIssues({ db: tx })) >= 1);
    throw new Error('killed');
  });
  await assert.rejects(died, /killed/);
  assert.deepEqual([(await read(issue)).finished_at, await finishedEvents(issue)], [null, []]);
  await finishIssues(t.app);
  assert.equal((await finishedEvents(issue)).length, 1);
});

test('an issue without recipients is finished, and a draft is not', async () => {
  const empty = await t.draft(await t.list(0));
  const draft = await t.draft(empty.newsletter_id);
  await t.call('POST', `/${empty.newsletter_id}/issues/${empty.id}/send`);
  await finishIssues(t.app);
  assert.notEqual((await read(empty)).finished_at, null);
  assert.equal((await finishedEvents(empty)).length, 1);
  assert.deepEqual([(await read(draft)).finished_at, await finishedEvents(draft)], [null, []]);
});
