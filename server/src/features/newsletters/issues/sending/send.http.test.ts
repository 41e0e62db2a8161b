import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSendFailed, bulkSendReleased, pauseSend } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { aDomain } from '../../../../../test/harness/builders.ts';
import { addSubscribers, type Body, createIssuesApp, type IssuesApp, inSeconds, type Reply } from '../test-kit.ts';

// No worker runs: what was started stays as it is, to be looked at.
let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

const urlOf = (issue: Body): string => `/${issue.newsletter_id}/issues/${issue.id}`;
const send = (issue: Body, options = {}): Promise<Reply> => t.call('POST', `${urlOf(issue)}/send`, options);
const read = async (issue: Body): Promise<Body> => (await t.call('GET', urlOf(issue))).body;
const actions = (issue: Body): string[] => issue.audit_log.map((entry: Body) => entry.action);

test('202 with how many get the issue, exactly, and when the last of them will have it', async () => {
  const newsletterId = await t.list(48);
  await addSubscribers(t.app, newsletterId, 3, 'pending', 'pending');
  await addSubscribers(t.app, newsletterId, 4, 'unsubscribed', 'gone');
  const draft = await t.draft(newsletterId);
  const before = Date.now();
  const reply = await send(draft);
  const after = Date.now();
  assert.equal(reply.status, 202, reply.text);
  const { estimatedCompletionAt, ...rest } = reply.body;
  assert.deepEqual(rest, { success: true, id: draft.id, status: 'sending', total_recipients: 48 });
  const completion = Date.parse(estimatedCompletionAt);
  assert.ok(completion - before >= 4_000 && completion - after < 5_000, `48 at 12 a second take 4 s: ${completion}`);
  const issue = await read(draft);
  assert.deepEqual([issue.status, issue.total_recipients, issue.sent_at], ['sending', 48, null]);
  assert.ok(issue.started_at !== null);
  assert.equal(typeof issue.progress.state, 'string');
  assert.deepEqual(actions(issue), ['created', 'send_started']);
  assert.deepEqual(issue.audit_log[1].details, { total_recipients: 48 });
  const { sends, events } = await t.stored(draft.id);
  assert.deepEqual([sends, events], [1, []]);
});

test('409 for a send of an issue that somebody has changed since it was read, and nothing is begun; 202 for the one of now', async () => {
  const draft = await t.draft(await t.list(2));
  const etag = async (): Promise<string> => String((await t.call('GET', urlOf(draft))).headers['etag']);
  const old = await etag();
  assert.equal((await t.call('PATCH', urlOf(draft), { body: { subject: 'Other words' } })).status, 200);
  const refused = await send(draft, { headers: { 'if-match': old } });
  assert.deepEqual([refused.status, refused.body.param], [409, 'If-Match']);
  const { issue, sends } = await t.stored(draft.id);
  assert.deepEqual([issue.status, sends], ['draft', 0]);
  const sent = await send(draft, { headers: { 'if-match': await etag() } });
  assert.deepEqual([sent.status, sent.body.total_recipients], [202, 2]);
  assert.equal((await t.stored(draft.id)).sends, 1);
});

test('400 for a send with a time, an address or a dry run, which it does not take; nothing is begun', async () => {
  const draft = await t.draft(await t.list(1));
  for (const [body, message] of [
    [{ scheduled_for: inSeconds(3_600) }, /POST …\/schedule/],
    [{ sendAt: inSeconds(3_600) }, /POST …\/schedule/],
    [{ timezone: 'Europe/Berlin' }, /POST …\/schedule/],
    [{ to: 'me@example.com' }, /POST …\/send-test/],
    [{ dry_run: true }, /no dry run/],
  ] as const) {
    const refused = await send(draft, { body });
    assert.deepEqual([refused.status, refused.body.param], [400, Object.keys(body)[0]], refused.text);
    assert.match(refused.body.message, message);
  }
  assert.equal((await t.stored(draft.id)).sends, 0);
  // null asks for nothing.
  const sent = await send(draft, { body: { note: 'x', scheduled_for: null } });
  assert.deepEqual([sent.status, sent.headers['x-unknown-fields']], [202, 'note,scheduled_for']);
});

