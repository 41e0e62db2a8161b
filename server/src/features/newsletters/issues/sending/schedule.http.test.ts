import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aDomain } from '../../../../../test/harness/builders.ts';
import { type Body, createIssuesApp, DRAFT, inSeconds, type IssuesApp, type Reply } from '../test-kit.ts';

let t: IssuesApp;
let newsletterId: string;
before(async () => {
  t = await createIssuesApp();
  newsletterId = await t.list(2);
  await sql`update newsletters set timezone = 'Europe/Berlin' where workspace_id = ${t.app.workspaceId}
    and id = ${newsletterId}`.execute(t.app.db);
});
after(() => t.close());

const urlOf = (issue: Body): string => `/${issue.newsletter_id}/issues/${issue.id}`;
const schedule = (issue: Body, body: unknown, key?: string): Promise<Reply> =>
  t.call('POST', `${urlOf(issue)}/schedule`, { body, ...(key === undefined ? {} : { key }) });
const actions = (issue: Body): string[] => issue.audit_log.map((entry: Body) => entry.action);
/** Tomorrow at nine on the wall. */
const NINE = `${inSeconds(86_400).slice(0, 10)}T09:00:00`;

test('201 with a scheduled issue: when, where, and who may', async () => {
  const scheduled_for = inSeconds(3_600);
  const issue = await t.draft(newsletterId, { scheduled_for });
  assert.deepEqual(
    [issue.status, issue.scheduled_for, issue.timezone, issue.schedule_note],
    ['scheduled', scheduled_for, null, null],
  );
  assert.deepEqual(
    issue.audit_log.map((entry: Body) => [entry.action, entry.details]),
    [
      ['created', {}],
      ['scheduled', { scheduled_for }],
    ],
  );
  assert.deepEqual((await t.call('GET', urlOf(issue))).body, issue);
  const { issue: stored, sends } = await t.stored(issue.id);
  assert.equal(stored.sent_by.type, 'api_key');
  assert.equal(stored.sent_by.mode, 'live');
  assert.equal(sends, 0);
});

test('200 with the record when a draft is scheduled, and when it is rescheduled', async () => {
  const draft = await t.draft(newsletterId);
  const first = await schedule(draft, {
    scheduled_for: '2026-12-01T09:00:00.123456Z'.replace(/^.{10}/, NINE.slice(0, 10)),
  });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual([first.body.status, first.body.scheduled_for], ['scheduled', `${NINE.slice(0, 10)}T09:00:00.123Z`]);
  for (const seconds of [7_200, 3_600]) {
    const again = await schedule(draft, { scheduled_for: inSeconds(seconds), timezone: 'Asia/Tokyo' });
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.timezone, 'Asia/Tokyo');
  }
  const { body } = await t.call('GET', urlOf(draft));
  assert.deepEqual(actions(body), ['created', 'scheduled', 'scheduled', 'scheduled']);
  assert.equal(body.audit_log[2].details.was, first.body.scheduled_for);
});

test('200 for a wall time, in the zone that is given, else the newsletter’s', async () => {
  const draft = await t.draft(newsletterId);
  const given = await schedule(draft, { scheduled_for: NINE, timezone: 'Asia/Kolkata' });
  assert.deepEqual(
    [given.body.scheduled_for, given.body.timezone, given.body.local_time],
    [`${NINE.slice(0, 10)}T03:30:00.000Z`, 'Asia/Kolkata', NINE],
  );
  const kept = await schedule(draft, { scheduled_for: NINE });
  assert.equal(kept.body.scheduled_for, given.body.scheduled_for, 'the zone of the issue stays');
  const own = await schedule(draft, { scheduled_for: NINE, timezone: null });
  assert.deepEqual([own.body.timezone, own.body.local_time], ['Europe/Berlin', NINE]);
});

