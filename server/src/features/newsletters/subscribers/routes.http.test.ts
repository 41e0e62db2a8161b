import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppression } from '#features/suppressions';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/harness/app.ts';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';

let api: TestApp;
let list: string;
let readOnly: string;
before(async () => {
  api = await createTestApp();
  list = `/v1/newsletters/${(await aNewsletter(api.db, api.workspaceId)).id}/subscribers`;
  const key = await api.request({ url: '/v1/api-keys', body: { name: 'reads', scopes: ['subscribers:read'] } });
  readOnly = (key.body as { key: string }).key;
});
after(() => api.close());

interface Record {
  id: string;
  email: string;
  status: string;
  metadata: { [key: string]: unknown };
  [key: string]: unknown;
}
const anAddress = (): string => `${newId()}@example.com`;
const recordOf = (answer: TestAnswer): Record => answer.body as Record;
const paramOf = (answer: TestAnswer): unknown => recordOf(answer)['param'];
// The harness holds every body against the OpenAPI document.
const add = (body: object, headers = {}) => api.request({ url: list, body, headers });
const added = async (body: object = {}): Promise<Record> => {
  const answer = await add({ email: anAddress(), ...body });
  assert.equal(answer.status, 201, answer.text);
  return recordOf(answer);
};
const at = (id: string, rest = ''): string => `${list}/${id}${rest}`;
const post = (url: string, body: object = {}) => api.request({ url, body });
const patch = (id: string, body: object) => api.request({ method: 'PATCH', url: at(id), body });
const rowsIn = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from subscribers where workspace_id = ${api.workspaceId})
         + (select count(*) from emails where workspace_id = ${api.workspaceId})
         + (select count(*) from consents where workspace_id = ${api.workspaceId}) as n`.execute(api.db);
  return rows[0]?.n ?? -1;
};

test('201 with the whole record: pending, asked to confirm', async () => {
  const email = anAddress();
  const made = await added({ email: email.toUpperCase(), name: ' Ada ', source: 'footer', metadata: { plan: 'pro' } });
  const { id, created_at, updated_at, confirmation_sent_at, consent, newsletter_id, ...rest } = made;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(list, `/v1/newsletters/${newsletter_id}/subscribers`);
  assert.deepEqual([updated_at, confirmation_sent_at], [created_at, created_at]);
  assert.deepEqual(consent, {
    method: 'double_opt_in',
    signup_at: created_at,
    signup_ip: null,
    signup_user_agent: null,
    signup_url: null,
    signup_via: 'api',
    confirmed_at: null,
    confirmed_ip: null,
    confirmed_user_agent: null,
  });
  assert.deepEqual(rest, {
    email,
    name: 'Ada',
    source: 'footer',
    metadata: { plan: 'pro' },
    status: 'pending',
    confirmed_at: null,
    unsubscribed_at: null,
    confirmation_count: 1,
    last_opened_at: null,
    last_clicked_at: null,
  });
  assert.deepEqual(recordOf(await api.request({ url: at(id) })), made);
});

test('200 and X-Existing-Resource for an address that is there, with the record unchanged', async () => {
  const made = await added({ name: 'Ada' });
  const again = await add({
    email: made.email.toUpperCase(),
    name: 'Eve',
    metadata: { a: 1 },
    skip_confirmation: false,
  });
  assert.deepEqual([again.status, again.headers['x-existing-resource']], [200, 'true']);
  assert.deepEqual(recordOf(again), made);
});

test('the answer to an Idempotency-Key is replayed, and nobody is mailed twice', async () => {
  const body = { email: anAddress() };
  const first = await add(body, { 'idempotency-key': 'one' });
  const before = await rowsIn();
  const again = await add(body, { 'idempotency-key': 'one' });
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true']);
  assert.equal(again.text, first.text);
  assert.equal(await rowsIn(), before);
});

test('400 names the field that cannot be read, and nothing is stored', async () => {
  const before = await rowsIn();
  const email = anAddress();
  for (const [body, param] of [
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: ['a@b.example'] }, 'email'],
    [{ email: `Ada <${email}>` }, 'email'],
    [{ email: 'a@b.example, c@d.example' }, 'email'],
    [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email'],
    [{ email, name: 7 }, 'name'],
    [{ email, name: 'x'.repeat(201) }, 'name'],
    [{ email, name: 'a\nb' }, 'name'],
    [{ email, source: 'x'.repeat(201) }, 'source'],
    [{ email, metadata: [] }, 'metadata'],
    [{ email, metadata: 'x' }, 'metadata'],
    [{ email, metadata: { text: 'x'.repeat(16_384) } }, 'metadata'],
    [{ email, resubscribe: 'yes' }, 'resubscribe'],
  ] as const) {
    const answer = await add(body);
    assert.deepEqual(
      [answer.status, paramOf(answer)],
      [400, param],
      `${JSON.stringify(body).slice(0, 80)} ${answer.text}`,
    );
  }
  assert.equal(await rowsIn(), before);
});

test('422 for the reserved key, a confirmation skipped unproven and a suppressed address, and nothing is stored', async () => {
  const email = anAddress();
  await addSuppression({ db: api.db, workspaceId: api.workspaceId }, { identity: email, reason: 'complaint' });
  const before = await rowsIn();
  for (const [body, param] of [
    [{ email: anAddress(), metadata: { unsubscribe_reason: 'user' } }, 'metadata.unsubscribe_reason'],
    [{ email: anAddress(), skip_confirmation: true }, 'consent'],
    [{ email: anAddress(), skip_confirmation: true, consent: {} }, 'consent'],
    [{ email }, 'email'],
    [{ email, resubscribe: true }, 'email'],
  ] as const) {
    const answer = await add(body);
    assert.deepEqual([answer.status, paramOf(answer)], [422, param], answer.text);
  }
  assert.equal(await rowsIn(), before);
});

test('422 from_email when nobody can ask for the confirmation, and nothing is stored', async () => {
  const { id } = await aNewsletter(api.db, api.workspaceId, { fromEmail: 'news@not-verified.example' });
  const before = await rowsIn();
  const answer = await post(`/v1/newsletters/${id}/subscribers`, { email: anAddress() });
  assert.deepEqual([answer.status, paramOf(answer)], [422, 'from_email']);
  assert.equal(await rowsIn(), before);
});

test('metadata is data, whatever it says', async () => {
  const metadata = {
    constructor: { prototype: 1 },
    $where: '1',
    '': 0,
    'a.b': [[1]],
    text: "'; drop table emails; --",
  };
  const made = await added({ metadata });
  assert.deepEqual(made.metadata, metadata);
  assert.deepEqual(recordOf(await api.request({ url: at(made.id) })).metadata, metadata);
  const refused = await add(JSON.parse(`{"email":"${anAddress()}","metadata":{"text":"\\u0000"}}`));
  assert.equal(refused.status, 400);
});

test('201 for a consent that says when and where it was given; 422 in the future, 400 for no address of a network', async () => {
  const given = { at: '2026-01-02T03:04:05+01:00', ip: '2001:db8::7', text: 'Signed at the fair.' };
  for (const skips of [true, false]) {
    const { consent } = await added({ skip_confirmation: skips, consent: given });
    const { signup_at, signup_ip } = consent as Record;
    assert.deepEqual([signup_at, signup_ip], ['2026-01-02T02:04:05.000Z', '2001:db8::7']);
  }
  const before = await rowsIn();
  for (const [status, field, value] of [
    [422, 'at', new Date(Date.now() + 3_600_000).toISOString()],
    [400, 'at', 'yesterday'],
    [400, 'ip', 'the office'],
    [400, 'ip', '203.0.113.7, 10.0.0.1'],
  ] as const) {
    const consent = { ...given, [field]: value };
    const answer = await add({ email: anAddress(), skip_confirmation: true, consent });
    assert.deepEqual([answer.status, paramOf(answer)], [status, `consent.${field}`], answer.text);
  }
  assert.equal(await rowsIn(), before);
});

test('skip_confirmation makes active at once, keeps the described consent, and sends nothing', async () => {
  const consent = { ip: '198.51.100.7', url: 'https://acme.example/shop', text: 'Ticked the box.' };
  const made = await added({ skip_confirmation: true, consent });
  assert.deepEqual([made.status, made['confirmation_count']], ['active', 0]);
  const { body } = await api.request({ url: at(made.id, '/consents') });
  const [entry] = (body as { data: Record[] }).data;
  assert.deepEqual(
    [entry?.['action'], entry?.['ip'], entry?.['url']],
    ['added', '198.51.100.7', 'https://acme.example/shop'],
  );
  const { via, consent: kept } = (entry?.['details'] ?? {}) as { via: string; consent: unknown }; // an object by the schema
  assert.deepEqual([via, kept], ['api', consent]);
});

test('the consent of a record is taken as it was read: under its own names nothing of the proof is lost', async () => {
  const consent = {
    signup_at: '2026-01-04T10:00:00.000Z',
    signup_ip: '198.51.100.7',
    signup_user_agent: 'Mozilla/5.0',
    signup_url: 'https://acme.example/shop',
  };
  const answer = await add({ email: anAddress(), skip_confirmation: true, consent });
  assert.deepEqual([answer.status, answer.headers['x-unknown-fields']], [201, undefined], answer.text);
  assert.partialDeepStrictEqual(recordOf(answer)['consent'], consent);
  const twice = { ...consent, ip: '198.51.100.8' };
  const refused = await add({ email: anAddress(), skip_confirmation: true, consent: twice });
  assert.deepEqual([refused.status, paramOf(refused)], [400, 'consent.ip']);
});

test('200 for an unsubscribe, with reason and time; repeated it is the same record', async () => {
  const made = await added({ metadata: { plan: 'pro' } });
  const left = await post(at(made.id, '/unsubscribe'));
  assert.equal(left.status, 200);
  assert.deepEqual(
    [recordOf(left).status, recordOf(left).metadata],
    ['unsubscribed', { plan: 'pro', unsubscribe_reason: 'api' }],
  );
  assert.ok(recordOf(left)['unsubscribed_at']);
  assert.deepEqual(recordOf(await post(at(made.id, '/unsubscribe'))), recordOf(left));
  const back = await add({ email: made.email, resubscribe: true });
  assert.deepEqual([back.status, recordOf(back).status, recordOf(back).metadata], [200, 'pending', { plan: 'pro' }]);
});

test('200 for one who starts again with what is said of them now; who is on the list keeps what was said', async () => {
  const made = await added({ name: 'Ada', source: 'footer', metadata: { plan: 'pro', since: 1 } });
  const now = { email: made.email, resubscribe: true, name: 'Ada L.', metadata: { plan: 'free' } };
  const kept = recordOf(await add(now));
  assert.deepEqual([kept['name'], kept.metadata], ['Ada', { plan: 'pro', since: 1 }]);
  await post(at(made.id, '/unsubscribe'));
  const back = recordOf(await add(now));
  assert.deepEqual(
    [back.status, back['name'], back['source'], back.metadata],
    ['pending', 'Ada L.', 'footer', { plan: 'free', since: 1 }],
  );
});

test('200 for a resend right after the sign-up, three in an hour; then 429 with the time; 409 for who is not pending', async () => {
  const made = await added();
  for (let index = 0; index < 3; index += 1) {
    const again = await post(at(made.id, '/resend-confirmation'));
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(
      [recordOf(again)['success'], recordOf(again).id, recordOf(again).status],
      [true, made.id, 'pending'],
    );
  }
  const refused = await post(at(made.id, '/resend-confirmation'));
  assert.deepEqual([refused.status, recordOf(refused)['name']], [429, 'rate_limit_error']);
  assert.ok(Number(recordOf(refused)['retryAfter']) > 3_500, refused.text);
  assert.ok(refused.headers['retry-after']);
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from emails where workspace_id = ${api.workspaceId} and recipient = ${made.email}`.execute(
    api.db,
  );
  assert.equal(rows[0]?.n, 4);
  await post(at(made.id, '/unsubscribe'));
  assert.equal((await post(at(made.id, '/resend-confirmation'))).status, 409);
});

