import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';
import { lookThroughEmails } from './queries/look-through-emails.ts';
import { NO_FILTER } from './test-kit.ts';

let api: EmailsApp;
let reader: string;
before(async () => {
  api = await createEmailsApp();
  reader = await api.caller({ scopes: ['emails:read'] });
});
after(() => api.close());

const good = {
  from: 'Acme <hello@posthorn.test>',
  to: ['Ada <ada@example.com>'],
  subject: 'Receipt',
  html: '<p>Hi</p>',
};
const send = async (more: object = {}, token?: string) => {
  const body = { ...good, ...more };
  return (await api.call({ method: 'POST', url: '/v1/send', body, ...(token === undefined ? {} : { token }) })).body;
};
const get = (url: string, token?: string) =>
  api.call({ method: 'GET', url, ...(token === undefined ? {} : { token }) });
const post = (url: string, token?: string) =>
  api.call({ method: 'POST', url, ...(token === undefined ? {} : { token }) });
const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map((email) => email.id);

test('200 with the whole record and its events', async () => {
  const sent = await send({
    replyTo: 'Help <help@acme.example>',
    tags: [{ name: 'kind', value: 'receipt' }],
    metadata: { orderId: '42' },
    expiresAt: '2099-01-01T00:00:00Z',
  });
  const id = sent.emails[0].id;
  const { status, body } = await get(`/v1/emails/${id}`);
  assert.equal(status, 200);
  const { created_at, domain_id, api_key_id, request_id, events, ...rest } = body;
  assert.match(created_at, /^\d{4}-.*Z$/);
  assert.ok(domain_id && api_key_id);
  assert.match(request_id, /^req_/);
  assert.deepEqual(
    events.map(({ type, recipient, event_data }: Record<string, unknown>) => ({ type, recipient, event_data })),
    [{ type: 'send', recipient: 'ada@example.com', event_data: { send: {} } }],
  );
  assert.deepEqual(rest, {
    id,
    job_id: sent.jobId,
    source: 'api',
    from: 'Acme <hello@posthorn.test>',
    to: ['ada@example.com'],
    cc: [],
    bcc: [],
    reply_to: ['Help <help@acme.example>'],
    subject: 'Receipt',
    status: 'queued',
    message_id: `<${id}@posthorn.test>`,
    provider_message_id: null,
    template_id: null,
    template_version: null,
    newsletter_id: null,
    issue_id: null,
    broadcast_id: null,
    scheduled_id: null,
    automation_run_id: null,
    tags: [{ name: 'kind', value: 'receipt' }],
    metadata: { orderId: '42' },
    sandbox: false,
    open_count: 0,
    click_count: 0,
    machine_open_count: 0,
    machine_click_count: 0,
    first_opened_at: null,
    error: null,
    expires_at: '2099-01-01T00:00:00.000Z',
    sent_at: null,
    delivered_at: null,
    last_event_at: null,
    events_truncated: false,
  });
});

test('200 lists newest first, by page and by cursor, at both paths', async () => {
  const workspaceId = await aWorkspace(api.t.db);
  const token = await api.caller({ workspaceId });
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await anEmail(api.t.db, workspaceId, { subject: `No ${n}` })).emailId);
  const first = await get('/v1/emails?limit=2', token);
  assert.equal(first.status, 200);
  assert.deepEqual(idsOf(first), ids.slice(0, 2));
  const { data: _, next_cursor, ...page } = first.body;
  assert.deepEqual(page, { page: 1, limit: 2, total: 5, total_pages: 3, has_more: true });
  assert.equal(first.headers['link'], `</v1/emails?limit=2&cursor=${next_cursor}>; rel="next"`);
  assert.deepEqual(idsOf(await get('/v1/emails?limit=2&page=3', token)), ids.slice(4));
  assert.deepEqual(idsOf(await get('/v1/emails?page=9', token)), []);
  const second = await get(`/v1/emails?limit=2&cursor=${next_cursor}`, token);
  assert.deepEqual(idsOf(second), ids.slice(2, 4));
  assert.equal(second.body.total, undefined);
  assert.deepEqual(idsOf(await get('/api/v1/email/logs', token)), ids);
});