test('409 for a second send, and nothing is begun again', async () => {
  const draft = await t.draft(await t.list(1));
  assert.equal((await send(draft)).status, 202);
  for (let n = 0; n < 2; n += 1) {
    const again = await send(draft);
    assert.deepEqual([again.status, again.body.name], [409, 'conflict_error']);
  }
  assert.equal((await t.stored(draft.id)).sends, 1);
  assert.deepEqual(actions(await read(draft)), ['created', 'send_started']);
});

test('202 again for the same Idempotency-Key, which sends nothing again', async () => {
  const draft = await t.draft(await t.list(1));
  const headers = { 'idempotency-key': `send-${draft.id}` };
  const first = await send(draft, { headers });
  const again = await send(draft, { headers });
  assert.deepEqual([first.status, again.status, again.body], [202, 202, first.body]);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal((await t.stored(draft.id)).sends, 1);
  assert.deepEqual(actions(await read(draft)), ['created', 'send_started']);
});

test('202 sends a scheduled issue now', async () => {
  const issue = await t.draft(await t.list(1), { scheduled_for: inSeconds(3_600) });
  const reply = await send(issue);
  assert.deepEqual([reply.status, reply.body.status], [202, 'sending']);
  assert.deepEqual(actions(await read(issue)), ['created', 'scheduled', 'send_started']);
});

test('202 with nobody on the list: sent at once, to nobody, with its event', async () => {
  const newsletterId = await t.list();
  await addSubscribers(t.app, newsletterId, 2, 'pending');
  const draft = await t.draft(newsletterId);
  const reply = await send(draft);
  assert.equal(reply.status, 202);
  const { success, id, status, total_recipients, estimatedCompletionAt } = reply.body;
  assert.deepEqual(
    { success, id, status, total_recipients, estimatedCompletionAt },
    { success: true, id: draft.id, status: 'sent', total_recipients: 0, estimatedCompletionAt: null },
  );
  const issue = await read(draft);
  assert.deepEqual([issue.status, issue.total_recipients, issue.stats.total], ['sent', 0, 0]);
  assert.ok(issue.sent_at !== null && issue.archive_url.endsWith('/i/news-of-october'));
  assert.deepEqual(actions(issue), ['created', 'send_started', 'sent']);
  const { sends, events } = await t.stored(draft.id);
  assert.deepEqual([sends, events], [0, ['newsletter.issue.sent']]);
  assert.equal((await send(draft)).status, 409);
});

test('202 by a test key: it goes to the sandbox, and into no archive', async () => {
  const key = await t.key({ mode: 'test' });
  const draft = await t.draft(await t.list(1));
  assert.equal((await send(draft, { key })).status, 202);
  const { rows } = await sql<Body>`select sandbox from send_requests
    where workspace_id = ${t.app.workspaceId} and issue_id = ${draft.id}`.execute(t.app.db);
  assert.deepEqual(rows, [{ sandbox: true }]);
  await finish(draft, 1);
  const issue = await read(draft);
  assert.deepEqual([issue.status, issue.archive_url], ['sent', null]);
});

test('403 for a send and for a schedule while the workspace is paused, and nothing is begun; what is scheduled moves', async () => {
  // A domain that nobody has asked for yet: what is known of one is up to a second old.
  await aDomain(t.app.db, t.app.workspaceId, 'paused.example');
  const newsletter = await t.list(1, { fromEmail: 'news@paused.example' });
  const [draft, waiting] = [await t.draft(newsletter), await t.draft(newsletter)];
  const url = `/v1/newsletters/${draft.newsletter_id}/issues`;
  const inHours = (n: number) => ({ scheduled_for: new Date(Date.now() + n * 3_600_000).toISOString() });
  await sql`update issues set status = 'scheduled', scheduled_for = now() + interval '1 hour'
    where workspace_id = ${t.app.workspaceId} and id = ${waiting.id}`.execute(t.app.db);
  await setWorkspace('paused');
  try {
    const anew = { subject: 'Anew', html_body: '<p>Hi</p>', ...inHours(2) };
    for (const [path, body] of [
      [`${url}/${draft.id}/schedule`, inHours(2)],
      [url, anew],
    ] as const) {
      const refused = await t.app.request({ url: path, body });
      assert.deepEqual([refused.status, (refused.body as Body).name], [403, 'permission_error'], refused.text);
    }
    const moved = await t.app.request({ url: `${url}/${waiting.id}/schedule`, body: inHours(3) });
    assert.deepEqual([moved.status, (moved.body as Body).status], [200, 'scheduled'], moved.text);
    const { rows } = await sql`select from issues
      where workspace_id = ${t.app.workspaceId} and newsletter_id = ${draft.newsletter_id}`.execute(t.app.db);
    assert.equal(rows.length, 2);
    const reply = await send(draft);
    assert.deepEqual([reply.status, reply.body.name], [403, 'permission_error'], reply.text);
    const { issue, sends } = await t.stored(draft.id);
    assert.deepEqual([issue.status, sends], ['draft', 0]);
  } finally {
    await setWorkspace('active');
  }
});

