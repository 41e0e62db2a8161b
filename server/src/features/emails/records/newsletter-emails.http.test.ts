/** The emails of a newsletter and of an issue: listed send by send, however much other mail there is. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';
import { vacuum } from '../../../../test/harness/vacuum.ts';
import { type EmailFilter, emailsPage } from './queries/page-of-emails.ts';
import { sendsPage } from './queries/page-of-sends-emails.ts';

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let api: EmailsApp;
let workspaceId: string;
let token: string;
let newsletterId: string;
before(async () => {
  api = await createEmailsApp();
});
beforeEach(async () => {
  workspaceId = await aWorkspace(api.t.db);
  token = await api.caller({ workspaceId });
  newsletterId = newId();
});
after(() => api.close());

const get = (query: string): Promise<Body> => api.call({ method: 'GET', url: `/v1/emails${query}`, token });
const idsOf = (answer: Body): string[] => answer.body.data.map((email: Body) => email.id);

/** A send of the newsletter with so many emails, oldest first. */
async function aSend(emails: number, issueId: string | null = null, status = 'sent'): Promise<string[]> {
  const source = issueId === null ? 'confirmation' : 'issue';
  const { emailId, sendId, contentId } = await anEmail(api.t.db, workspaceId, { source, status });
  await sql`update send_requests set newsletter_id = ${newsletterId}, issue_id = ${issueId}
    where workspace_id = ${workspaceId} and id = ${sendId}`.execute(api.t.db);
  const { rows } = await sql<{ id: string }>`
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status)
    select ${workspaceId}, ph_uuidv7(), ${sendId}, ${contentId}, n || '@example.com', 2, 0, ${status}
      from generate_series(2, ${emails}) n returning id`.execute(api.t.db);
  return [emailId, ...rows.map((row) => row.id).toSorted()];
}

test('200 with newsletter_id and issue_id in lists and in the record; of other mail they are null', async () => {
  const issueId = newId();
  const [email = ''] = await aSend(1, issueId);
  const [confirmation = ''] = await aSend(1);
  const other = await anEmail(api.t.db, workspaceId);
  const { body } = await get('');
  const shown = body.data.map((one: Body) => [one.id, one.source, one.newsletter_id, one.issue_id]);
  assert.deepEqual(shown, [
    [other.emailId, 'api', null, null],
    [confirmation, 'confirmation', newsletterId, null],
    [email, 'issue', newsletterId, issueId],
  ]);
  assert.partialDeepStrictEqual((await get(`/${email}`)).body, { newsletter_id: newsletterId, issue_id: issueId });
  assert.deepEqual(idsOf(await get(`?issue_id=${issueId}`)), [email]);
  assert.deepEqual(idsOf(await get(`?newsletter_id=${newsletterId}`)), [confirmation, email]);
  assert.deepEqual(idsOf(await get(`?newsletter_id=${newId()}`)), []);
  assert.deepEqual(idsOf(await get('?source=issue')), [email]);
});

test('200 pages through all sends of a newsletter, each email once, by cursor and by page', async () => {
  const sends = [await aSend(5), await aSend(1), await aSend(1), await aSend(6)];
  const expected = sends.toReversed().flatMap((ids) => ids.toReversed());
  const seen: string[] = [];
  let url = `?newsletter_id=${newsletterId}&limit=4`;
  for (let pages = 0; url !== '' && pages < 9; pages += 1) {
    const answer = await get(url);
    seen.push(...idsOf(answer));
    const next = answer.body.next_cursor;
    url = next === null ? '' : `?newsletter_id=${newsletterId}&limit=4&cursor=${next}`;
  }
  assert.deepEqual(seen, expected);
  const pages = [1, 2, 3, 4].map((page) => get(`?newsletter_id=${newsletterId}&limit=4&page=${page}`));
  const answers = await Promise.all(pages);
  assert.deepEqual(answers.flatMap(idsOf), expected);
  assert.deepEqual([answers[0].body.total, answers[0].body.total_pages], [13, 4]);
});