test('200 filters, alone and together', async () => {
  const workspaceId = await aWorkspace(api.t.db);
  const token = await api.caller({ workspaceId });
  const one = await anEmail(api.t.db, workspaceId, {
    subject: '50% off_now',
    recipient: 'Ann@Example.com',
    status: 'deferred',
  });
  const two = await anEmail(api.t.db, workspaceId, {
    source: 'batch',
    fromAddress: 'News@acme.example',
    status: 'sent',
  });
  const three = await anEmail(api.t.db, workspaceId, { status: 'failed' });
  await sql`update contents set tags = '[{"name":"kind","value":"receipt"}]',
      metadata = '{"order":4711,"note":"a:b","gone":null}', domain_id = ${one.emailId}
    where workspace_id = ${workspaceId} and id = ${two.contentId}`.execute(api.t.db);
  await sql`update send_requests set api_key_id = ${one.emailId}
    where workspace_id = ${workspaceId} and id = ${three.sendId}`.execute(api.t.db);
  const grouped = {
    to: [{ address: 'x@y.zz', name: null }],
    cc: [{ address: 'Boss@Example.com', name: 'Ann' }],
    bcc: [],
  };
  await sql`update emails set grouped = ${JSON.stringify(grouped)}::jsonb
    where workspace_id = ${workspaceId} and id = ${three.emailId}`.execute(api.t.db);
  const now = new Date();
  const table: [string, string[]][] = [
    ['status=queued', [one.emailId]],
    ['status=sent', [two.emailId]],
    ['to=ann@example.com', [one.emailId]],
    ['to=boss@EXAMPLE.com', [three.emailId]],
    ['from=news@acme.example', [two.emailId]],
    ['subject=50%25%20OFF_', [one.emailId]],
    ['subject=%25', [one.emailId]],
    ['subject=nowhere', []],
    ['tag=kind', [two.emailId]],
    ['tag=kind:receipt', [two.emailId]],
    ['tag=kind:other', []],
    ['metadata=order', [two.emailId]],
    ['metadata=order:4711', [two.emailId]],
    ['metadata=order:471', []],
    ['metadata=note:a:b', [two.emailId]],
    ['metadata=gone', [two.emailId]],
    ['metadata=gone:', []],
    ['metadata=no%22such%27', []],
    ['source=batch', [two.emailId]],
    [`domain_id=${one.emailId}`, [two.emailId]],
    [`api_key_id=${one.emailId}`, [three.emailId]],
    [`since=${new Date(now.getTime() - 60_000).toISOString()}`, [three.emailId, two.emailId, one.emailId]],
    [`since=${new Date(now.getTime() + 60_000).toISOString()}`, []],
    [`until=${new Date(now.getTime() - 60_000).toISOString()}`, []],
    [`template_id=${newId()}`, []],
    [`newsletter_id=${newId()}`, []],
    [`issue_id=${newId()}`, []],
    [`broadcast_id=${newId()}`, []],
    ['status=sent&source=batch&tag=kind', [two.emailId]],
    ['status=failed&source=batch', []],
  ];
  for (const [query, expected] of table) {
    const answer = await get(`/v1/emails?${query}`, token);
    assert.equal(answer.status, 200, query);
    assert.deepEqual(idsOf(answer), expected, query);
    assert.equal(answer.body.total, expected.length, query);
  }
});

