import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { type Body, createScheduledApp, EMAIL, inSeconds, type ScheduledApp } from './test-kit.ts';

let t: ScheduledApp;
before(async () => {
  t = await createScheduledApp();
});
after(() => t.close());

const nothingStored = async (work: () => Promise<unknown>): Promise<void> => {
  const count = async (): Promise<unknown> =>
    (await sql`select count(*) as count from scheduled_emails`.execute(t.app.db)).rows;
  const earlier = await count();
  await work();
  assert.deepEqual(await count(), earlier);
};

const refused = async (body: object, status: number, param: string, message?: RegExp): Promise<void> =>
  nothingStored(async () => {
    const reply = await t.call('POST', '', { body: { ...EMAIL, scheduled_for: 'in 1 hour', ...body } });
    assert.deepEqual([reply.status, reply.body.param], [status, param], reply.text);
    if (message !== undefined) assert.match(reply.body.message, message);
  });

test('201 with the whole record, and its first entry', async () => {
  const year = new Date().getUTCFullYear() + 1;
  const at = `${year}-01-15T09:00:00`;
  const { status, body, headers } = await t.call('POST', '', {
    body: {
      ...EMAIL,
      cc: 'bob@example.com',
      reply_to: ['support@posthorn.test'],
      html: '<p>Tomorrow</p>',
      tags: [{ name: 'kind', value: 'reminder' }],
      metadata: { orderId: '42' },
      attachments: [{ filename: 'a.txt', content: 'AAEC', contentType: 'text/plain' }],
      scheduled_for: at,
      timezone: 'Europe/Berlin',
    },
  });
  assert.equal(status, 201);
  const { id, created_at, updated_at, ...rest } = body;
  assert.equal(created_at, updated_at);
  assert.deepEqual(rest, {
    status: 'scheduled',
    version: 1,
    from: 'Acme <hello@posthorn.test>',
    to: ['ada@example.com'],
    cc: ['bob@example.com'],
    bcc: [],
    reply_to: ['support@posthorn.test'],
    subject: 'Reminder',
    preheader: null,
    template_id: null,
    variables: {},
    newsletter_id: null,
    tags: [{ name: 'kind', value: 'reminder' }],
    metadata: { orderId: '42' },
    sandbox: false,
    scheduled_for: `${year}-01-15T08:00:00.000Z`,
    timezone: 'Europe/Berlin',
    local_time: at,
    schedule_note: null,
    max_delay_seconds: null,
    expires_at: null,
    job_id: null,
    batch_id: null,
    message_id: null,
    error: null,
    error_code: null,
    cancelled_by: null,
    sent_at: null,
    html: '<p>Tomorrow</p>',
    text: 'We see each other tomorrow.',
    attachments: [{ filename: 'a.txt', content_type: 'text/plain', size: 3 }],
    audit_log: [{ at: created_at, action: 'created', details: { scheduled_for: `${year}-01-15T08:00:00.000Z` } }],
  });
  const read = await t.call('GET', `/${id}`);
  assert.deepEqual([read.status, read.body, read.headers['etag']], [200, body, headers['etag']]);
  assert.deepEqual((await t.call('GET', `/v1/scheduled/${id}`)).body, body);
  const { row, sends } = await t.stored(id);
  assert.deepEqual([row.status, sends], ['scheduled', 0]);
});

test('201 for “in 2 hours”, and for the names that other services give to the time', async () => {
  const before = Date.now();
  const { scheduled_for, timezone } = await t.scheduled({ scheduled_for: 'in 2 hours' });
  const aheadMs = Date.parse(scheduled_for) - before;
  assert.ok(Math.abs(aheadMs - 7_200_000) < 60_000, scheduled_for);
  assert.equal(timezone, null);
  for (const name of ['scheduledFor', 'scheduled_at', 'send_at', 'sendAt']) {
    const { status, text } = await t.call('POST', '', { body: { ...EMAIL, [name]: inSeconds(600) } });
    assert.equal(status, 201, `${name}: ${text}`);
  }
});

