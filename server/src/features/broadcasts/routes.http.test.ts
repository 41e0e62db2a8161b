import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp, DRAFT, inSeconds } from './test-kit.ts';

// No worker runs: what was accepted stays in the queue, to be looked at.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

const countAll = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from broadcasts where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  return rows[0]?.n ?? 0;
};

test('200 on another audience: the log has it before and after, of many contacts the first 20 and their number', async () => {
  const people = await t.contacts(25, 'logged');
  const list = await t.list(people.slice(0, 1));
  const { body: made } = await t.call('POST', '', { body: { ...DRAFT, audience: { list_ids: [list] } } });
  const change = { audience: { contact_ids: people }, html: '<p>New</p>' };
  const { body } = await t.call('PATCH', `/${made.id}`, { body: change });
  const nobody = { list_ids: [], segment_id: null, newsletter_id: null, exclude_list_ids: [] };
  assert.deepEqual(body.audit_log[1].details, {
    fields: ['audience', 'html'],
    changes: {
      audience: {
        before: { ...nobody, list_ids: [list], contact_ids: [] },
        after: { ...nobody, contact_ids: people.slice(0, 20), contacts: 25 },
      },
    },
  });
});

test('201 with a draft, which is read, listed and found by both paths', async () => {
  const [contact = ''] = await t.contacts(1, 'drafted');
  const body = {
    ...DRAFT,
    reply_to: 'desk@acme.test',
    variables: { discount: 20 },
    audience: { contact_ids: [contact, contact] },
    tags: [{ name: 'campaign', value: 'sale' }],
    track_opens: true,
  };
  const { status, body: made } = await t.call('POST', '', { body });
  assert.equal(status, 201);
  assert.equal(made.status, 'draft');
  assert.equal(made.from, DRAFT.from);
  assert.deepEqual(made.reply_to, ['desk@acme.test']);
  const nobody = { list_ids: [], segment_id: null, newsletter_id: null, exclude_list_ids: [] };
  assert.deepEqual(made.audience, { ...nobody, contact_ids: [contact] });
  assert.deepEqual([made.track_opens, made.track_clicks, made.total_recipients], [true, null, null]);
  assert.equal(made.stats.total, 0);
  assert.deepEqual(
    made.audit_log.map(({ action }: Body) => action),
    ['created'],
  );
  const read = await t.app.request({ url: `/v1/broadcasts/${made.id}` });
  assert.deepEqual(read.body, made);
  const listed = await t.call('GET', '?search=sale&status=draft');
  const [first] = listed.body.data;
  assert.deepEqual([first.id, first.html, first.audit_log], [made.id, undefined, undefined]);
});

test('201 with a name alone, or a subject alone; 400 with neither, and nothing is stored', async () => {
  assert.equal((await t.call('POST', '', { body: { name: 'Only a name' } })).status, 201);
  const { body } = await t.call('POST', '', { body: { subject: 'Only a subject' } });
  assert.equal(body.name, 'Only a subject');
  const before = await countAll();
  const refused = await t.call('POST', '', { body: { html: '<p>Hi</p>' } });
  assert.deepEqual([refused.status, refused.body.param], [400, 'name']);
  assert.equal(await countAll(), before);
});

test('400 and 422 name the field, and nothing is stored', async () => {
  const before = await countAll();
  const rows: [object, number, string][] = [
    [{ from: 'no address' }, 400, 'from'],
    [{ reply_to: ['ok@acme.test', 'nonsense'] }, 400, 'reply_to[1]'],
    [{ subject: 'two\nlines' }, 400, 'subject'],
    [{ html: '{{ broken' }, 422, 'html'],
    [{ html_body: '<p>Hi</p>' }, 400, 'html_body'],
    [{ audience: { everybody: true } }, 400, 'audience'],
    [{ audience: { newsletter_id: newId() } }, 422, 'audience.newsletter_id'],
    [{ audience: { segment_id: newId() } }, 422, 'audience.segment_id'],
    [{ audience: { list_ids: ['x'] } }, 400, 'audience.list_ids[0]'],
    [{ audience: { list_ids: [newId()] } }, 422, 'audience.list_ids'],
    [{ audience: { exclude_list_ids: [newId()] } }, 422, 'audience.exclude_list_ids'],
    [{ audience: { contact_ids: [newId()] } }, 422, 'audience.contact_ids'],
    [{ template_id: newId() }, 422, 'template_id'],
    [{ timezone: 'Mars/Base' }, 400, 'timezone'],
    [{ scheduled_for: 'tomorrow' }, 400, 'scheduled_for'],
    [{ scheduled_for: '2020-01-01T00:00:00Z' }, 422, 'scheduled_for'],
  ];
  for (const [given, status, param] of rows) {
    const reply = await t.call('POST', '', { body: { ...DRAFT, ...given } });
    assert.deepEqual([reply.status, reply.body.param], [status, param], reply.text);
  }
  assert.equal(await countAll(), before);
});