test('200 with other filters beside it', async () => {
  const failed = await aSend(3, null, 'failed');
  await aSend(3);
  const answer = await get(`?newsletter_id=${newsletterId}&status=failed&limit=2`);
  assert.deepEqual(idsOf(answer), failed.toReversed().slice(0, 2));
  assert.equal(answer.body.total, 3);
  assert.deepEqual(idsOf(await get(`?newsletter_id=${newsletterId}&subject=nowhere`)), []);
  assert.equal(idsOf(await get(`?newsletter_id=${newsletterId}&to=2@example.com`)).length, 2);
  for (const query of ['newsletter_id=1', 'issue_id=x']) assert.equal((await get(`?${query}`)).status, 400, query);
});

test('200 of one state: each once through pages and cursors, newest first, those that are tried again as queued', async () => {
  const ids = [await aSend(3, null, 'queued'), await aSend(4, null, 'deferred'), await aSend(2, newId(), 'bounced')];
  await aSend(5, null, 'delivered');
  for (const [status, of] of [
    ['queued', [1, 0]],
    ['bounced', [2]],
    ['sending', []],
  ] as const) {
    const bySend = of.flatMap((n) => (ids[n] ?? []).toReversed());
    for (const where of [`newsletter_id=${newsletterId}&`, '']) {
      // Two sends of the same millisecond may share a stretch of ids.
      const expected = where === '' ? bySend.toSorted().toReversed() : bySend;
      const url = `?${where}status=${status}&limit=2`;
      const [byCursor, byPage]: [string[], string[]] = [[], []];
      for (let cursor = ''; byCursor.length < 20; ) {
        const { body } = await get(`${url}${cursor}`);
        byCursor.push(...body.data.map((email: Body) => email.id));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      for (let page = 1; page <= 4; page += 1) {
        const answer = await get(`${url}&page=${page}`);
        assert.equal(answer.body.total, expected.length);
        byPage.push(...idsOf(answer));
      }
      assert.deepEqual([byCursor, byPage], [expected, expected], `${where}${status}`);
    }
  }
});

test('200 of one state with more sends than are looked into one by one', async () => {
  const { contentId } = await anEmail(api.t.db, workspaceId, { status: 'bounced' });
  await sql`
    with sends as (
      insert into send_requests (workspace_id, id, content_id, source, total, newsletter_id)
      select ${workspaceId}, ph_uuidv7(), ${contentId}, 'confirmation', 1, ${newsletterId}::uuid from generate_series(1, 1001) n
      returning id
    )
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status)
    select ${workspaceId}, ph_uuidv7(), id, ${contentId}, 'n' || row_number() over () || '@example.com', 0, 0,
           case when row_number() over () % 100 = 0 then 'bounced' else 'delivered' end from sends`.execute(api.t.db);
  const { rows } = await sql<{ id: string }>`
    select id from emails where workspace_id = ${workspaceId} and lane = 0 and status = 'bounced' order by id desc`.execute(
    api.t.db,
  );
  const expected = rows.map((row) => row.id).slice(0, 10);
  const url = `?newsletter_id=${newsletterId}&status=bounced&limit=6`;
  const [first, second] = [await get(url), await get(`${url}&page=2`)];
  const next = await get(`${url}&cursor=${first.body.next_cursor}`);
  assert.deepEqual([first, second].flatMap(idsOf), expected);
  assert.deepEqual([idsOf(next), next.body.next_cursor, first.body.total], [expected.slice(6), null, 10]);
});

test('another workspace’s newsletter has no emails here', async () => {
  await aSend(2);
  const stranger = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  const answer = await api.call({ method: 'GET', url: `/v1/emails?newsletter_id=${newsletterId}`, token: stranger });
  assert.deepEqual([answer.status, answer.body.data, answer.body.total], [200, [], 0]);
});

test('404 for mail of other newsletters to a key that is limited to one, in every list and under every id', async () => {
  const own = await aSend(1);
  const mine = newsletterId;
  newsletterId = newId();
  const [foreign = ''] = await aSend(1, newId());
  const { rows } = await sql<{ sendId: string }>`
    select send_id as "sendId" from emails where workspace_id = ${workspaceId} and id = ${foreign}`.execute(api.t.db);
  const job = `/v1/send/${rows[0]?.sendId}`;
  const other = await anEmail(api.t.db, workspaceId);
  for (const emailId of [...own, foreign]) {
    await sql`insert into captured_emails (workspace_id, id, email_id, message_id, envelope_from, envelope_to, subject, mime, size)
      values (${workspaceId}, ${emailId}, ${emailId}, 'x', 'x', '{x}', 'x', 'x', 1)`.execute(api.t.db);
  }
  const limited = await api.caller({ workspaceId, newsletterIds: [mine] });
  const ask = (method: 'GET' | 'POST' | 'DELETE', url: string): Promise<Body> =>
    api.call({ method, url, token: limited });
  for (const query of ['', `?newsletter_id=${newsletterId}`]) {
    const { body } = await ask('GET', `/v1/emails${query}`);
    assert.equal(body.total, query === '' ? 2 : 0);
    assert.deepEqual(idsOf({ body }), query === '' ? [other.emailId, ...own] : []);
  }
  assert.deepEqual(idsOf(await ask('GET', '/v1/captured-emails')), own);
  for (const [method, url] of [
    ['GET', `/v1/emails/${foreign}`],
    ['GET', `/v1/emails/${foreign}/content`],
    ['GET', `/v1/emails/${foreign}/explain`],
    ['POST', `/v1/emails/${foreign}/resend`],
    ['POST', `/v1/emails/${foreign}/send-again`],
    ['GET', `/v1/captured-emails/${foreign}`],
    ['GET', `/v1/captured-emails/${foreign}/raw`],
    ['GET', job],
    ['DELETE', job],
    ['POST', `${job}/resume`],
  ] as const) {
    assert.equal((await ask(method, url)).status, 404, `${method} ${url}`);
    if (method === 'GET') assert.equal((await api.call({ method, url, token })).status, 200, url);
  }
  for (const url of [`/v1/emails/${own[0]}`, `/v1/captured-emails/${own[0]}`])
    assert.equal((await ask('GET', url)).status, 200);
});

test('409 for sending mail of a newsletter again, and for cancelling an issue as if it were any send', async () => {
  const issueId = newId();
  const [email = ''] = await aSend(2, issueId);
  await aSend(1, issueId, 'queued');
  const { rows } = await sql<{ id: string }>`
    select id from send_requests where workspace_id = ${workspaceId} order by id desc limit 1`.execute(api.t.db);
  const again = await api.call({ method: 'POST', url: `/v1/emails/${email}/resend`, token });
  assert.deepEqual([again.status, again.body.name], [409, 'conflict_error']);
  const cancel = await api.call({ method: 'DELETE', url: `/v1/send/${rows[0]?.id}`, token });
  assert.equal(cancel.status, 409);
  assert.match(cancel.body.message, new RegExp(`/v1/newsletters/${newsletterId}/issues/${issueId}/cancel`));
  const { rows: after } = await sql<{ status: string; emails: number }>`
    select status, count(*) as emails from emails where workspace_id = ${workspaceId} group by 1 order by 1`.execute(
    api.t.db,
  );
  assert.deepEqual(after, [
    { status: 'queued', emails: 1 },
    { status: 'sent', emails: 2 },
  ]);
});

test('the content of a newsletter’s email shows no link that would act for its recipient', async () => {
  const { emailId, sendId, contentId } = await anEmail(api.t.db, workspaceId, { source: 'issue' });
  await sql`update send_requests set newsletter_id = ${newsletterId} where workspace_id = ${workspaceId} and id = ${sendId}`.execute(
    api.t.db,
  );
  const link = 'https://app.example.com/api/n/confirm?token=eyJh.eyJw.c2ln';
  await sql`update contents set html = ${`<a href="${link}">Confirm</a>`}, text = ${`Confirm: ${link}\n`},
      headers = ${JSON.stringify({ 'List-Unsubscribe': '<https://app.example.com/api/n/unsubscribe?token=a.b.c-_>' })}::jsonb
    where workspace_id = ${workspaceId} and id = ${contentId}`.execute(api.t.db);
  const { body } = await get(`/${emailId}/content`);
  assert.deepEqual(
    [body.html, body.text, body.headers['List-Unsubscribe']],
    [
      '<a href="https://app.example.com/api/n/confirm?token=hidden">Confirm</a>',
      'Confirm: https://app.example.com/api/n/confirm?token=hidden\n',
      '<https://app.example.com/api/n/unsubscribe?token=hidden>',
    ],
  );
});

test('a page reads no more than it shows, with 20,000 confirmations, an issue of 20,000 and other mail', async (t) => {
  await aSend(20_000);
  const { contentId } = await anEmail(api.t.db, workspaceId);
  await sql`with sends as (
      insert into send_requests (workspace_id, id, content_id, source, total, newsletter_id)
      select ${workspaceId}, ph_uuidv7(), ${contentId}, 'confirmation', 1, ${newsletterId}::uuid from generate_series(1, 20000) n
      returning id
    )
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status)
    select ${workspaceId}, ph_uuidv7(), id, ${contentId}, 'ada@example.com', 0, 0, 'sent' from sends`.execute(api.t.db);
  await sql`insert into emails (workspace_id, id, content_id, recipient, lane, turn, status)
    select ${workspaceId}, ph_uuidv7(), ${contentId}, 'ada@example.com', 1, 0, 'sent' from generate_series(1, 20000)`.execute(
    api.t.db,
  );
  await sql`analyze emails, send_requests`.execute(api.t.db);
  await sql`update emails set status = 'bounced' where workspace_id = ${workspaceId} and id in (
    select id from emails where workspace_id = ${workspaceId} and lane = 2 order by id limit 3)`.execute(api.t.db);
  await vacuum(api.t.db, 'emails');
  const filter: EmailFilter = {
    statuses: null,
    to: null,
    from: null,
    toDomain: null,
    fromDomain: null,
    subject: null,
    providerMessageId: null,
    tag: null,
    metadata: null,
    source: null,
    domainId: null,
    apiKeyId: null,
    newsletterId,
    issueId: null,
    broadcastId: null,
    templateId: null,
    since: null,
    until: null,
    counted: null,
    shown: { withSystemMail: false, newsletterIds: [] },
  };
  const { rows: middle } = await sql<{ id: string }>`
    select id from emails where workspace_id = ${workspaceId} and lane = 2 order by id offset 10000 limit 1`.execute(
    api.t.db,
  );
  const cases = [null, middle[0]?.id ?? null].flatMap((after) => {
    const page = { limit: 50, offset: 0, after };
    const bounced = { ...filter, statuses: ['bounced'] };
    const none = { ...filter, newsletterId: null, statuses: ['complained'] };
    return [
      [after, sendsPage(workspaceId, filter, page)],
      [after, emailsPage(workspaceId, bounced, page)],
      [after, emailsPage(workspaceId, none, page)],
    ] as const;
  });
  for (const [after, statement] of cases) {
    const { rows } = await sql<Body>`explain (analyze, buffers, format json) ${statement}`.execute(api.t.db);
    const [plan] = rows[0]['QUERY PLAN'];
    const blocks = plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'];
    assert.ok(blocks < 2_000, `${blocks} blocks`);
    t.diagnostic(
      `${after === null ? 'the first page' : 'a page in the middle'}: ${plan['Execution Time']} ms, ${blocks} blocks`,
    );
  }
});
