/** An issue from its draft to the last answer about it, with a worker that hands its mail to the capture provider. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forgetSenderDomains } from '#features/domains';
import { newId } from '#platform/ids.ts';
import { aDomain } from '../../../../../test/harness/builders.ts';
import { noteEngagement } from '../../subscribers/engagement-queries.ts';
import { countImported, removeImported } from '../../subscribers/transfer/import/page-queries.ts';
import { ISSUE_MOVES, ISSUE_STATUSES } from '../issue.ts';
import { type Body, createIssuesApp, inSeconds, type IssuesApp, type Reply } from '../test-kit.ts';

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp({ worker: true });
});
after(() => t.close());

const urlOf = (issue: Body): string => `/${issue.newsletter_id}/issues/${issue.id}`;
const get = (issue: Body, path = ''): Promise<Reply> => t.call('GET', `${urlOf(issue)}${path}`);

async function sent(issue: Body, when: (now: Body) => boolean): Promise<Body> {
  let now: Body;
  await t.until('the issue is done', async () => {
    now = (await get(issue)).body;
    const { total, pending, sent: taken, failed } = now.stats;
    assert.equal(total, pending + taken + failed, 'in every answer');
    return when(now);
  });
  return now;
}

/** The different requests that the records of its emails name. */
async function requestsOfEmails(issue: Body): Promise<unknown[]> {
  const emails = (await t.app.request({ url: `/v1/emails?issue_id=${issue.id}` })).body as Body;
  assert.ok(emails.data.length > 0);
  return [...new Set(emails.data.map((email: Body) => email.request_id))];
}