test('201 with a wall time without a zone in the zone of the workspace', async () => {
  await sql`update workspaces set timezone = 'Asia/Kolkata' where id = ${t.app.workspaceId}`.execute(t.app.db);
  const year = new Date().getUTCFullYear() + 1;
  const { scheduled_for, timezone, local_time } = await t.scheduled({ scheduled_for: `${year}-01-15T09:00` });
  assert.deepEqual(
    [scheduled_for, timezone, local_time],
    [`${year}-01-15T03:30:00.000Z`, 'Asia/Kolkata', `${year}-01-15T09:00:00`],
  );
  await sql`update workspaces set timezone = 'UTC' where id = ${t.app.workspaceId}`.execute(t.app.db);
});

test('201 with an old name of a zone, of which the name of today is kept', async () => {
  for (const [given, kept] of [
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Japan', 'Asia/Tokyo'],
    ['europe/berlin', 'Europe/Berlin'],
  ]) {
    const { timezone } = await t.scheduled({ scheduled_for: inSeconds(600), timezone: given });
    assert.equal(timezone, kept);
  }
});

test('400 for a zone that is none, and for abbreviations and offsets', async () => {
  for (const timezone of ['Mars/Phobos', 'EST', 'GMT+5', 'Etc/GMT+5', '', '../../etc/passwd', '+05:00', 'CET']) {
    await refused({ scheduled_for: '2026-12-01T09:00:00', timezone }, 400, 'timezone');
  }
});

test('400 for a time that cannot be read', async () => {
  for (const time of [
    'tomorrow',
    '2026-02-30T09:00:00',
    '2026-12-31T23:59:60Z',
    'in two hours',
    'in 2 fortnights',
    '',
  ]) {
    await refused({ scheduled_for: time }, 400, 'scheduled_for');
  }
  await refused({ scheduled_for: 5 }, 400, 'scheduled_for');
  await refused({ scheduled_for: undefined }, 400, 'scheduled_for', /required/);
});

test('400 names the faults of the time and of the email together', async () => {
  const { status, body } = await t.call('POST', '', { body: { ...EMAIL, to: ['x'], scheduled_for: 'soon' } });
  assert.equal(status, 400);
  assert.equal(body.details.length, 2, body.details);
});

test('422 for a time that has passed or lies more than 365 days ahead', async () => {
  await refused({ scheduled_for: inSeconds(-1) }, 422, 'scheduled_for', /has passed/);
  await refused({ scheduled_for: 'in 0 seconds' }, 422, 'scheduled_for', /has passed/);
  await refused({ scheduled_for: 'in 366 days' }, 422, 'scheduled_for', /365 days/);
  assert.equal((await t.scheduled({ scheduled_for: 'in 364 days' })).status, 'scheduled');
});

test('422 for a sender that is not verified, and for a deadline before the time', async () => {
  await refused({ from: 'a@nobody.example' }, 422, 'from');
  await refused({ scheduled_for: inSeconds(7_200), expires_at: inSeconds(3_600) }, 422, 'expiresAt');
});

test('the deadline is shown in UTC, whatever the zone that it was typed in', async () => {
  const day = inSeconds(86_400).slice(0, 10);
  const { expires_at: deadline } = await t.scheduled({
    scheduled_for: 'in 1 hour',
    expires_at: `${day}T23:00:00+02:00`,
  });
  assert.equal(deadline, `${day}T21:00:00.000Z`);
});

test('403 without the scope; `scheduled:write` and `emails:send` are each enough to schedule', async () => {
  const body = { ...EMAIL, scheduled_for: 'in 1 hour' };
  for (const scope of ['scheduled:write', 'emails:send']) {
    const key = await t.key({ scopes: [scope] });
    assert.equal((await t.call('POST', '', { body, key })).status, 201, scope);
  }
  const reader = await t.key({ scopes: ['scheduled:read'] });
  await nothingStored(async () => assert.equal((await t.call('POST', '', { body, key: reader })).status, 403));
  const { id } = await t.scheduled();
  assert.equal((await t.call('GET', `/${id}`, { key: reader })).status, 200);
  assert.equal((await t.call('DELETE', `/${id}`, { key: reader })).status, 403);
  assert.equal((await t.stored(id)).row.status, 'scheduled');
});