test('200 with the fields that are given changed, 409 for an old ETag, and the log names what changed', async () => {
  const made = await t.draft();
  const etag = String((await t.call('GET', `/${made.id}`)).headers['etag']);
  const changed = await t.call('PATCH', `/${made.id}`, {
    body: { subject: 'New', from: null },
    headers: { 'if-match': etag },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual([changed.body.subject, changed.body.from, changed.body.html], ['New', null, DRAFT.html]);
  const { details } = changed.body.audit_log[1];
  assert.deepEqual(details.changes.from, { before: DRAFT.from, after: null });
  const stale = await t.call('PATCH', `/${made.id}`, { body: { subject: 'Newer' }, headers: { 'if-match': etag } });
  assert.equal(stale.status, 409);
  assert.equal((await t.read(made.id)).subject, 'New');
  assert.equal((await t.call('PATCH', `/${made.id}`, { body: { subject: 'New' } })).body.audit_log.length, 2);
});

test('201 with a copy that has no schedule and no past; 200 when it is deleted, 404 afterwards', async () => {
  const made = await t.draft({ scheduled_for: inSeconds(3_600), timezone: 'Europe/Berlin', variables: { a: 1 } });
  assert.equal(made.status, 'draft');
  const copy = await t.call('POST', `/${made.id}/duplicate`);
  assert.equal(copy.status, 201);
  assert.deepEqual([copy.body.scheduled_for, copy.body.timezone, copy.body.variables], [null, null, { a: 1 }]);
  assert.deepEqual(copy.body.audit_log[0].details, { duplicate_of: made.id });
  assert.deepEqual((await t.call('DELETE', `/${made.id}`)).body, { success: true, id: made.id });
  assert.equal((await t.call('GET', `/${made.id}`)).status, 404);
  assert.equal((await t.call('GET', `/${newId()}`)).status, 404);
});

test('pages of a list go on behind a cursor', async () => {
  const made = [await t.draft({ name: 'Paged' }), await t.draft({ name: 'Paged' }), await t.draft({ name: 'Paged' })];
  const first = await t.call('GET', '?search=paged&limit=2');
  assert.equal(first.body.total, 3);
  const rest = await t.call('GET', `?search=paged&limit=2&cursor=${first.body.next_cursor}`);
  const ids = [...first.body.data, ...rest.body.data].map(({ id }: Body) => id);
  assert.deepEqual(ids, made.map(({ id }) => id).reverse());
});

test('200 with the message of a contact, escaped, or of somebody made up; the links leave nobody', async () => {
  const [contact = ''] = await t.contacts(1, 'shown');
  await sql`update contacts set first_name = '<Ada>' where workspace_id = ${t.app.workspaceId} and id = ${contact}`.execute(
    t.app.db,
  );
  const made = await t.draft({
    html: '<p>{{ first_name }} {{ contact.properties.plan }} {{ properties.plan }} {{ discount }}</p><a href="{{ unsubscribe_url }}">out</a>',
    variables: { discount: 20, first_name: 'shared' },
  });
  const { status, body } = await t.call('GET', `/${made.id}/preview?contact_id=${contact}`);
  assert.equal(status, 200);
  assert.equal(body.subject, 'Hi <Ada>');
  assert.match(body.html, /<p>&lt;Ada&gt; pro pro 20<\/p>/);
  assert.match(body.html, /You receive this email from Acme\./);
  assert.ok(body.html.includes('https://app.example.com/api/c/unsubscribe?token=preview'));
  const madeUp = await t.call('GET', `/${made.id}/preview`);
  assert.equal(madeUp.body.subject, 'Hi Ada');
  const ofNobody = await t.call('GET', `/${made.id}/preview?contact_id=${newId()}`);
  assert.equal(ofNobody.status, 404, ofNobody.text);
  assert.equal((await t.call('GET', `/${(await t.draft({ html: null })).id}/preview`)).body.param, 'html');
});

test('a template gives its texts with its layout, its fallbacks stand behind the contact, and its variables are asked for', async () => {
  const template = async (body: object): Promise<string> => {
    const made = await t.app.request({ url: '/v1/templates', body });
    assert.equal(made.status, 201, made.text);
    return (made.body as Body).id;
  };
  await template({ name: 'Frame', alias: 'frame', html: '<div class="frame">{{ content }}</div>' });
  const id = await template({
    name: 'Offer',
    subject: 'Offer for {{ first_name }}',
    html: '<p>{{ first_name }}: {{ code }}</p>',
    layout: 'frame',
    variables: [{ key: 'first_name', type: 'string', fallback: 'friend' }],
  });
  const lacking = await t.draft({ subject: null, html: null, template_id: id });
  const refused = await t.call('GET', `/${lacking.id}/preview`);
  assert.deepEqual([refused.status, refused.body.param], [422, 'variables.code']);
  const made = await t.draft({ subject: null, html: null, template_id: id, variables: { code: 'X1' } });
  const [named = '', nameless = ''] = await t.contacts(2, 'templated');
  await sql`update contacts set first_name = null where workspace_id = ${t.app.workspaceId} and id = ${nameless}`.execute(
    t.app.db,
  );
  const ofNamed = (await t.call('GET', `/${made.id}/preview?contact_id=${named}`)).body;
  const ofNameless = (await t.call('GET', `/${made.id}/preview?contact_id=${nameless}`)).body;
  assert.deepEqual([ofNamed.subject, ofNameless.subject], ['Offer for R0', 'Offer for friend']);
  assert.match(ofNameless.html, /<div class="frame"><p>friend: X1<\/p><\/div>/);
});

test('200 with a test mail that is counted nowhere; 422 for an unverified sender, and nothing is sent', async () => {
  const made = await t.draft();
  const sent = await t.call('POST', `/${made.id}/send-test`, { body: { to: 'me@example.com' } });
  assert.equal(sent.status, 200, sent.text);
  assert.equal((await t.read(made.id)).stats.total, 0);
  const other = await t.draft({ from: 'hello@elsewhere.example' });
  const refused = await t.call('POST', `/${other.id}/send-test`, { body: { to: 'me@example.com' } });
  assert.deepEqual([refused.status, refused.body.param], [422, 'from']);
  assert.deepEqual(await t.stored(made.id), { sends: 0, emails: 0, events: [] });
});

test('200 with the counts of an audience: each contact once, who left, who is suppressed, and not who is excluded', async () => {
  const ids = await t.contacts(10, 'counted');
  const [unsubscribed = '', left = '', , , suppressed = '', excluded = ''] = ids;
  const list = await t.list(ids.slice(0, 8));
  const out = await t.list([excluded]);
  const { db, workspaceId } = t.app;
  await sql`update contacts set unsubscribed_at = now() where workspace_id = ${workspaceId} and id = ${unsubscribed}`.execute(
    db,
  );
  await sql`update contact_list_members set unsubscribed_at = now()
    where workspace_id = ${workspaceId} and list_id = ${list} and contact_id = ${left}`.execute(db);
  const { email } = (await t.app.request({ url: `/v1/contacts/${suppressed}` })).body as Body;
  await t.app.request({ url: '/v1/suppressions', body: { email } });
  const audience = { list_ids: [list], contact_ids: ids.slice(6, 9), exclude_list_ids: [out] };
  const made = await t.draft({ audience });
  const { body } = await t.call('GET', `/${made.id}/audience-count`);
  const counts = { total: 8, suppressed: 1, unsubscribed: 2, will_send: 5, is_estimate: false };
  assert.deepEqual(body, { ...counts, starts: null, without_timezone: null });
});