test('an issue is sent to everybody once, its figures add up, and its recipients are listed', async () => {
  const newsletterId = await t.list(6);
  await sql`update subscribers set email = 'reject@simulator.amazonses.com' where workspace_id = ${t.app.workspaceId}
    and newsletter_id = ${newsletterId} and email = 'reader-5@example.com'`.execute(t.app.db);
  const draft = await t.draft(newsletterId, { html_body: '<p>Hello {{ subscriber.name }}</p>' });
  const reply = await t.call('POST', `${urlOf(draft)}/send`);
  assert.deepEqual([reply.status, reply.body.total_recipients], [202, 6]);
  const issue = await sent(
    draft,
    (now) => now.status === 'sent' && now.stats.pending === 0 && now.stats.delivered >= 5,
  );
  assert.deepEqual([issue.total_recipients, issue.stats.total], [6, 6]);
  assert.equal(issue.stats.sent + issue.stats.refused, 6);
  assert.ok(issue.stats.first_event_at !== null && issue.sent_at !== null);
  const refused = await sent(draft, (now) => now.stats.refused === 1);
  assert.partialDeepStrictEqual(refused.progress, { state: 'done', reason: '1 of 6 were not sent it: 1 refused.' });
  assert.deepEqual((await get(draft, '/stats')).body, refused.stats);
  const { body: listed } = await t.call('GET', `/${newsletterId}/issues`);
  assert.deepEqual(listed.data[0].stats, refused.stats);
  const { finished_at: finishedAt } = await sent(draft, (now) => now.finished_at !== null);
  assert.ok(finishedAt >= issue.sent_at);
  assert.deepEqual((await t.stored(draft.id)).events, ['newsletter.issue.sent', 'newsletter.issue.finished']);
  const { rows } = await sql<{ to: string[]; n: number }>`
    select envelope_to as "to", count(*)::integer as n from captured_emails
     where workspace_id = ${t.app.workspaceId} group by envelope_to`.execute(t.app.db);
  assert.ok(rows.length >= 5);
  for (const row of rows) assert.equal(row.n, 1, `${row.to.join()} got it once`);

  const all = (await get(draft, '/recipients')).body;
  assert.deepEqual([all.total, all.data.length, all.has_more], [6, 6, false]);
  const ids = all.data.map((row: Body) => row.email_id);
  assert.deepEqual(ids, ids.toSorted().toReversed(), 'newest first');
  const emails = all.data.map((row: Body) => row.email).toSorted();
  assert.equal(new Set(emails).size, 6);
  const first = (await get(draft, '/recipients?limit=4')).body;
  const rest = (await get(draft, `/recipients?limit=4&cursor=${first.next_cursor}`)).body;
  assert.deepEqual(
    [...first.data, ...rest.data].map((row: Body) => row.email),
    all.data.map((row: Body) => row.email),
  );
  const delivered = (await get(draft, '/recipients?status=delivered')).body;
  assert.ok(delivered.data.length >= 5 && delivered.data.every((row: Body) => row.status === 'delivered'));
  assert.deepEqual([delivered.total, delivered.total_is_estimate], [delivered.data.length, undefined], 'exact');
  const delayed = (await get(draft, '/recipients?status=delivery_delayed')).body;
  assert.deepEqual([delayed.data, delayed.total, delayed.total_is_estimate], [[], 0, undefined]);
  assert.deepEqual(
    await requestsOfEmails(draft),
    [reply.headers['x-request-id']],
    'each names the request of the send',
  );
  const one = delivered.data[0];
  assert.deepEqual(Object.keys(one).toSorted(), [
    'click_count',
    'content_version',
    'email',
    'email_id',
    'error',
    'last_event_at',
    'message_id',
    'open_count',
    'status',
    'subscriber_id',
  ]);
  const lines = (await get(draft, '/recipients?format=csv')).text.trimEnd().split('\r\n');
  assert.equal(lines.length, 7);
  assert.deepEqual(
    lines
      .slice(1)
      .map((line) => line.split(',')[0])
      .toSorted(),
    emails,
  );
  const none = await t.call('POST', `${urlOf(draft)}/retry-failed`);
  assert.deepEqual([none.status, none.body], [202, { success: true, queued: 0 }], 'taken, and rejected for good');
  // As if the provider had not taken it.
  await sql`update emails set sent_at = null where workspace_id = ${t.app.workspaceId}
    and recipient = 'reject@simulator.amazonses.com'`.execute(t.app.db);
  const turn = async (status: string): Promise<void> => {
    await sql`update workspaces set status = ${status} where id = ${t.app.workspaceId}`.execute(t.app.db);
    forgetSenderDomains(t.app.workspaceId);
  };
  await turn('paused');
  const held = await t.call('POST', `${urlOf(draft)}/retry-failed`);
  assert.deepEqual([held.status, (await get(draft)).body.stats.waiting], [403, 0], held.text);
  await turn('active');
  const retried = await t.call('POST', `${urlOf(draft)}/retry-failed`);
  assert.deepEqual([retried.status, retried.body], [202, { success: true, queued: 1 }]);
  const after = await sent(draft, (now) => now.finished_at !== null && now.finished_at !== finishedAt);
  assert.deepEqual([after.status, after.stats.total], ['sent', 6]);
  const numbered = await sql<{ sequences: number[] }>`
    select array_agg(v.sequence order by v.sequence) as sequences from email_events v
      join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
     where e.workspace_id = ${t.app.workspaceId} and e.recipient = 'reject@simulator.amazonses.com'`.execute(t.app.db);
  const { sequences } = numbered.rows[0] ?? { sequences: [] };
  assert.ok(sequences.length >= 3, 'it was sent, refused and sent again');
  assert.deepEqual(
    sequences,
    sequences.map((_, n) => n + 1),
  );
  assert.deepEqual(after.audit_log.at(-1).details, { queued: 1 });
  assert.deepEqual(
    (await t.stored(draft.id)).events,
    ['newsletter.issue.sent', 'newsletter.issue.finished', 'newsletter.issue.finished'],
    'it was sent once, and finished again',
  );
  assert.equal((await t.call('POST', `${urlOf(draft)}/send`)).status, 409);
});

test('an import is undone as before when its people were sent an issue and have read it', async () => {
  const newsletterId = await t.list(3);
  const given = { workspaceId: t.app.workspaceId, id: newId(), createdAt: new Date('2026-11-20T10:00:00.000Z') };
  await sql`update subscribers set import_id = ${given.id}, updated_at = ${given.createdAt}
     where workspace_id = ${given.workspaceId} and newsletter_id = ${newsletterId}`.execute(t.app.db);
  const draft = await t.draft(newsletterId);
  await t.call('POST', `${urlOf(draft)}/send`);
  await sent(draft, (now) => now.status === 'sent' && now.stats.delivered === 3);
  const { data } = (await get(draft, '/recipients')).body;
  const at = new Date();
  const read = { workspaceId: given.workspaceId, emailId: data[0].email_id, openedAt: at, clickedAt: at };
  await noteEngagement(t.app.db, [read]);
  assert.equal((await countImported(t.app.db, given)).removes, 3);
  assert.equal(await removeImported(t.app.db, given, 10), 3);
});