const setWorkspace = (status: string) =>
  sql`update workspaces set status = ${status} where id = ${t.app.workspaceId}`.execute(t.app.db);

/** As the worker tells it when the last page is released. */
async function finish(issue: Body, total: number): Promise<void> {
  const { issue: stored } = await t.stored(issue.id);
  const news = { workspaceId: t.app.workspaceId, sendId: stored.send_id, total };
  await inTransaction(t.app.db, (tx) => bulkSendReleased.announce(tx, news));
}

test('an issue whose send is released is sent, once, with an event that holds its statistics', async () => {
  const draft = await t.draft(await t.list(2), { subject: 'To finish' });
  await send(draft);
  await finish(draft, 2);
  await finish(draft, 2);
  const issue = await read(draft);
  assert.deepEqual([issue.status, issue.total_recipients], ['sent', 2]);
  assert.equal(issue.archive_url, `https://app.example.com/n/${await slugOf(draft)}/i/to-finish`);
  assert.deepEqual(actions(issue), ['created', 'send_started', 'sent']);
  assert.deepEqual(issue.audit_log[2].details, { total: 2 });
  const payload = await eventOf(draft, 'newsletter.issue.sent');
  const { progress: _, ...known } = issue;
  assert.deepEqual(payload, {
    newsletter: { id: draft.newsletter_id, name: 'Acme Weekly', slug: await slugOf(draft) },
    issue: {
      id: draft.id,
      subject: 'To finish',
      status: 'sent',
      total_recipients: 2,
      sent_at: known.sent_at,
      stats: known.stats,
    },
  });
  assert.deepEqual((await t.stored(draft.id)).events, ['newsletter.issue.sent']);
});

test('the page of an issue that failed is that of 5,000 recipients which the freeze had reached', async () => {
  const draft = await t.draft(await t.list(1));
  await send(draft);
  const { issue: stored } = await t.stored(draft.id);
  const key = { workspaceId: t.app.workspaceId, sendId: stored.send_id };
  await sql`insert into send_counts (workspace_id, send_id, total, waiting)
    values (${key.workspaceId}, ${key.sendId}, 5001, 5001)`.execute(t.app.db);
  await inTransaction(t.app.db, (tx) => bulkSendFailed.announce(tx, { ...key, code: 'any', message: 'Any.' }));
  assert.equal((await eventOf(draft, 'newsletter.issue.failed')).page, 2);
});

test('an issue whose send cannot go on has failed, with the reason and an event', async () => {
  const draft = await t.draft(await t.list(1));
  await send(draft);
  const { issue: stored } = await t.stored(draft.id);
  const news = {
    workspaceId: t.app.workspaceId,
    sendId: stored.send_id,
    code: 'domain_unverified',
    message: 'The domain is not verified any more.',
  };
  for (let n = 0; n < 2; n += 1) {
    await inTransaction(t.app.db, (tx) => bulkSendFailed.announce(tx, news));
  }
  const issue = await read(draft);
  assert.deepEqual(
    [issue.status, issue.error, issue.error_code, issue.archive_url],
    ['failed', news.message, news.code, null],
  );
  assert.ok(issue.failed_at !== null);
  assert.deepEqual(actions(issue), ['created', 'send_started', 'failed']);
  const payload = await eventOf(draft, 'newsletter.issue.failed');
  assert.deepEqual(payload.error, { message: news.message, code: news.code });
  assert.equal(payload.issue.status, 'failed');
  assert.equal(payload.page, 0, 'no recipient was frozen');
  assert.deepEqual((await t.stored(draft.id)).events, ['newsletter.issue.failed']);
  assert.equal((await t.call('POST', `${urlOf(draft)}/cancel`)).status, 409);
});