test('200 for a change: what is given, merged, null clears; empty changes nothing', async () => {
  const made = await added({ name: 'Ada', source: 'x', metadata: { a: 1, b: { c: 2 }, d: 3 } });
  const changed = recordOf(await patch(made.id, { name: 'Ada L.', metadata: { b: null, d: [4], e: 5 } }));
  assert.deepEqual([changed['name'], changed['source'], changed.metadata], ['Ada L.', 'x', { a: 1, d: [4], e: 5 }]);
  assert.deepEqual(recordOf(await patch(made.id, {})), changed);
  assert.deepEqual(recordOf(await api.request({ method: 'PATCH', url: at(made.id) })), changed);
  await post(at(made.id, '/unsubscribe'));
  const cleared = recordOf(await patch(made.id, { name: null, source: null, metadata: null }));
  assert.deepEqual([cleared['name'], cleared['source'], cleared.metadata], [null, null, { unsubscribe_reason: 'api' }]);
  const reserved = await patch(made.id, { metadata: { unsubscribe_reason: null } });
  assert.deepEqual([reserved.status, paramOf(reserved)], [422, 'metadata.unsubscribe_reason']);
  const large = await patch(made.id, { metadata: { text: 'x'.repeat(16_384) } });
  assert.deepEqual([large.status, paramOf(large)], [400, 'metadata']);
});