test('404 for an id of another workspace, of nothing, and for what is no id', async () => {
  const { id } = await t.scheduled();
  const other = await aWorkspace(t.app.db);
  await sql`update scheduled_emails set workspace_id = ${other} where id = ${id}`.execute(t.app.db);
  for (const path of [`/${id}`, `/${newId()}`, '/x']) {
    assert.equal((await t.call('GET', path)).status, 404);
    assert.equal((await t.call('DELETE', path)).status, 404);
    assert.equal((await t.call('PATCH', path, { body: { subject: 'No' } })).status, 404);
    assert.equal((await t.call('PATCH', `${path}/reschedule`, { body: { scheduled_for: 'in 1 day' } })).status, 404);
    assert.equal((await t.call('POST', `${path}/send-now`)).status, 404);
  }
  const { rows } = await sql<{ version: number }>`
    select version from scheduled_emails where workspace_id = ${other}`.execute(t.app.db);
  assert.deepEqual(rows, [{ version: 1 }]);
});

test('a repeated key schedules once', async () => {
  const options = { body: { ...EMAIL, scheduled_for: 'in 1 hour' }, headers: { 'idempotency-key': 'reminder-1' } };
  const first = await t.call('POST', '', options);
  const second = await t.call('POST', '', options);
  assert.deepEqual([second.status, second.body.id], [201, first.body.id]);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal((await t.call('POST', '', { ...options, body: { ...options.body, subject: 'Other' } })).status, 409);
});

test('200 with a page: by state, by time and by words, without texts', async () => {
  const subject = `Unusual ${newId()}`;
  const soon = await t.scheduled({ subject, scheduled_for: inSeconds(1_000), html: '<p>Hi</p>' });
  const late = await t.scheduled({ subject, scheduled_for: inSeconds(90_000), to: ['Zoë <zoe@bücher.example>'] });
  const ids = async (query: string): Promise<string[]> => {
    const { status, body, text } = await t.call('GET', `?${query}`);
    assert.equal(status, 200, text);
    return body.data.map((one: Body) => one.id);
  };
  const search = `search=${encodeURIComponent(subject.toUpperCase())}`;
  assert.deepEqual(await ids(search), [late.id, soon.id]);
  assert.deepEqual(await ids(`${search}&from=${inSeconds(2_000)}`), [late.id]);
  assert.deepEqual(await ids(`${search}&to=${inSeconds(2_000)}`), [soon.id]);
  assert.deepEqual(await ids(`${search}&status=cancelled`), []);
  assert.deepEqual(await ids('search=zoe%40'), [late.id]);
  assert.deepEqual(await ids(`search=${encodeURIComponent('zoe@bücher.example')}`), [late.id]);
  const first = await t.call('GET', `?${search}&limit=1`);
  assert.partialDeepStrictEqual(first.body, { total: 2, total_pages: 2, has_more: true });
  assert.ok(!('html' in first.body.data[0]) && !('audit_log' in first.body.data[0]));
  assert.deepEqual(await ids(`${search}&limit=1&cursor=${first.body.next_cursor}`), [soon.id]);
  assert.equal((await t.call('GET', '?from=tomorrow')).status, 400);
  assert.equal((await t.call('GET', '?status=done')).status, 400);
});

test('200 for a change of the content, judged as a whole, with its entry', async () => {
  const made = await t.scheduled({ attachments: [{ filename: 'a.txt', content: 'AAEC' }] });
  const { status, body } = await t.call('PATCH', `/${made.id}`, {
    body: { subject: 'Changed', to: 'bob@example.com', html: '<b>!</b>' },
  });
  assert.equal(status, 200);
  assert.deepEqual([body.subject, body.to, body.html, body.version], ['Changed', ['bob@example.com'], '<b>!</b>', 2]);
  assert.equal(body.attachments.length, 1);
  assert.deepEqual(body.audit_log.at(-1).details, {
    fields: ['to', 'subject', 'html'],
    changes: { subject: { before: 'Reminder', after: 'Changed' } },
  });
  const replaced = await t.call('PATCH', `/${made.id}`, { body: { attachments: [] } });
  assert.deepEqual(replaced.body.attachments, []);
  const same = await t.call('PATCH', `/${made.id}`, { body: { subject: 'Changed' } });
  assert.deepEqual([same.body.version, same.body.audit_log.length], [3, 3]);
  for (const [change, code, param] of [
    [{ to: 'x' }, 400, 'to'],
    [{ html: null, text: null }, 400, 'html'],
    [{ from: 'a@nobody.example' }, 422, 'from'],
    [{ scheduled_for: 'in 2 hours' }, 400, 'scheduled_for'],
    [{ expires_at: inSeconds(60) }, 422, 'expiresAt'],
  ] as const) {
    const reply = await t.call('PATCH', `/${made.id}`, { body: change });
    assert.deepEqual([reply.status, reply.body.param], [code, param], reply.text);
  }
  assert.equal((await t.stored(made.id)).row.version, 3);
});