test('a rollback of the send rolls back the change of the issue', async () => {
  const draft = await t.draft(await t.list(1));
  await send(draft);
  const { issue: stored } = await t.stored(draft.id);
  const news = { workspaceId: t.app.workspaceId, sendId: stored.send_id, total: 1 };
  await assert.rejects(
    inTransaction(t.app.db, async (tx) => {
      await bulkSendReleased.announce(tx, news);
      throw new Error('no');
    }),
  );
  const issue = await read(draft);
  assert.equal(issue.status, 'sending');
  assert.deepEqual(actions(issue), ['created', 'send_started']);
  assert.deepEqual((await t.stored(draft.id)).events, []);
});

test('400 for a dry run of a cancel, which takes no body; other fields are named in the answer and ignored', async () => {
  const draft = await t.draft(await t.list(1));
  await send(draft);
  const refused = await t.call('POST', `${urlOf(draft)}/cancel`, { body: { dryRun: true } });
  assert.deepEqual([refused.status, refused.body.param, (await read(draft)).status], [400, 'dryRun', 'sending']);
  const cancelled = await t.call('POST', `${urlOf(draft)}/cancel`, { body: { reason: 'x' } });
  assert.deepEqual([cancelled.status, cancelled.headers['x-unknown-fields']], [200, 'reason']);
});

test('200 with how many still leave when an issue that is being sent is cancelled; it never becomes sent', async () => {
  const draft = await t.draft(await t.list(5));
  await send(draft);
  const reply = await t.call('POST', `${urlOf(draft)}/cancel`);
  assert.deepEqual([reply.status, reply.body], [200, { success: true, status: 'cancelled', alreadyQueued: 0 }]);
  assert.equal((await t.call('POST', `${urlOf(draft)}/cancel`)).status, 409);
  await finish(draft, 5);
  const issue = await read(draft);
  assert.deepEqual([issue.status, issue.archive_url], ['cancelled', null]);
  assert.deepEqual(actions(issue), ['created', 'send_started', 'cancelled']);
  assert.deepEqual((await t.stored(draft.id)).events, []);
});

test('409 when an issue is cancelled that was sent meanwhile, and its send is left alone', async () => {
  const draft = await t.draft(await t.list(1));
  await send(draft);
  await finish(draft, 1);
  const reply = await t.call('POST', `${urlOf(draft)}/cancel`);
  assert.deepEqual([reply.status, reply.body.name], [409, 'conflict_error']);
  const { rows } = await sql<Body>`select bulk_state from send_requests
    where workspace_id = ${t.app.workspaceId} and issue_id = ${draft.id}`.execute(t.app.db);
  assert.deepEqual(rows, [{ bulk_state: 'freezing' }]);
});

test('409 when those that failed are tried again of an issue that was not sent', async () => {
  const draft = await t.draft(await t.list(1));
  assert.equal((await t.call('POST', `${urlOf(draft)}/retry-failed`)).status, 409);
  await send(draft);
  assert.equal((await t.call('POST', `${urlOf(draft)}/retry-failed`)).status, 409);
});