test('200 for “in 2 hours” from now, for a new issue and for a draft', async () => {
  const issue = await t.draft(newsletterId, { scheduled_for: 'in 2 hours' });
  const { body } = await schedule(await t.draft(newsletterId), { scheduled_for: 'in 2 hours' });
  for (const { status, scheduled_for, timezone } of [issue, body]) {
    assert.deepEqual([status, timezone], ['scheduled', null]);
    const lateMs = Date.now() + 7_200_000 - new Date(scheduled_for).getTime();
    assert.ok(lateMs >= 0 && lateMs < 60_000, `${scheduled_for} is not in two hours`);
  }
});

test('200 shows what a change of the clocks made of a wall time, until it is scheduled anew', async () => {
  const draft = await t.draft(newsletterId);
  const note = 'The clocks in Europe/Berlin skip 02:30:00 on 2027-03-28; 03:30:00 is used.';
  await sql`update issues set schedule_note = ${note} where workspace_id = ${t.app.workspaceId} and id = ${draft.id}`.execute(
    t.app.db,
  );
  assert.equal((await t.call('GET', urlOf(draft))).body.schedule_note, note);
  const cleared = await schedule(draft, { scheduled_for: inSeconds(3_600) });
  assert.equal(cleared.body.schedule_note, null);
});

const UNREADABLE: readonly [body: unknown, param: string | undefined][] = [
  [{}, 'scheduled_for'],
  [{ scheduled_for: null }, 'scheduled_for'],
  [{ scheduled_for: 5 }, 'scheduled_for'],
  [{ scheduled_for: '' }, 'scheduled_for'],
  [{ scheduled_for: 'tomorrow' }, 'scheduled_for'],
  [{ scheduled_for: '2027-02-30T00:00:00Z' }, 'scheduled_for'],
  [{ scheduled_for: '2027-13-01T00:00:00Z' }, 'scheduled_for'],
  [{ scheduled_for: '2027-01-01T24:00:00Z' }, 'scheduled_for'],
  [{ scheduled_for: '2027-01-01T23:59:60Z' }, 'scheduled_for'],
  [{ scheduled_for: '2027-01-01T00:00:00+24:00' }, 'scheduled_for'],
  [{ scheduled_for: '2027-01-01T00:00:00+00:60' }, 'scheduled_for'],
  [{ scheduled_for: '2027-01-01T00:00:00.0123456789Z' }, 'scheduled_for'],
  [{ scheduled_for: '1767225600' }, 'scheduled_for'],
  [{ scheduled_for: '2027-01-01' }, 'scheduled_for'],
  [{ scheduled_for: 'x'.repeat(10_000) }, 'scheduled_for'],
  ...['EST', 'GMT+5', 'Etc/GMT+5', 'Mars/Phobos', '', '../../etc/passwd'].map((timezone): [unknown, string] => [
    { scheduled_for: NINE, timezone },
    'timezone',
  ]),
  [{ scheduled_for: inSeconds(3_600), timezone: 7 }, 'timezone'],
  [null, undefined],
  [[], undefined],
];
for (const [body, param] of UNREADABLE) {
  test(`400 for scheduling with ${JSON.stringify(body)?.slice(0, 70)}`, async () => {
    const draft = await t.draft(newsletterId);
    const reply = await schedule(draft, body);
    assert.deepEqual([reply.status, reply.body.name, reply.body.param], [400, 'validation_error', param], reply.text);
    assert.equal((await t.stored(draft.id)).issue.status, 'draft');
  });
}

test('an issue, a newsletter and a contact take the name that a zone had, and keep the name of today', async () => {
  for (const [given, kept] of [
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
  ] as const) {
    const scheduled = await schedule(await t.draft(newsletterId), { scheduled_for: NINE, timezone: given });
    assert.deepEqual([scheduled.status, scheduled.body.timezone], [200, kept], scheduled.text);
    const body = { timezone: given };
    const url = `/v1/newsletters/${newsletterId}`;
    const newsletter = await t.app.request({ method: 'PATCH', url, body });
    assert.deepEqual([newsletter.status, (newsletter.body as Body).timezone], [200, kept]);
    const contact = await t.app.request({
      url: '/v1/contacts',
      body: { ...body, email: `${kept.slice(-5)}@example.com` },
    });
    assert.deepEqual([contact.status, (contact.body as Body).timezone], [201, kept]);
  }
});

