import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { withRowReads } from '../../../../../test/harness/row-reads.ts';
import { pageOfActiveSubscribers } from '../fan-out/queries.ts';
import { subscriberAudience } from '../fan-out/subscriber-audience.ts';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';

// No worker runs: emails are moved by hand.
let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

interface Sent {
  newsletterId: string;
  issue: Body;
  path: string;
}

/** An issue of which reader-0 and reader-1 were sent version 1, reader-2 version 2, and reader-3 nothing. */
async function twoVersions(): Promise<Sent> {
  const newsletterId = await t.list(4);
  const issue = await t.draft(newsletterId, { subject: 'Wrong' });
  const path = `/${newsletterId}/issues/${issue.id}`;
  assert.equal((await t.call('POST', `${path}/send`)).status, 202);
  await freeze();
  assert.equal((await t.call('POST', `${path}/pause`)).status, 200);
  await deliver(issue.id, ['reader-0@example.com', 'reader-1@example.com']);
  assert.equal((await t.call('PATCH', path, { body: { subject: 'Right' } })).status, 200);
  await deliver(issue.id, ['reader-2@example.com']);
  return { newsletterId, issue, path };
}

const freeze = () => bulkSends.freeze(t.app.db, [subscriberAudience(t.app)]);

const deliver = (issueId: string, recipients: readonly string[]) =>
  sql`update emails e set status = 'delivered', sent_at = now(), delivered_at = now(), content_id = r.content_id,
             content_version = r.content_version
        from send_requests r
       where e.workspace_id = ${t.app.workspaceId} and r.workspace_id = e.workspace_id and r.id = e.send_id
         and r.issue_id = ${issueId} and e.recipient = any (${[...recipients]}::text[])`.execute(t.app.db);

async function recipientsOf(issueId: string): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select e.recipient from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and r.issue_id = ${issueId} order by e.recipient`.execute(t.app.db);
  return rows.map(({ recipient }) => recipient.replace('@example.com', ''));
}

const correct = ({ path }: Pick<Sent, 'path'>, body?: object) =>
  t.call('POST', `${path}/correction`, body === undefined ? {} : { body });

test('201: a correction goes to exactly those who were sent that version and are still active, as does its copy', async () => {
  const sent = await twoVersions();
  const made = await correct(sent, { content_version: 1 });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    [made.body.status, made.body.subject, made.body.corrects],
    ['draft', 'Right', { id: sent.issue.id, content_version: 1 }],
  );
  assert.deepEqual(made.body.audit_log.at(-1).details, { corrects: made.body.corrects });
  const corrections = `/${sent.newsletterId}/issues/${made.body.id}`;
  const copy = await t.call('POST', `${corrections}/duplicate`);
  assert.deepEqual(copy.body.corrects, made.body.corrects);

  const answer = await t.call('POST', `${corrections}/send`);
  assert.deepEqual([answer.status, answer.body.total_recipients], [202, 2]);
  await freeze();
  assert.deepEqual(await recipientsOf(made.body.id), ['reader-0', 'reader-1']);

  await sql`update subscribers set status = 'unsubscribed' where workspace_id = ${t.app.workspaceId}
    and newsletter_id = ${sent.newsletterId} and email = 'reader-0@example.com'`.execute(t.app.db);
  assert.equal((await t.call('POST', `/${sent.newsletterId}/issues/${copy.body.id}/send`)).status, 202);
  await freeze();
  assert.deepEqual(await recipientsOf(copy.body.id), ['reader-1']);
});

test('201: without a version it goes to all who were sent the issue; other issues go to the whole list', async () => {
  const sent = await twoVersions();
  const made = await correct(sent);
  assert.deepEqual(made.body.corrects, { id: sent.issue.id, content_version: null });
  await t.call('POST', `/${sent.newsletterId}/issues/${made.body.id}/send`);
  const other = await t.draft(sent.newsletterId);
  assert.equal(other.corrects, null);
  await t.call('POST', `/${sent.newsletterId}/issues/${other.id}/send`);
  await freeze();
  assert.deepEqual(await recipientsOf(made.body.id), ['reader-0', 'reader-1', 'reader-2']);
  assert.deepEqual(await recipientsOf(other.id), ['reader-0', 'reader-1', 'reader-2', 'reader-3']);
});

test('422 once retention has removed the emails: for a new correction and for the send of one, which stays a draft', async () => {
  const sent = await twoVersions();
  const made = await correct(sent);
  const path = `/${sent.newsletterId}/issues/${made.body.id}`;
  await sql`delete from emails where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  for (const answer of [await correct(sent), await t.call('POST', `${path}/send`)]) {
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.body.message, /nobody can be reached any more/);
  }
  assert.equal((await t.call('GET', path)).body.status, 'draft');
  assert.equal((await t.call('GET', `/${sent.newsletterId}/issues`)).body.data.length, 2);
});

test('a page of a correction reads the emails of what is corrected, and not the list', async () => {
  const sent = await twoVersions();
  const made = await correct(sent);
  await t.call('POST', `/${sent.newsletterId}/issues/${made.body.id}/send`);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${t.app.workspaceId}, ph_uuidv7(), ${sent.newsletterId}, 'more-' || n || '@example.com', 'active'
      from generate_series(1, 3000) n`.execute(t.app.db);
  await sql`analyze subscribers, emails`.execute(t.app.db);
  const { rows: sends } = await sql<{ id: string }>`select send_id as id from issues
    where workspace_id = ${t.app.workspaceId} and id = ${made.body.id}`.execute(t.app.db);
  const of = { workspaceId: t.app.workspaceId, audienceId: sent.newsletterId, sendId: sends[0]?.id ?? '' };
  const page = async (after: string | null, limit: number) => {
    const { found, reads } = await withRowReads(t.app.db, ['subscribers', 'emails'], (tx) =>
      sql<{ recipient: string }>`${pageOfActiveSubscribers(of, after, limit)}`.execute(tx),
    );
    assert.ok(reads < 500, `${reads} rows read`);
    return found.rows.map(({ recipient }) => recipient.replace('@example.com', ''));
  };
  assert.deepEqual(await page(null, 500), ['reader-0', 'reader-1', 'reader-2']);
  assert.deepEqual(await page('reader-0@example.com', 1), ['reader-1']);
});

test('409 before the issue is sent, 422 for a version that nobody was sent; nothing is written', async () => {
  const newsletterId = await t.list(1);
  const draft = await t.draft(newsletterId);
  assert.equal((await correct({ path: `/${newsletterId}/issues/${draft.id}` })).status, 409);
  const sent = await twoVersions();
  const none = await correct(sent, { content_version: 3 });
  assert.deepEqual([none.status, none.body.param], [422, 'content_version']);
  for (const id of [newsletterId, sent.newsletterId]) {
    assert.equal((await t.call('GET', `/${id}/issues`)).body.data.length, 1);
  }
});