test('200 with how many would be tried again: those refused at the hand-off; 404 for what is elsewhere, 403 without scope', async () => {
  const draft = await t.draft(await t.list(3));
  const url = `${urlOf(draft)}/retry-failed`;
  const none = { count: 0, is_estimate: false };
  assert.deepEqual((await t.call('GET', url)).body, none);
  await send(draft);
  await finish(draft, 3);
  const { issue: stored } = await t.stored(draft.id);
  await sql`update send_requests set bulk_state = 'released'
    where workspace_id = ${t.app.workspaceId} and id = ${stored.send_id}`.execute(t.app.db);
  const [refused, rejected] = [newId(), newId()];
  for (const [id, sentAt] of [
    [refused, null],
    [rejected, new Date()],
  ] as const) {
    await sql`insert into emails (workspace_id, id, send_id, content_id, recipient, status, lane, turn, sent_at, cost)
      select r.workspace_id, ${id}::uuid, r.id, k.id, ${`${id}@example.com`}, 'pending', 2, -1, ${sentAt}::timestamptz, 1
        from send_requests r join contents k on k.workspace_id = r.workspace_id
       where r.workspace_id = ${t.app.workspaceId} and r.id = ${stored.send_id} limit 1`.execute(t.app.db);
    await sql`update emails set status = 'failed' where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(
      t.app.db,
    );
  }
  assert.deepEqual((await t.call('GET', url)).body, { count: 1, is_estimate: false });
  assert.equal((await t.call('GET', url.replace(draft.id, newId()))).status, 404);
  const made = await t.app.request({ url: '/v1/api-keys', body: { name: 'k', scopes: ['emails:send'] } });
  assert.equal((await t.call('GET', url, { key: Object(made.body).key })).status, 403);
});

test('the pause of its send stands in the log of an issue', async () => {
  const draft = await t.draft(await t.list(1));
  await send(draft);
  const { issue: stored } = await t.stored(draft.id);
  const resumesAt = new Date('2030-01-01T00:00:00Z');
  const [reason, code] = ['The quota is used up.', 'quota'] as const;
  await pauseSend(t.app.db, t.app.workspaceId, stored.send_id, reason, { code, resumesAt });
  const issue = await read(draft);
  const shown = { reason, code, resumes_at: resumesAt.toISOString() };
  assert.deepEqual(issue.audit_log.at(-1).details, shown);
  assert.equal(issue.status, 'sending');
  assert.partialDeepStrictEqual(issue.progress, { state: 'paused', ...shown });
});

test('200 when a paused issue is resumed: it goes on once, and its log says so', async () => {
  const draft = await t.draft(await t.list(1));
  const resume = (key?: string): Promise<Reply> =>
    t.call('POST', `${urlOf(draft)}/resume`, key === undefined ? {} : { key });
  const refused = await resume();
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict_error'], 'a draft');
  await send(draft);
  assert.equal((await resume()).status, 409, 'one that goes on');
  const { issue: stored } = await t.stored(draft.id);
  await pauseSend(t.app.db, t.app.workspaceId, stored.send_id, 'Too many complaints.', { code: 'reputation' });

  const writer = await t.key({ scopes: ['issues:write', 'newsletters:write', 'emails:send'] });
  for (const reply of [
    await resume(writer),
    await t.app.request({ method: 'POST', url: `/v1/send/${stored.send_id}/resume`, key: writer }),
  ]) {
    assert.deepEqual([reply.status, (reply.body as Body).name], [403, 'permission_error']);
  }
  assert.equal((await read(draft)).progress.state, 'paused', 'whoever may not send lets nothing go on');

  const resumed = await resume();
  assert.deepEqual([resumed.status, resumed.body], [200, { success: true, id: draft.id, status: 'sending' }]);
  const issue = await read(draft);
  assert.deepEqual([issue.status, issue.progress.state === 'paused'], ['sending', false]);
  assert.deepEqual(actions(issue), ['created', 'send_started', 'paused', 'resumed']);
  const { body } = await t.app.request({ url: `/audit?target=issue:${draft.id}&limit=1` });
  const [newest] = (body as Body).data;
  const told = { record_name: draft.subject };
  assert.deepEqual([newest.action, newest.actor.type, newest.details], ['resumed', 'api_key', told]);
  assert.equal((await resume()).status, 409);

  await pauseSend(t.app.db, t.app.workspaceId, stored.send_id, 'Again.', { code: 'reputation' });
  await t.call('POST', `${urlOf(draft)}/cancel`);
  assert.equal((await resume()).status, 409, 'what was cancelled does not go on');
  assert.equal((await read(draft)).status, 'cancelled');
});

async function slugOf(issue: Body): Promise<string> {
  const { rows } = await sql<{ slug: string }>`select slug from newsletters
    where workspace_id = ${t.app.workspaceId} and id = ${issue.newsletter_id}`.execute(t.app.db);
  return rows[0]?.slug ?? '';
}

async function eventOf(issue: Body, type: string): Promise<Body> {
  const { rows } = await sql<{ payload: Body }>`select payload from workspace_events
    where workspace_id = ${t.app.workspaceId} and type = ${type} and payload -> 'issue' ->> 'id' = ${issue.id}`.execute(
    t.app.db,
  );
  assert.equal(rows.length, 1);
  return rows[0]?.payload;
}