test('400 for a zone with a NUL', async () => {
  const draft = await t.draft(newsletterId);
  const reply = await schedule(draft, { scheduled_for: NINE, timezone: 'UTC\0' });
  assert.equal(reply.status, 400);
});

const BEYOND: readonly [what: string, seconds: number][] = [
  ['that has passed', -1],
  ['of now', 0],
  ['in less than 30 seconds', 29.9],
  ['in 30 days and a minute', 30 * 86_400 + 60],
  ['in a year', 365 * 86_400],
];
for (const [what, seconds] of BEYOND) {
  test(`422 for a time ${what}, wherever it is given`, async () => {
    const draft = await t.draft(newsletterId);
    const scheduled_for = inSeconds(seconds);
    const before = (await t.stored(draft.id)).issue;
    for (const [method, url, body] of [
      ['POST', `${urlOf(draft)}/schedule`, { scheduled_for }],
      ['PATCH', urlOf(draft), { scheduled_for }],
      ['POST', `/${newsletterId}/issues`, { ...DRAFT, scheduled_for }],
    ] as const) {
      const reply = await t.call(method, url, { body });
      assert.deepEqual(
        [reply.status, reply.body.name, reply.body.param],
        [422, 'validation_error', 'scheduled_for'],
        reply.text,
      );
    }
    assert.deepEqual((await t.stored(draft.id)).issue, before);
  });
}

test('200 for a time just within the bounds, by the clock of the database and not by ours', async () => {
  const draft = await t.draft(newsletterId);
  t.app.clock.advance(10 * 86_400_000);
  try {
    for (const seconds of [40, 30 * 86_400 - 5]) {
      const reply = await schedule(draft, { scheduled_for: inSeconds(seconds) });
      assert.equal(reply.status, 200, reply.text);
    }
  } finally {
    t.app.clock.advance(-10 * 86_400_000);
  }
});

for (const status of ['sending', 'sent', 'cancelled', 'failed']) {
  test(`409 when an issue that is ${status} is scheduled or sent`, async () => {
    const draft = await t.draft(newsletterId);
    await sql`update issues set status = ${status} where workspace_id = ${t.app.workspaceId} and id = ${draft.id}`.execute(
      t.app.db,
    );
    const scheduled = await schedule(draft, { scheduled_for: inSeconds(3_600) });
    const sent = await t.call('POST', `${urlOf(draft)}/send`);
    for (const reply of [scheduled, sent]) {
      assert.deepEqual([reply.status, reply.body.name], [409, 'conflict_error'], reply.text);
    }
    const { issue, sends } = await t.stored(draft.id);
    assert.deepEqual([issue.status, issue.scheduled_for, sends], [status, null, 0]);
  });
}

test('422 for an issue without a body: it is not scheduled, not sent, and not emptied while it is', async () => {
  for (const html_body of ['', '  \n ']) {
    const draft = await t.draft(newsletterId, { html_body });
    const scheduled_for = inSeconds(3_600);
    const scheduled = await schedule(draft, { scheduled_for });
    const sent = await t.call('POST', `${urlOf(draft)}/send`);
    const made = await t.call('POST', `/${newsletterId}/issues`, { body: { ...DRAFT, html_body, scheduled_for } });
    const full = await t.draft(newsletterId, { scheduled_for });
    const emptied = await t.call('PATCH', urlOf(full), { body: { html_body } });
    for (const reply of [scheduled, sent, made, emptied]) {
      assert.deepEqual([reply.status, reply.body.param], [422, 'html_body'], reply.text);
    }
    assert.equal((await t.stored(draft.id)).issue.status, 'draft');
    assert.equal((await t.stored(full.id)).issue.html_body, DRAFT.html_body);
  }
});