test('a scheduled issue starts by itself when its time comes, and is sent', async () => {
  const issue = await t.draft(await t.list(2));
  const schedule = await t.call('POST', `${urlOf(issue)}/schedule`, { body: { scheduled_for: inSeconds(60) } });
  assert.equal(schedule.status, 200, schedule.text);
  await sql`update issues set scheduled_for = clock_timestamp() + interval '300 milliseconds'
    where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(t.app.db);
  const done = await sent(issue, (now) => now.status === 'sent' && now.stats.pending === 0);
  assert.deepEqual([done.total_recipients, done.stats.sent], [2, 2]);
  assert.ok(done.started_at >= done.scheduled_for, 'not before its time');
  assert.deepEqual(
    await requestsOfEmails(issue),
    [schedule.headers['x-request-id']],
    'each names the request of the schedule',
  );
});

test('a key in test mode has its issue kept: everything happens but the sending', async () => {
  const issue = await t.draft(await t.list(2));
  const key = await t.key({ mode: 'test' });
  assert.equal((await t.call('POST', `${urlOf(issue)}/send`, { key })).status, 202);
  const done = await sent(issue, (now) => now.status === 'sent' && now.stats.pending === 0);
  assert.deepEqual([done.stats.total, done.archive_url], [2, null]);
  const { rows } = await sql<{ slug: string }>`select slug from newsletters
    where workspace_id = ${t.app.workspaceId} and id = ${issue.newsletter_id}`.execute(t.app.db);
  const page = `/n/${rows[0]?.slug}/i/${issue.slug}`;
  assert.equal((await t.app.app.inject({ url: page })).statusCode, 404, 'it can be read by nobody');
  await sql`update issues set sent_by = jsonb_set(sent_by, '{mode}', '"live"')
    where workspace_id = ${t.app.workspaceId} and id = ${issue.id}`.execute(t.app.db);
  assert.equal((await t.app.app.inject({ url: page })).statusCode, 200, 'as one that was really sent can');
});

/** Nothing is handed over meanwhile. */
async function whileNothingLeaves<T>(work: () => Promise<T>): Promise<T> {
  await sql`update send_pace set paused_until = now() + interval '10 minutes'`.execute(t.app.db);
  try {
    return await work();
  } finally {
    await sql`update send_pace set paused_until = null`.execute(t.app.db);
  }
}

test('an issue whose domain is deleted while it is being sent has failed, with its event, and reaches nobody any more', async () => {
  const { db, workspaceId } = t.app;
  const domainId = await aDomain(db, workspaceId, 'goes.test');
  const issue = await t.draft(await t.list(150, { fromEmail: 'news@goes.test' }));
  const done = await whileNothingLeaves(async () => {
    await t.call('POST', `${urlOf(issue)}/send`);
    await sent(issue, ({ stats }) => stats.queued > 0 && stats.waiting > 0);
    await sql`delete from domains where workspace_id = ${workspaceId} and id = ${domainId}`.execute(db);
    return sent(issue, (now) => now.status === 'failed' && now.finished_at !== null);
  });
  assert.deepEqual([done.error_code, done.stats.total, done.stats.cancelled], ['domain_deleted', 150, 150]);
  assert.match(done.error, /goes\.test was deleted/);
  assert.deepEqual(done.audit_log.at(-1).action, 'failed');
  assert.deepEqual((await t.stored(issue.id)).events, ['newsletter.issue.failed', 'newsletter.issue.finished']);
  const { rows } = await sql`select from captured_emails where workspace_id = ${workspaceId}
    and envelope_from like '%goes.test'`.execute(db);
  assert.equal(rows.length, 0);
});

test('the states of an issue are those of its column', async () => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint where contypid = 'issue_status'::regtype`.execute(
    t.app.db,
  );
  const stored = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'::text/g)].map((match) => match[1] ?? '');
  assert.deepEqual(stored.toSorted(), ISSUE_STATUSES.toSorted());
  for (const exits of Object.values(ISSUE_MOVES)) {
    for (const to of Object.values<string>(exits)) assert.ok(stored.includes(to), to);
  }
});