test('200 by a domain of recipients or senders in a span of time, bounded by the emails that a page looks at', async () => {
  const workspaceId = await aWorkspace(api.t.db);
  const token = await api.caller({ workspaceId });
  const add = async (recipient: string, fromAddress = 'news@acme.example'): Promise<string> =>
    (await anEmail(api.t.db, workspaceId, { recipient, fromAddress })).emailId;
  const ada = await add('ada@example.com');
  const group = await add('x@y.example');
  const grouped = { to: [{ address: 'x@y.example' }], cc: [{ address: 'Boss@Example.com' }], bcc: [] };
  await sql`update emails set grouped = ${JSON.stringify(grouped)}::jsonb
    where workspace_id = ${workspaceId} and id = ${group}`.execute(api.t.db);
  const below = await add('ada@mail.example.com', 'news@posthorn.test');
  const bob = await add('bob@example.com');
  await anEmail(api.t.db, await aWorkspace(api.t.db), { recipient: 'ada@example.com' });
  const [since, until] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
  const span = `since=${since.toISOString()}&until=${until.toISOString()}`;
  for (const [query, ids] of [
    ['to=@Example.COM', [bob, group, ada]],
    ['to=@mail.example.com', [below]],
    ['to=@ample.com', []],
    ['from=@posthorn.test', [below]],
    ['from=@acme.example&to=@example.com&status=sending', []],
  ] as const) {
    const answer = await get(`/v1/emails?${query}&${span}`, token);
    assert.deepEqual([answer.status, idsOf(answer)], [200, ids], query);
    assert.deepEqual([answer.body.has_more, answer.body.total], [false, undefined]);
  }
  const first = await get(`/v1/emails?to=@example.com&limit=2&${span}`, token);
  assert.deepEqual([idsOf(first), first.body.has_more], [[bob, group], true]);
  const rest = await get(`/v1/emails?to=@example.com&cursor=${first.body.next_cursor}&${span}`, token);
  assert.deepEqual([idsOf(rest), rest.body.has_more], [[ada], false]);
  const filter = { ...NO_FILTER, toDomain: 'mail.example.com', since, until };
  const look = (after: string | null) =>
    lookThroughEmails(api.t.db, workspaceId, { filter, since, until }, { limit: 10, after }, 1);
  assert.deepEqual(await look(null), { rows: [], goOnAfter: bob }, 'a short page, and the way on');
  const second = await look(bob);
  assert.deepEqual([second.rows.map(({ id }) => id), second.goOnAfter], [[below], below]);
  assert.deepEqual(await look(ada), { rows: [], goOnAfter: null });
});

test('400 for a domain without a span of at most 31 days, for none, and for a page by its number', async () => {
  const [month, more] = ['until=2026-11-01T00:00:00Z', 'until=2026-11-01T00:00:01Z'];
  const since = 'since=2026-10-01T00:00:00Z';
  for (const query of ['to=@example.com', `from=@example.com&${since}`, `to=@example.com&${since}&${more}`]) {
    const { status, body } = await get(`/v1/emails?${query}`);
    assert.deepEqual([status, body.param], [400, query.slice(0, query.indexOf('='))]);
    assert.match(body.message, /^A domain in (to|from) needs since and until, at most 31 days apart\.$/);
  }
  assert.equal((await get(`/v1/emails?to=@example.com&${since}&${month}`)).status, 200);
  assert.equal((await get(`/v1/emails?to=@&${since}&${month}`)).body.param, 'to');
  assert.equal((await get(`/v1/emails?to=@example.com&page=2&${since}&${month}`)).body.param, 'page');
});

test('400 naming the filter that cannot be read', async () => {
  const table: [string, string][] = [
    ['status=DELIVERED', 'status'],
    ['status=sent,failed', 'status'],
    ['status=', 'status'],
    ['status=sent&status=sent', 'status'],
    ['to=x', 'to'],
    ['from=%0d%0a', 'from'],
    ['provider_message_id=a%20b', 'provider_message_id'],
    ['provider_message_id=', 'provider_message_id'],
    ['provider_message_id=%00', 'provider_message_id'],
    ['tag=a%20b', 'tag'],
    ['metadata=:4711', 'metadata'],
    ['metadata=', 'metadata'],
    ['metadata=%00', 'metadata'],
    ['source=smoke', 'source'],
    ['domain_id=1', 'domain_id'],
    ['api_key_id=x', 'api_key_id'],
    ['since=yesterday', 'since'],
    ['until=2026-02-30T00:00:00Z', 'until'],
    ['subject=%00', 'subject'],
    ['page=0', 'page'],
    ['page=99999999999999999999', 'page'],
    ['page=0x1', 'page'],
    ['limit=NaN', 'limit'],
    ['cursor=!', 'cursor'],
  ];
  for (const [query, param] of table) {
    const { status, body } = await get(`/v1/emails?${query}`);
    assert.deepEqual({ status, param: body.param }, { status: 400, param }, query);
    assert.doesNotMatch(body.message, /another form/, query);
  }
});