test('422 for a newsletter without a sender, or whose domain is not verified', async () => {
  for (const fromEmail of [null, 'news@unverified.example']) {
    const id = await t.list(1, { fromEmail });
    const draft = await t.draft(id);
    const scheduled = await schedule(draft, { scheduled_for: inSeconds(3_600) });
    const sent = await t.call('POST', `${urlOf(draft)}/send`);
    const body = { ...DRAFT, scheduled_for: inSeconds(3_600) };
    const made = await t.call('POST', `/${id}/issues`, { body });
    for (const reply of [scheduled, sent, made]) {
      assert.deepEqual([reply.status, reply.body.name, reply.body.param], [422, 'validation_error', 'from_email']);
    }
    const { issue, sends } = await t.stored(draft.id);
    assert.deepEqual([issue.status, sends], ['draft', 0]);
    assert.equal((await t.call('GET', `/${id}/issues`)).body.total, 1);
  }
});

test('403 for a key that is limited to other domains', async () => {
  const other = await aDomain(t.app.db, t.app.workspaceId, 'other.example');
  const key = await t.key({ domain_ids: [other] });
  const draft = await t.draft(newsletterId);
  const scheduled = await schedule(draft, { scheduled_for: inSeconds(3_600) }, key);
  const sent = await t.call('POST', `${urlOf(draft)}/send`, { key });
  for (const reply of [scheduled, sent]) {
    assert.deepEqual([reply.status, reply.body.param], [403, 'from_email'], reply.text);
  }
  assert.equal((await t.stored(draft.id)).issue.status, 'draft');
});

test('403 for whoever may write and not send: making a scheduled issue, and changing one', async () => {
  const key = await t.key({ scopes: ['issues:write'] });
  const scheduled_for = inSeconds(3_600);
  const made = await t.call('POST', `/${newsletterId}/issues`, { body: { ...DRAFT, scheduled_for }, key });
  const scheduled = await t.draft(newsletterId, { scheduled_for });
  const replies = [made];
  for (const body of [{ subject: 'New' }, { scheduled_for: null }, { scheduled_for: inSeconds(7_200) }]) {
    replies.push(await t.call('PATCH', urlOf(scheduled), { body, key }));
  }
  for (const reply of replies) {
    assert.deepEqual([reply.status, reply.body.name], [403, 'permission_error'], reply.text);
    assert.match(reply.body.message, /"issues:send"/);
  }
  const { body: now } = await t.call('GET', urlOf(scheduled));
  assert.deepEqual([now.status, now.subject, now.scheduled_for], ['scheduled', scheduled.subject, scheduled_for]);
  const draft = await t.draft(newsletterId);
  const stored = await t.call('PATCH', urlOf(draft), { body: { scheduled_for }, key });
  assert.equal(stored.status, 200, 'on a draft a time is only stored');
});

test('200: a time on a draft is stored; sending it then schedules it', async () => {
  const draft = await t.draft(newsletterId);
  const scheduled_for = inSeconds(3_600);
  const stored = await t.call('PATCH', urlOf(draft), { body: { scheduled_for } });
  assert.deepEqual([stored.status, stored.body.status, stored.body.scheduled_for], [200, 'draft', scheduled_for]);
  const sent = await t.call('POST', `${urlOf(draft)}/send`);
  assert.equal(sent.status, 202);
  assert.deepEqual(sent.body, { success: true, id: draft.id, status: 'scheduled', scheduled_for });
  const { body } = await t.call('GET', urlOf(draft));
  assert.equal(body.status, 'scheduled');
  assert.deepEqual(actions(body), ['created', 'updated', 'scheduled']);
  const changes = { scheduled_for: { before: null, after: scheduled_for } };
  assert.deepEqual(body.audit_log[1].details, { fields: ['scheduled_for'], changes });
  assert.equal((await t.stored(draft.id)).sends, 0);
});