test('400 names the faults of type and of meaning of a change together, and nothing is changed', async () => {
  const { id } = await t.scheduled();
  const change = { subject: 5, to: 'x', headers: { 'x-one': 'a\nb' }, expires_at: inSeconds(-60) };
  const { status, body, text } = await t.call('PATCH', `/${id}`, { body: change });
  assert.equal(status, 400);
  assert.equal(body.details.length, 4, text);
  for (const field of ['subject', 'to', 'headers', 'expires']) assert.match(body.details.join(' '), new RegExp(field));
  assert.equal((await t.stored(id)).row.version, 1);
});

test('200 for a change that lacks what only the whole email has: variables of its recipients, and a version of its template', async () => {
  const { id } = await t.scheduled({
    html: '<p>{{ name }}</p>',
    recipient_variables: { 'ada@example.com': { name: 'A' } },
  });
  const change = { recipient_variables: { 'ada@example.com': { name: 'Ada' } } };
  assert.equal((await t.call('PATCH', `/${id}`, { body: change })).status, 200);
  const only = await t.call('PATCH', `/${id}`, { body: { reply_to: 'support@example.com' } });
  assert.deepEqual([only.status, only.body.version], [200, 3]);
});

test('409 for a change with the ETag of an earlier read', async () => {
  const { id } = await t.scheduled();
  const etag = String((await t.call('GET', `/${id}`)).headers['etag']);
  const headers = { 'if-match': etag };
  assert.equal((await t.call('PATCH', `/${id}`, { body: { subject: 'One' }, headers })).status, 200);
  assert.equal((await t.call('PATCH', `/${id}`, { body: { subject: 'Two' }, headers })).status, 409);
  const moved = await t.call('PATCH', `/${id}/reschedule`, { body: { scheduled_for: 'in 1 day' }, headers });
  assert.equal(moved.status, 409);
  assert.equal((await t.call('DELETE', `/${id}`, { headers })).status, 409);
  const { row } = await t.stored(id);
  assert.deepEqual([row.body.subject, row.version, row.status], ['One', 2, 'scheduled']);
  const now = String((await t.call('GET', `/${id}`)).headers['etag']);
  const again = await t.call('PATCH', `/${id}/reschedule`, {
    body: { scheduled_for: 'in 1 day' },
    headers: { 'if-match': now },
  });
  assert.equal(again.status, 200);
});