test('200 with the content, and a text made from the html when there is none', async () => {
  const sent = await send({ headers: { 'X-Ref': '1' }, attachments: [{ filename: 'a.txt', content: 'AAEC' }] });
  const { status, body } = await get(`/v1/emails/${sent.emails[0].id}/content`);
  assert.equal(status, 200);
  const [file] = body.attachments;
  assert.deepEqual(body, {
    id: sent.emails[0].id,
    subject: 'Receipt',
    html: '<p>Hi</p>',
    text: 'Hi',
    headers: { 'X-Ref': '1' },
    attachments: [
      {
        id: file.id,
        filename: 'a.txt',
        content_type: 'text/plain',
        content_id: null,
        disposition: 'attachment',
        size: 3,
      },
    ],
  });
});

test('200 with the bytes of an attachment, as a download with its name; 404 for any other id and workspace', async () => {
  const name = 'Märzrechnung (1).html';
  const sent = await send({ attachments: [{ filename: name, content: 'AAEC', contentType: 'text/html' }] });
  const other = await send({ attachments: [{ filename: 'b.txt', content: 'AAEC' }] });
  const idOf = async (email: string) => (await get(`/v1/emails/${email}/content`)).body.attachments[0].id;
  const url = `/v1/emails/${sent.emails[0].id}/attachments/${await idOf(sent.emails[0].id)}`;
  const file = await get(url);
  assert.equal(file.status, 200);
  assert.deepEqual([...file.raw], [0, 1, 2]);
  const { headers } = file;
  assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''M%C3%A4rzrechnung%20%281%29.html");
  assert.equal(headers['content-type'], 'application/octet-stream');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  const writer = await api.caller({ scopes: ['emails:send'] });
  const ask = async (at: string, token?: string) =>
    (await api.call({ method: 'GET', url: at, ...(token === undefined ? {} : { token }) })).status;
  assert.deepEqual([await ask(url, foreign), await ask(url, writer)], [404, 403]);
  const ofAnother = `/v1/emails/${sent.emails[0].id}/attachments/${await idOf(other.emails[0].id)}`;
  assert.equal(await ask(ofAnother), 404, 'of another email');
  assert.equal(await ask(`/v1/emails/${sent.emails[0].id}/attachments/0`), 404);
});

test('200 explains every state in words, with what to do', async () => {
  const states: [string, RegExp, boolean][] = [
    ['queued', /waits for its turn/, true],
    ['deferred', /next attempt/, true],
    ['sending', /being handed/, false],
    ['unconfirmed', /may or may not have arrived/, true],
    ['sent', /took it over/, false],
    ['delivery_delayed', /putting it off/, true],
    ['delivered', /accepted it/, true],
    ['bounced', /returned it/, true],
    ['complained', /spam/, true],
    ['failed', /not sent/, true],
    ['suppressed', /suppression list/, true],
    ['cancelled', /cancelled before it left/, false],
    ['pending', /released/, false],
  ];
  for (const [stored, verdict, hasNext] of states) {
    const { emailId } = await anEmail(api.t.db, api.workspaceId, { status: stored });
    const { status, body } = await get(`/v1/emails/${emailId}/explain`);
    assert.equal(status, 200, stored);
    assert.match(body.verdict, verdict);
    assert.equal(body.next_step !== null, hasNext, stored);
    assert.equal(body.timeline[0].what, 'accepted');
  }
  const { emailId } = await anEmail(api.t.db, api.workspaceId, { status: 'failed', error: 'expired' });
  const { body: late } = await get(`/v1/emails/${emailId}/explain`);
  assert.match(late.verdict, /expiresAt passed/);
  assert.match(late.next_step, /without a deadline/);
});

test('200 explains with the suppression list only what is on it', async () => {
  const explained = async (status: string, recipient: string, error: string | null = null): Promise<string> => {
    const { emailId } = await anEmail(api.t.db, api.workspaceId, { status, recipient, error });
    if (status === 'bounced') {
      await sql`insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
        values (${api.workspaceId}, ${newId()}, ${emailId}, 'bounce', ${recipient},
          '{"bounce": {"bounceType": "Permanent", "bounceSubType": "General"}}')`.execute(api.t.db);
    }
    return (await get(`/v1/emails/${emailId}/explain`)).body.verdict;
  };
  await sql`insert into suppressions (workspace_id, id, email, reason)
    values (${api.workspaceId}, ${newId()}, 'listed@example.com', 'manual')`.execute(api.t.db);
  assert.match(await explained('bounced', 'listed@example.com'), /is on the suppression list/);
  assert.match(await explained('bounced', 'free@example.com'), /is not on the suppression list/);
  assert.match(await explained('suppressed', 'listed@example.com'), /is on the suppression list of this workspace/);
  assert.match(await explained('suppressed', 'free@example.com'), /It is not on it now/);
  const left = await explained('suppressed', 'left@example.com', 'unsubscribed');
  assert.equal(left, 'It was not sent: the recipient left the list before its turn.');
});