test('422 when the time that is stored in a draft has passed: it is neither scheduled nor sent', async () => {
  const draft = await t.draft(newsletterId);
  await sql`update issues set scheduled_for = now() - interval '1 minute'
    where workspace_id = ${t.app.workspaceId} and id = ${draft.id}`.execute(t.app.db);
  const reply = await t.call('POST', `${urlOf(draft)}/send`);
  assert.deepEqual([reply.status, reply.body.param], [422, 'scheduled_for']);
  const { issue, sends } = await t.stored(draft.id);
  assert.deepEqual([issue.status, sends], ['draft', 0]);
});

test('200: null makes a draft of a scheduled issue; a time moves it; words change it', async () => {
  const issue = await t.draft(newsletterId, { scheduled_for: inSeconds(3_600), timezone: 'Europe/Berlin' });
  const later = inSeconds(7_200);
  const moved = await t.call('PATCH', urlOf(issue), { body: { scheduled_for: later, subject: 'Moved' } });
  assert.deepEqual(
    [moved.status, moved.body.status, moved.body.scheduled_for, moved.body.subject, moved.body.slug],
    [200, 'scheduled', later, 'Moved', 'moved'],
  );
  const off = await t.call('PATCH', urlOf(issue), { body: { scheduled_for: null } });
  assert.deepEqual([off.status, off.body.status, off.body.scheduled_for], [200, 'draft', null]);
  assert.deepEqual(actions(off.body), ['created', 'scheduled', 'updated', 'scheduled', 'unscheduled']);
  assert.equal((await t.stored(issue.id)).issue.sent_by, null);
  const zone = await t.call('PATCH', urlOf(issue), { body: { timezone: null } });
  assert.equal(zone.body.timezone, null);
});

test('200 with nothing queued when a scheduled issue is cancelled; then 409, and it cannot be sent', async () => {
  const issue = await t.draft(newsletterId, { scheduled_for: inSeconds(3_600) });
  const cancelled = await t.call('POST', `${urlOf(issue)}/cancel`);
  assert.equal(cancelled.status, 200);
  assert.deepEqual(cancelled.body, { success: true, status: 'cancelled', alreadyQueued: 0 });
  for (const path of ['/cancel', '/send', '/retry-failed']) {
    const again = await t.call('POST', `${urlOf(issue)}${path}`);
    assert.deepEqual([again.status, again.body.name], [409, 'conflict_error'], path);
  }
  const { body } = await t.call('GET', urlOf(issue));
  assert.equal(body.status, 'cancelled');
  assert.ok(body.cancelled_at !== null);
  assert.deepEqual(body.audit_log.at(-1).details, { already_queued: 0 });
  const { sends, events } = await t.stored(issue.id);
  assert.deepEqual([sends, events], [0, []]);
});

test('200 once for an Idempotency-Key when an issue is cancelled', async () => {
  const issue = await t.draft(newsletterId, { scheduled_for: inSeconds(3_600) });
  const headers = { 'idempotency-key': `cancel-${issue.id}` };
  const first = await t.call('POST', `${urlOf(issue)}/cancel`, { headers });
  const again = await t.call('POST', `${urlOf(issue)}/cancel`, { headers });
  assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body]);
  const { body } = await t.call('GET', urlOf(issue));
  assert.deepEqual(actions(body), ['created', 'scheduled', 'cancelled']);
});

test('409 when a draft is cancelled, which stays a draft', async () => {
  const draft = await t.draft(newsletterId);
  const reply = await t.call('POST', `${urlOf(draft)}/cancel`);
  assert.deepEqual([reply.status, reply.body.name], [409, 'conflict_error']);
  assert.equal((await t.stored(draft.id)).issue.status, 'draft');
});