test('changes that come at once all count', async () => {
  const made = await added();
  const keys = Array.from({ length: 32 }, (_, index) => `k${index}`);
  await Promise.all(keys.map((key) => patch(made.id, { metadata: { [key]: true } })));
  const { metadata } = recordOf(await api.request({ url: at(made.id) }));
  assert.deepEqual(Object.keys(metadata).toSorted(), keys.toSorted());
});

test('200 for a deletion: the person is gone from the list and the record of consents, which keeps a hash', async () => {
  const made = await added({ name: 'Ada', consent: { ip: '198.51.100.7' } });
  const gone = await api.request({ method: 'DELETE', url: at(made.id) });
  assert.deepEqual([gone.status, gone.body], [200, { success: true, id: made.id }]);
  assert.equal((await api.request({ url: at(made.id) })).status, 404);
  assert.equal((await api.request({ method: 'DELETE', url: at(made.id) })).status, 404);
  const { rows } = await sql<{ text: string; action: string; hash: Buffer }>`
    select consents::text as text, action, email_hash as hash from consents
     where workspace_id = ${api.workspaceId} and newsletter_id = ${made['newsletter_id']}
       and (consents::text like ${`%${made.email}%`} or subscriber_id = ${made.id} or action = 'erased')`.execute(
    api.db,
  );
  assert.deepEqual(
    rows.map(({ action, hash }) => [action, hash.length]),
    [['erased', 32]],
  );
  const again = await added({ email: made.email });
  assert.notEqual(again.id, made.id);
  const { body } = await api.request({ url: at(again.id, '/consents') });
  assert.deepEqual(
    (body as { data: Record[] }).data.map((entry) => [entry['action'], entry['email']]),
    [
      ['signed_up', made.email],
      ['erased', null],
      ['signed_up', null],
    ],
  );
});