test('200 with the events of an email under the ids that webhooks have; of more than 1,000 it says that it leaves some out', async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId);
  await sql`insert into email_events (workspace_id, id, email_id, sequence, type, recipient)
    select ${api.workspaceId}, ph_uuidv7(), ${emailId}, n, 'open', 'ada@example.com' from generate_series(1, 1000) as n`.execute(
    api.t.db,
  );
  const whole = (await get(`/v1/emails/${emailId}`)).body;
  assert.deepEqual([whole.events.length, whole.events_truncated], [1_000, false]);
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient)
    values (${api.workspaceId}, ${newId()}, ${emailId}, 'click', 'ada@example.com')`.execute(api.t.db);
  const cut = (await get(`/v1/emails/${emailId}`)).body;
  assert.deepEqual([cut.events.length, cut.events_truncated], [1_000, true]);
  assert.match(cut.events[0].id, /^evt_[0-9a-f]{32}$/);
  assert.deepEqual([cut.events[0].sequence, cut.events.at(-1).sequence], [1, 1_000]);
});

test('200 explains a bounce with the words of the other server, in order of time', async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId, {
    status: 'bounced',
    sentAt: new Date('2099-01-01T00:00:02Z'),
  });
  await sql`insert into email_attempts (workspace_id, id, email_id, attempt, ended_at, outcome, response) values
    (${api.workspaceId}, ${newId()}, ${emailId}, 1, '2099-01-01T00:00:01Z', 'temporary', '451 later')`.execute(
    api.t.db,
  );
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient, at, event_data) values
    (${api.workspaceId}, ${newId()}, ${emailId}, 'bounce', 'ada@example.com', '2099-01-01T00:00:03Z',
     '{"bounce":{"bounceType":"Permanent","bounceSubType":"General","bouncedRecipients":[{"diagnosticCode":"smtp; 550 5.1.1 no such user."}]}}')`.execute(
    api.t.db,
  );
  const { body } = await get(`/v1/emails/${emailId}/explain`);
  assert.match(body.verdict, /for good: 550 5\.1\.1 no such user\. The address is not on the suppression list\./);
  assert.deepEqual(
    body.timeline.map((step: { what: string }) => step.what),
    ['accepted', 'attempt 1: temporary', 'sent', 'bounce'],
  );
  assert.match(body.timeline[1].detail, /451 later/);
  assert.equal(body.timeline[3].detail, 'The receiving server returned it: 550 5.1.1 no such user. (ada@example.com)');
});

test('200 explains what was refused without a provider as refused', async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId, { status: 'failed', error: 'unfit' });
  await sql`insert into email_attempts (workspace_id, id, email_id, attempt, ended_at, outcome, response) values
    (${api.workspaceId}, ${newId()}, ${emailId}, 0, '2099-01-01T00:00:02Z', 'refused', 'refused before sending')`.execute(
    api.t.db,
  );
  const { body } = await get(`/v1/emails/${emailId}/explain`);
  const [, refused] = body.timeline.map((step: { detail: string }) => step.detail);
  assert.match(refused, /refused before sending/);
  assert.doesNotMatch(refused, /provider/);
});