test('200 for another time; the same token has the same answer and no second entry', async () => {
  const { id, scheduled_for: from } = await t.scheduled({ timezone: 'Europe/Berlin' });
  const to = inSeconds(10_000);
  const body = { scheduled_for: to, idempotency_token: 'move-1' };
  const first = await t.call('PATCH', `/${id}/reschedule`, { body });
  assert.deepEqual(first.body, {
    success: true,
    id,
    status: 'scheduled',
    scheduled_for: to,
    previous_scheduled_for: from,
    schedule_note: null,
    idempotency_token: 'move-1',
  });
  const second = await t.call('PATCH', `/${id}/reschedule`, { body });
  assert.deepEqual([second.status, second.body], [200, first.body]);
  const byHeader = await t.call('PATCH', `/v1/scheduled/${id}/reschedule`, {
    body: { scheduled_for: to },
    headers: { 'idempotency-key': 'move-1' },
  });
  assert.deepEqual([byHeader.status, byHeader.body], [200, first.body]);
  const read = (await t.call('GET', `/${id}`)).body;
  assert.deepEqual(
    read.audit_log.slice(1).map(({ action, details }: Body) => [action, details]),
    [['rescheduled', { from, to, idempotency_token: 'move-1' }]],
  );
  assert.deepEqual([read.timezone, read.version], ['Europe/Berlin', 2]);
  const other = await t.call('PATCH', `/${id}/reschedule`, { body: { ...body, scheduled_for: inSeconds(20_000) } });
  assert.equal(other.status, 409);
  const without = await t.call('PATCH', `/${id}/reschedule`, { body: { scheduled_for: to } });
  assert.match(without.body.idempotency_token, /^[0-9a-f-]{36}$/);
  for (const [time, code] of [
    [inSeconds(-5), 422],
    ['in 400 days', 422],
    ['never', 400],
  ] as const) {
    const reply = await t.call('PATCH', `/${id}/reschedule`, { body: { scheduled_for: time } });
    assert.deepEqual([reply.status, reply.body.param], [code, 'scheduled_for']);
  }
  assert.equal((await t.stored(id)).row.version, 3);
});

test('200 for a cancel, which names its caller; everything after it is 409', async () => {
  const { id } = await t.scheduled({ attachments: [{ filename: 'a.txt', content: 'AAEC' }] });
  const { status, body } = await t.call('DELETE', `/${id}`);
  assert.deepEqual([status, body], [200, { success: true, id, status: 'cancelled' }]);
  const read = (await t.call('GET', `/${id}`)).body;
  assert.equal(read.status, 'cancelled');
  assert.equal(read.cancelled_by.type, 'api_key');
  assert.deepEqual(read.audit_log.at(-1).details, { cancelled_by: `api_key:${read.cancelled_by.id}` });
  for (const [method, path, given] of [
    ['DELETE', '', undefined],
    ['PATCH', '', { subject: 'No' }],
    ['PATCH', '/reschedule', { scheduled_for: 'in 1 day' }],
    ['POST', '/send-now', undefined],
  ] as const) {
    const reply = await t.call(method, `/${id}${path}`, given === undefined ? {} : { body: given });
    assert.equal(reply.status, 409, `${method} ${path}`);
  }
  assert.deepEqual(await t.actions(id), ['created', 'cancelled']);
  assert.equal((await t.stored(id)).files, 0);
});

test('200 for send-now: its time is a second from now', async () => {
  const { id } = await t.scheduled();
  const { status, body } = await t.call('POST', `/${id}/send-now`);
  assert.equal(status, 200);
  const { scheduled_for, ...rest } = body;
  assert.deepEqual(rest, { success: true, id, status: 'scheduled' });
  assert.ok(Math.abs(Date.parse(scheduled_for) - Date.now() - 1_000) < 30_000);
  assert.deepEqual((await t.call('GET', `/${id}`)).body.audit_log.at(-1), {
    ...(await t.call('GET', `/${id}`)).body.audit_log.at(-1),
    action: 'send_now',
  });
});

test('403 for a test key that changes an email of a live key', async () => {
  const key = await t.key({ mode: 'test' });
  const { id } = await t.scheduled();
  for (const [method, path, body] of [
    ['DELETE', '', undefined],
    ['PATCH', '', { subject: 'No' }],
    ['PATCH', '/reschedule', { scheduled_for: 'in 1 day' }],
    ['POST', '/send-now', undefined],
  ] as const) {
    const reply = await t.call(method, `/${id}${path}`, { key, ...(body === undefined ? {} : { body }) });
    assert.equal(reply.status, 403, `${method} ${path}`);
  }
  assert.equal((await t.stored(id)).row.version, 1);
  const own = await t.scheduled({}, key);
  assert.equal(own.sandbox, true);
});

test('201 beyond the limits of the key, which count /v1/send alone', async () => {
  const key = await t.key({ limits: { hourly: 1, daily: 1, monthly: 1 } });
  await t.scheduled({}, key);
  const second = await t.call('POST', '', { body: { ...EMAIL, scheduled_for: 'in 1 hour' }, key });
  assert.equal(second.status, 201);
  assert.equal(second.headers['x-ratelimit-limit'], undefined);
});