test('200 for a reminder says how many it is for; 409 while confirmations rest', async () => {
  const { id } = await aNewsletter(api.db, api.workspaceId);
  const url = `/v1/newsletters/${id}/subscribers`;
  const [old, young, thirdTime] = [anAddress(), anAddress(), anAddress()];
  for (const email of [old, young, thirdTime]) assert.equal((await post(url, { email })).status, 201);
  await sql`update subscribers set created_at = created_at - interval '4 days',
      confirmation_sent_at = confirmation_sent_at - interval '4 days',
      confirmation_count = case when email = ${thirdTime} then 2 else 1 end
    where workspace_id = ${api.workspaceId} and newsletter_id = ${id} and email <> ${young}`.execute(api.db);
  const reminders = async () =>
    (
      await sql`select 1 from newsletter_reminders where workspace_id = ${api.workspaceId} and newsletter_id = ${id}`.execute(
        api.db,
      )
    ).rows.length;
  const none = await post(`${url}/remind`, { older_than_days: 5 });
  assert.deepEqual([none.status, none.body, await reminders()], [200, { success: true, queued: 0 }, 0]);
  await sql`update newsletters set confirmations_paused_at = now()
    where workspace_id = ${api.workspaceId} and id = ${id}`.execute(api.db);
  assert.deepEqual([(await post(`${url}/remind`, {})).status, await reminders()], [409, 0]);
  await sql`update newsletters set confirmations_paused_at = null
    where workspace_id = ${api.workspaceId} and id = ${id}`.execute(api.db);
  const first = await api.request({ method: 'POST', url: `${url}/remind` });
  assert.deepEqual([first.status, first.body, await reminders()], [200, { success: true, queued: 1 }, 1]);
});