test('200 tells the opens and clicks of machines from those of people, in numbers and in words', async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId, { status: 'delivered' });
  await sql`update emails set open_count = 1, machine_open_count = 2, machine_click_count = 3
    where workspace_id = ${api.workspaceId} and id = ${emailId}`.execute(api.t.db);
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient, at, event_data) values
    (${api.workspaceId}, ${newId()}, ${emailId}, 'open', 'ada@example.com', '2099-01-01T00:00:01Z', '{"open":{"is_bot":true}}'),
    (${api.workspaceId}, ${newId()}, ${emailId}, 'open', 'ada@example.com', '2099-01-01T00:00:02Z', '{"open":{"is_bot":false}}'),
    (${api.workspaceId}, ${newId()}, ${emailId}, 'click', 'ada@example.com', '2099-01-01T00:00:03Z', '{"click":{"is_bot":true}}')`.execute(
    api.t.db,
  );
  assert.partialDeepStrictEqual((await get(`/v1/emails/${emailId}`)).body, {
    open_count: 1,
    click_count: 0,
    machine_open_count: 2,
    machine_click_count: 3,
  });
  const { body } = await get(`/v1/emails/${emailId}/explain`);
  const [, ...told] = body.timeline.map((step: { detail: string }) => step.detail);
  assert.match(told[0], /^A machine fetched/);
  assert.match(told[1], /^It was opened/);
  assert.match(told[2], /^A machine followed/);
});

test('202 resend: a new email with the same content, to the same recipient', async () => {
  const sent = await send({ attachments: [{ filename: 'a.txt', content: 'AAEC' }], text: 'plain' });
  const id = sent.emails[0].id;
  await sql`update emails set status = 'delivered' where workspace_id = ${api.workspaceId} and id = ${id}`.execute(
    api.t.db,
  );
  const { status, body } = await post(`/v1/emails/${id}/resend`);
  assert.equal(status, 202);
  assert.deepEqual(
    { success: body.success, status: body.status, n: body.emails.length },
    { success: true, status: 'queued', n: 1 },
  );
  const copy = await get(`/v1/emails/${body.emails[0].id}`);
  assert.partialDeepStrictEqual(copy.body, {
    source: 'resend',
    from: 'Acme <hello@posthorn.test>',
    to: ['ada@example.com'],
    subject: 'Receipt',
  });
  assert.notEqual(copy.body.id, id);
  const content = await get(`/v1/emails/${body.emails[0].id}/content`);
  assert.partialDeepStrictEqual(content.body, {
    html: '<p>Hi</p>',
    text: 'plain',
    attachments: [{ filename: 'a.txt', size: 3 }],
  });
});

test('202 resend of a grouped message goes to the group again; replayed once per Idempotency-Key', async () => {
  const sent = await send({ cc: ['Bob <bob@example.com>'], bcc: ['eve@example.com'] });
  const id = sent.emails[0].id;
  await sql`update emails set status = 'failed' where workspace_id = ${api.workspaceId} and id = ${id}`.execute(
    api.t.db,
  );
  const headers = { 'idempotency-key': 'resend-1' };
  const first = await api.call({ method: 'POST', url: `/v1/emails/${id}/resend`, headers });
  const before = await countStored(api.t);
  const again = await api.call({ method: 'POST', url: `/v1/emails/${id}/resend`, headers });
  assert.deepEqual(again.body, first.body);
  assert.deepEqual(await countStored(api.t), before);
  const copy = await get(`/v1/emails/${first.body.emails[0].id}`);
  assert.partialDeepStrictEqual(copy.body, {
    to: ['ada@example.com'],
    cc: ['bob@example.com'],
    bcc: ['eve@example.com'],
  });
});

test('409 resend while the old one is on its way or unconfirmed, and nothing is stored', async () => {
  const before = await countStored(api.t);
  let made = 0;
  for (const status of ['pending', 'queued', 'deferred', 'sending', 'unconfirmed']) {
    const { emailId } = await anEmail(api.t.db, api.workspaceId, { status });
    made += 1;
    assert.equal((await post(`/v1/emails/${emailId}/resend`)).status, 409, status);
  }
  assert.equal((await countStored(api.t))['emails'], (before['emails'] ?? 0) + made);
});

test('409 resend of mail of the system, even for who sees it: the copy would be everybody’s', async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId, { source: 'system', lane: 0, status: 'delivered' });
  const before = await countStored(api.t);
  assert.equal((await post(`/v1/emails/${emailId}/resend`)).status, 409);
  assert.deepEqual(await countStored(api.t), before);
});

test('422 resend when the domain is no longer verified', async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId, { status: 'failed', fromAddress: 'a@gone.example' });
  const { status, body } = await post(`/v1/emails/${emailId}/resend`);
  assert.deepEqual({ status, param: body.param }, { status: 422, param: 'from' });
});

test('202 send-again puts an unconfirmed email back with a record; 200 treat-as-sent settles it', async () => {
  const again = await anEmail(api.t.db, api.workspaceId, { status: 'unconfirmed', attempts: 1, handoffAt: new Date() });
  const answer = await post(`/v1/emails/${again.emailId}/send-again`);
  assert.deepEqual(
    { status: answer.status, body: answer.body },
    {
      status: 202,
      body: { success: true, id: again.emailId, status: 'queued' },
    },
  );
  const { rows } = await sql<{ outcome: string }>`
    select outcome from email_attempts where workspace_id = ${api.workspaceId} and email_id = ${again.emailId}`.execute(
    api.t.db,
  );
  assert.deepEqual(rows, [{ outcome: 'resent' }]);

  const settled = await anEmail(api.t.db, api.workspaceId, {
    status: 'unconfirmed',
    attempts: 1,
    handoffAt: new Date(),
  });
  const sentAnswer = await post(`/v1/emails/${settled.emailId}/treat-as-sent`);
  assert.deepEqual(
    { status: sentAnswer.status, body: sentAnswer.body },
    {
      status: 200,
      body: { success: true, id: settled.emailId, status: 'sent' },
    },
  );
  for (const action of ['send-again', 'treat-as-sent']) {
    assert.equal((await post(`/v1/emails/${settled.emailId}/${action}`)).status, 409, action);
    assert.equal((await post(`/v1/emails/${again.emailId}/${action}`)).status, 409, action);
  }
});

const ONE: ['GET' | 'POST', string][] = [
  ['GET', ''],
  ['GET', '/content'],
  ['GET', '/raw'],
  ['GET', '/explain'],
  ['POST', '/resend'],
  ['POST', '/send-again'],
  ['POST', '/treat-as-sent'],
];

test("404 on every path of an email for nonsense, another workspace's id, and mail of the system", async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId, { status: 'unconfirmed' });
  const system = await anEmail(api.t.db, api.workspaceId, { source: 'system', lane: 0, status: 'unconfirmed' });
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  const limited = await api.caller({ scopes: ['emails:read', 'emails:send'] });
  for (const [method, path] of ONE) {
    for (const id of ['1', "'", 'undefined', '%00', newId(), `{${emailId}}`]) {
      assert.equal((await api.call({ method, url: `/v1/emails/${id}${path}` })).status, 404, `${method} ${id}${path}`);
    }
    assert.equal((await api.call({ method, url: `/v1/emails/${emailId}${path}`, token: foreign })).status, 404);
    assert.equal((await api.call({ method, url: `/v1/emails/${system.emailId}${path}`, token: limited })).status, 404);
  }
  const { rows } = await sql<{ status: string }>`
    select status from emails where workspace_id = ${api.workspaceId} and id = any(${[emailId, system.emailId]}::uuid[])`.execute(
    api.t.db,
  );
  assert.deepEqual(rows, [{ status: 'unconfirmed' }, { status: 'unconfirmed' }]);
});

test('403 on every path of an email without its scope', async () => {
  const { emailId } = await anEmail(api.t.db, api.workspaceId, { status: 'unconfirmed' });
  const sender = await api.caller({ scopes: ['emails:send'] });
  for (const [method, path] of ONE) {
    const token = method === 'GET' ? sender : reader;
    assert.equal((await api.call({ method, url: `/v1/emails/${emailId}${path}`, token })).status, 403, path);
  }
  assert.equal((await get('/v1/emails', sender)).status, 403);
});

test('200: mail of the system is listed only for who may do everything', async () => {
  const workspaceId = await aWorkspace(api.t.db);
  const plain = await anEmail(api.t.db, workspaceId);
  const system = await anEmail(api.t.db, workspaceId, { source: 'system', lane: 0 });
  const listFor = async (caller: object) => {
    const answer = await get('/v1/emails', await api.caller({ workspaceId, ...caller }));
    return { ids: idsOf(answer), total: answer.body.total };
  };
  assert.deepEqual(await listFor({ scopes: ['emails:read'] }), { ids: [plain.emailId], total: 1 });
  assert.deepEqual(await listFor({ scopes: ['emails:read'], role: 'viewer' }), { ids: [plain.emailId], total: 1 });
  const all = { ids: [system.emailId, plain.emailId], total: 2 };
  assert.deepEqual(await listFor({ scopes: ['*'] }), all);
  assert.deepEqual(await listFor({ scopes: ['emails:read'], role: 'owner' }), all);
});