test('the issues of a subscriber are listed with what became of each', async () => {
  const made = await added();
  const [issueId, sendId, emailId] = [newId(), newId(), newId()];
  const workspaceId = api.workspaceId;
  await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body, status, sent_at, send_id)
    values (${workspaceId}, ${issueId}, ${made['newsletter_id']}, ${issueId}, 'News of October', '<p>', 'sent', now(), ${sendId})`.execute(
    api.db,
  );
  await sql`insert into send_requests (workspace_id, id, content_id, source, total, issue_id)
    values (${workspaceId}, ${sendId}, ${sendId}, 'issue', 1, ${issueId})`.execute(api.db);
  await sql`insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, subscriber_id, open_count)
    values (${workspaceId}, ${emailId}, ${sendId}, ${sendId}, ${made.email}, 2, 0, 'delivered', ${made.id}, 2)`.execute(
    api.db,
  );
  const { status, body } = await api.request({ url: at(made.id, '/issues') });
  assert.equal(status, 200);
  const { data, total } = body as { data: Record[]; total: number };
  assert.equal(total, 1);
  assert.deepEqual(
    [data[0]?.['issue_id'], data[0]?.['email_id'], data[0]?.['subject'], data[0]?.status, data[0]?.['open_count']],
    [issueId, emailId, 'News of October', 'delivered', 2],
  );
});

test('404 for what is of another newsletter or workspace, or no id at all; 403 without the scope', async () => {
  const made = await added();
  const other = (await aNewsletter(api.db, api.workspaceId)).id;
  const theirs = (await aNewsletter(api.db, await aWorkspace(api.db))).id;
  const urls: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'Eve' }],
    ['DELETE', ''],
    ['POST', '/unsubscribe', {}],
    ['POST', '/resend-confirmation', {}],
    ['GET', '/consents'],
    ['GET', '/issues'],
  ];
  for (const [method, rest, body] of urls) {
    for (const base of [
      `/v1/newsletters/${other}/subscribers/${made.id}`,
      `/v1/newsletters/${theirs}/subscribers/${made.id}`,
      `${list}/${newId()}`,
      `${list}/1%20OR%201=1`,
    ]) {
      const answer = await api.request({ method, url: `${base}${rest}`, ...(body === undefined ? {} : { body }) });
      assert.equal(answer.status, 404, `${method} ${base}${rest}`);
    }
    if (method !== 'GET') {
      const url = `${at(made.id)}${rest}`;
      const answer = await api.request({ method, url, key: readOnly, ...(body === undefined ? {} : { body }) });
      assert.equal(answer.status, 403, url);
    }
  }
  assert.equal((await api.request({ url: list, body: { email: anAddress() }, key: readOnly })).status, 403);
  assert.deepEqual(recordOf(await api.request({ url: at(made.id) })), made);
});

/** On the list, confirmed, with a link to confirm from before. */
async function aConfirmed(email = anAddress()): Promise<Record> {
  return added({ email, skip_confirmation: true, consent: { text: 'at the till' } });
}
async function eventsOf(id: string): Promise<{ type: string; payload: { [key: string]: unknown } }[]> {
  const { rows } = await sql<{ type: string; payload: { [key: string]: unknown } }>`
    select type, payload from workspace_events where workspace_id = ${api.workspaceId}
       and payload #>> '{subscriber,id}' = ${id} and type = 'newsletter.subscriber.updated' order by id`.execute(
    api.db,
  );
  return rows;
}
async function mailsTo(email: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from emails where workspace_id = ${api.workspaceId} and recipient = ${email}`.execute(api.db);
  return rows[0]?.n ?? -1;
}
async function consentsOf(id: string): Promise<{ action: string; email: string | null }[]> {
  const { body } = await api.request({ url: at(id, '/consents') });
  return (body as { data: { action: string; email: string | null }[] }).data;
}

test('200 for another address: it must be confirmed, and both addresses are on record', async () => {
  const [old, fresh] = [anAddress(), anAddress()];
  const { id } = await aConfirmed(old);
  const changed = recordOf(await patch(id, { email: fresh.toUpperCase() }));
  assert.deepEqual([changed.email, changed.status, changed['confirmed_at']], [fresh, 'pending', null]);
  assert.equal(changed['confirmation_count'], 1);
  assert.deepEqual([await mailsTo(fresh), await mailsTo(old)], [1, 0]);
  const consents = (await consentsOf(id)).map(({ action, email }) => [action, email?.toLowerCase()]);
  assert.deepEqual(consents, [
    ['address_changed', fresh],
    ['address_changed', old],
    ['added', old],
  ]);
  const [event, ...others] = await eventsOf(id);
  assert.deepEqual(others, []);
  assert.partialDeepStrictEqual(event?.payload, { changed: ['email', 'status'], previous_email: old });
  const again = recordOf(await patch(id, { email: fresh }));
  assert.deepEqual(
    [again, await mailsTo(fresh), (await eventsOf(id)).length],
    [changed, 1, 1],
    'the same changes nothing',
  );
  assert.equal((await add({ email: old })).status, 201, 'the old address is free');
});

test('200 for another address with a consent: active without an email', async () => {
  const { id } = await aConfirmed();
  const fresh = anAddress();
  const changed = recordOf(await patch(id, { email: fresh, consent: { text: 'by telephone', ip: '203.0.113.7' } }));
  assert.deepEqual([changed.email, changed.status, await mailsTo(fresh)], [fresh, 'active', 0]);
  assert.partialDeepStrictEqual(changed['consent'], { method: 'attested', signup_ip: '203.0.113.7' });
  for (const body of [{ email: anAddress(), consent: {} }, { consent: { text: 'x' } }]) {
    const refused = await patch(id, body);
    assert.deepEqual([refused.status, paramOf(refused)], [422, 'consent']);
  }
  assert.equal(recordOf(await api.request({ url: at(id) })).email, fresh);
});

test('a subscriber who has left or waits stays so at another address, and no link to the old one confirms the new', async () => {
  const left = await aConfirmed();
  await post(at(left.id, '/unsubscribe'));
  const fresh = anAddress();
  const moved = recordOf(await patch(left.id, { email: fresh, consent: { text: 'x' } }));
  assert.deepEqual([moved.status, await mailsTo(fresh)], ['unsubscribed', 0]);
  const waits = await added();
  const linkOf = async (): Promise<string> => {
    const { rows } = await sql<{ text: string }>`
      select c.text from emails e join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
       where e.workspace_id = ${api.workspaceId} and e.subscriber_id = ${waits.id} order by e.id desc`.execute(api.db);
    return /\/api\/n\/confirm\?token=[\w.-]+/.exec(rows[0]?.text ?? '')?.[0] ?? assert.fail('no link');
  };
  const before = await linkOf();
  assert.equal(recordOf(await patch(waits.id, { email: anAddress(), consent: { text: 'x' } })).status, 'pending');
  const follow = async (link: string): Promise<number> =>
    (await api.app.inject({ url: link, headers: { 'user-agent': 'Mozilla/5.0' } })).statusCode;
  assert.equal(await follow(before), 400);
  const status = async () => recordOf(await api.request({ url: at(waits.id) })).status;
  assert.equal(await status(), 'pending');
  assert.equal(await follow(await linkOf()), 200);
  assert.equal(await status(), 'active');
});

test('200 for another address of one who waits is asked there, also where nobody new has to confirm', async () => {
  const waits = await added();
  const doubleOptIn = async (on: boolean): Promise<void> => {
    await sql`update newsletters set double_opt_in = ${on} where workspace_id = ${api.workspaceId}
                 and id = ${waits['newsletter_id']}`.execute(api.db);
  };
  const fresh = anAddress();
  await doubleOptIn(false);
  const moved = recordOf(await patch(waits.id, { email: fresh }));
  await doubleOptIn(true);
  assert.deepEqual([moved.status, await mailsTo(fresh)], ['pending', 1]);
});

test('409 for the address of another subscriber, 422 for a suppressed one: nothing is changed or sent', async () => {
  const [one, other, suppressed] = [await aConfirmed(), await aConfirmed(), anAddress()];
  await addSuppression({ db: api.db, workspaceId: api.workspaceId }, { identity: suppressed, reason: 'manual' });
  const rows = await rowsIn();
  const cases: [object, number, string][] = [
    [{ email: other.email.toUpperCase(), name: 'New' }, 409, 'email'],
    [{ email: suppressed, consent: { text: 'x' } }, 422, 'email'],
    [{ email: 'Ada <ada@example.com>' }, 400, 'email'],
  ];
  for (const [body, status, param] of cases) {
    const refused = await patch(one.id, body);
    assert.deepEqual([refused.status, paramOf(refused)], [status, param], refused.text);
  }
  const stale = await api.request({
    method: 'PATCH',
    url: at(one.id),
    body: { email: anAddress() },
    headers: { 'if-match': '"old.tag"' },
  });
  assert.equal(stale.status, 409);
  assert.deepEqual(recordOf(await api.request({ url: at(one.id) })), one);
  assert.deepEqual([await rowsIn(), (await eventsOf(one.id)).length], [rows, 0]);
});

test('of two that take one address at the same time, one gets it and the other 409', async () => {
  const [one, other, email] = [await aConfirmed(), await aConfirmed(), anAddress()];
  const answers = await Promise.all([one, other].map(({ id }) => patch(id, { email, consent: { text: 'x' } })));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
});
