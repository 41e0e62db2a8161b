import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { newId } from '#platform/ids.ts';
import { findBroadcast } from '../queries.ts';
import { subscriberAudience } from '../recipients/subscriber-audience.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';
import { publishFailed, publishSent } from './broadcast-events.ts';

// No worker runs: each step of it is taken here.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

async function request(method: string, url: string, body?: unknown, key?: string): Promise<Body> {
  const given = { ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) };
  return t.app.request({ method, url, ...given });
}

/** A newsletter, with its subscribers by name: all active. */
async function aNewsletter(names: readonly string[]) {
  const slug = `n-${newId()}`;
  const made = await request('POST', '/v1/newsletters', {
    name: 'Acme Weekly',
    slug,
    double_opt_in: false,
    postal_address: '1 Main Street, Springfield',
  });
  assert.equal(made.status, 201, made.text);
  const id: string = made.body.id;
  const path = `/v1/newsletters/${id}/subscribers`;
  const join = async (name: string): Promise<string> => {
    const { body, status, text } = await request('POST', path, {
      email: `${name}@${slug}.example`,
      name,
      metadata: { plan: 'pro' },
    });
    assert.equal(status, 201, text);
    return body.id;
  };
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = await join(name);
  return { id, path, slug, ids, join, emailOf: (name: string) => `${name}@${slug}.example` };
}

const send = (id: string, key?: string) => t.call('POST', `/${id}/send`, key === undefined ? {} : { key });
const freeze = () => bulkSends.freeze(t.app.db, [subscriberAudience(t.app)]);

type Email = Parameters<ReturnType<typeof subscriberAudience>['loadRecipients']>[0][number] & { status: string };

async function emailsOf(id: string): Promise<Email[]> {
  const { rows } = await sql<Email>`
    select e.workspace_id as "workspaceId", e.id as "emailId", e.send_id as "sendId", e.content_id as "contentId",
           e.subscriber_id as "subscriberId", e.recipient, e.status
      from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.broadcast_id = ${id} order by e.recipient`.execute(t.app.db);
  return rows;
}

const statusesOf = async (id: string) =>
  Object.fromEntries((await emailsOf(id)).map(({ recipient, status }) => [recipient.split('@', 1)[0], status]));

test('a broadcast goes to the active subscribers of its newsletter at the send, and to nobody who leaves before it is written', async () => {
  const list = await aNewsletter(['ada', 'bob', 'cleo', 'dan', 'eve', 'pending', 'suppressed', 'listed']);
  const leave = (name: string) => request('POST', `${list.path}/${list.ids[name]}/unsubscribe`);
  await leave('bob');
  await sql`update subscribers set status = 'pending' where workspace_id = ${t.app.workspaceId} and id = ${list.ids['pending']}`.execute(
    t.app.db,
  );
  const contact = await request('POST', '/v1/contacts', { email: list.emailOf('listed') });
  const excluded = await t.list([contact.body.id]);
  const audience = { newsletter_id: list.id, exclude_list_ids: [excluded] };
  const made = await t.draft({ audience });
  assert.deepEqual(made.audience, { ...audience, list_ids: [], segment_id: null, contact_ids: [] });
  const { total, suppressed, unsubscribed, will_send } = (await t.call('GET', `/${made.id}/audience-count`)).body;
  assert.deepEqual([total, suppressed, unsubscribed, will_send], [6, 0, 1, 5]);
  const sent = await send(made.id);
  assert.deepEqual([sent.status, sent.body.total_recipients], [202, 5], sent.text);
  await leave('cleo');
  await request('DELETE', `${list.path}/${list.ids['dan']}`);
  await list.join('late');
  // Written past the cascade, which would unsubscribe: the engine looks itself.
  await sql`insert into suppressions (workspace_id, id, email, reason)
    values (${t.app.workspaceId}, ${newId()}, ${list.emailOf('suppressed')}, 'manual')`.execute(t.app.db);
  await freeze();
  assert.deepEqual(await statusesOf(made.id), { ada: 'pending', eve: 'pending', suppressed: 'suppressed' });
  assert.equal((await t.read(made.id)).stats.skipped_unsubscribed, 2);
  await leave('eve');
  assert.equal((await statusesOf(made.id))['eve'], 'suppressed');
  const loaded = await subscriberAudience(t.app).loadRecipients(await emailsOf(made.id));
  assert.equal(loaded.size, 2, 'no message is made for a subscriber who left');
  const { body } = await t.call('GET', `/${made.id}/recipients`);
  const ada = body.data.find(({ to }: Body) => to === list.emailOf('ada')) ?? body.data[0];
  assert.equal(ada.contact_id, null);
  assert.ok(Object.values(list.ids).includes(ada.subscriber_id));
});

test('each email has the links of the newsletter; one click leaves it alone, and counts for the broadcast', async () => {
  const [list, other] = [await aNewsletter(['ada', 'bob']), await aNewsletter(['ada'])];
  await request('POST', `${other.path}`, { email: list.emailOf('ada') });
  const html = '<p>{{ subscriber.name }} {{ properties.plan }} {{ newsletter.name }}</p>';
  const made = await t.draft({ audience: { newsletter_id: list.id }, html });
  assert.equal((await send(made.id)).status, 202);
  await freeze();
  const [first] = await emailsOf(made.id);
  assert.ok(first !== undefined);
  const loaded = (await subscriberAudience(t.app).loadRecipients([first])).get(first.emailId);
  const headers = new Map(loaded?.headers.map(({ name, value }) => [name, value]));
  assert.equal(headers.get('List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
  const url =
    /<(https:[^>]+\/api\/n\/unsubscribe\?token=[^>]+)>/.exec(headers.get('List-Unsubscribe') ?? '')?.[1] ?? '';
  const variables = loaded?.variables as Body;
  assert.deepEqual(
    [variables.subscriber.name, variables.properties.plan, variables.newsletter.name, variables.unsubscribe_url],
    ['ada', 'pro', 'Acme Weekly', url],
  );
  const pressed = await t.app.app.inject({
    method: 'POST',
    url: url.replace('https://app.example.com', ''),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });
  assert.equal(pressed.statusCode, 200, pressed.body);
  const statusOf = async (path: string, email: string) =>
    (await request('GET', `${path}?search=${email}`)).body.data[0].status;
  assert.equal(await statusOf(list.path, list.emailOf('ada')), 'unsubscribed');
  assert.equal(await statusOf(other.path, list.emailOf('ada')), 'active');
  assert.deepEqual(await statusesOf(made.id), { ada: 'suppressed', bob: 'pending' });
  assert.equal((await t.read(made.id)).stats.unsubscribed, 1);
});

test('a preview has the footer of the newsletter with its postal address', async () => {
  const list = await aNewsletter([]);
  const made = await t.draft({ audience: { newsletter_id: list.id } });
  const preview = await t.call('GET', `/${made.id}/preview`);
  assert.equal(preview.status, 200, preview.text);
  assert.match(preview.body.text, /1 Main Street, Springfield/);
});

test('422 for a newsletter beside contacts or that is not there, 403 for a key of another newsletter, and nothing is sent', async () => {
  const [list, other] = [await aNewsletter(['ada']), await aNewsletter([])];
  const [contact = ''] = await t.contacts(1, newId());
  for (const audience of [{ newsletter_id: list.id, contact_ids: [contact] }, { newsletter_id: newId() }]) {
    const reply = await t.call('POST', '', { body: { name: 'No', audience } });
    assert.deepEqual([reply.status, reply.body.param], [422, 'audience.newsletter_id'], reply.text);
  }
  const key = await t.key({ newsletter_ids: [other.id] });
  const refused = await t.call('POST', '', { key, body: { name: 'No', audience: { newsletter_id: list.id } } });
  assert.deepEqual([refused.status, refused.body.param], [403, 'audience.newsletter_id'], refused.text);
  const made = await t.draft({ audience: { newsletter_id: list.id } });
  assert.equal((await send(made.id, key)).status, 403);
  const empty = await t.draft({ audience: { newsletter_id: other.id } });
  assert.deepEqual((await send(empty.id)).body.param, 'audience');
  assert.equal((await t.stored(made.id)).sends + (await t.stored(empty.id)).sends, 0);
});

test('403: a key of another newsletter neither reads, changes, copies nor moves a broadcast to this one, and finds it in no list', async () => {
  const [list, other] = [await aNewsletter(['ada']), await aNewsletter([])];
  const key = await t.key({ newsletter_ids: [other.id] });
  const made = await t.draft({ audience: { newsletter_id: list.id }, name: `Only ${list.slug}` });
  const found = async (more: object) =>
    (await t.call('GET', `?search=${encodeURIComponent(made.name)}`, more)).body.data.map(({ id }: Body) => id);
  const reads = ['', '/stats', '/course', '/recipients', '/clicked-links', '/preview', '/audience-count'];
  const asked = [
    ...reads.map((path) => ['GET', path] as const),
    ...['/check', '/duplicate', '/correction', '/cancel', '/pause', '/resume', '/retry-failed'].map(
      (path) => ['POST', path] as const,
    ),
    ['POST', '/send-test', { to: 'me@example.com' }] as const,
    ['PATCH', '/links', { from: 'https://a.example', to: 'https://b.example' }] as const,
    ['PATCH', '', { subject: 'Theirs' }] as const,
    ['PATCH', '', { audience: { newsletter_id: other.id } }] as const,
    ['DELETE', ''] as const,
  ];
  const refuseAll = async () => {
    for (const [method, path, body] of asked) {
      const reply = await t.call(method, `/${made.id}${path}`, { key, ...(body === undefined ? {} : { body }) });
      assert.equal(reply.status, 403, `${method} ${path}: ${reply.text}`);
    }
  };
  const before = await t.read(made.id);
  await refuseAll();
  assert.deepEqual([await found({}), await found({ key })], [[made.id], []]);
  assert.deepEqual(await t.read(made.id), before);
  assert.equal((await send(made.id)).status, 202);
  await freeze();
  const sending = await t.actions(made.id);
  await refuseAll();
  assert.deepEqual(await t.actions(made.id), sending);
  assert.deepEqual(await statusesOf(made.id), { ada: 'pending' });

  const own = await t.key({ newsletter_ids: [list.id] });
  assert.deepEqual(await found({ key: own }), [made.id]);
  assert.equal((await t.call('GET', `/${made.id}/recipients`, { key: own })).body.data.length, 1);
});

test('endpoints and keys of a newsletter are told of a broadcast to it, and those of another one are not', async () => {
  const [list, other] = [await aNewsletter(['ada']), await aNewsletter([])];
  const made = await t.draft({ audience: { newsletter_id: list.id } });
  const types = ['broadcast.sent', 'broadcast.failed'];
  const endpoint = async (newsletterId: string): Promise<string> => {
    const reply = await request('POST', '/v1/webhooks', {
      url: 'https://hooks.example.com/posthorn',
      events: types,
      newsletter_ids: [newsletterId],
    });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.id;
  };
  const [own, others] = [await endpoint(list.id), await endpoint(other.id)];
  const broadcast = await findBroadcast(t.app.db, t.app.workspaceId, made.id);
  assert.ok(broadcast !== undefined);
  await publishSent(t.app.db, broadcast);
  await publishFailed(t.app.db, broadcast, { code: 'fault', message: 'It failed.' });
  const told = async (id: string) => {
    const { rows } = await sql<{ type: string }>`
      select event_type as type from webhook_deliveries
       where workspace_id = ${t.app.workspaceId} and webhook_id = ${id} order by id`.execute(t.app.db);
    return rows.map(({ type }) => type);
  };
  assert.deepEqual([await told(own), await told(others)], [types, []]);
  const read = async (newsletterId: string) => {
    const key = await t.key({ newsletter_ids: [newsletterId] });
    const { body, status, text } = await request('GET', '/v1/events?type=broadcast.sent', undefined, key);
    assert.equal(status, 200, text);
    return body.data.length;
  };
  assert.deepEqual([await read(list.id), await read(other.id)], [1, 0]);
});

/** The provider takes the emails to these that wait, with the content of now. */
const deliver = (recipients: readonly string[]) =>
  sql`update emails e set status = 'delivered', sent_at = now(), delivered_at = now(), content_id = r.content_id,
             content_version = r.content_version
        from send_requests r
       where e.workspace_id = ${t.app.workspaceId} and r.workspace_id = e.workspace_id and r.id = e.send_id
         and e.status = 'pending' and e.recipient = any (${[...recipients]}::text[])`.execute(t.app.db);

test('201: a correction goes to exactly the subscribers who were sent that version and have not left the newsletter', async () => {
  const list = await aNewsletter(['ada', 'bob', 'cleo', 'dan', 'eve', 'fay']);
  const other = await aNewsletter([]);
  for (const name of ['ada', 'bob']) await request('POST', other.path, { email: list.emailOf(name) });
  const made = await t.draft({ audience: { newsletter_id: list.id } });
  assert.equal((await send(made.id)).status, 202);
  await freeze();
  assert.equal((await t.call('POST', `/${made.id}/pause`)).status, 200);
  await deliver(['ada', 'bob', 'cleo', 'dan'].map(list.emailOf));
  assert.equal((await t.call('PATCH', `/${made.id}`, { body: { subject: 'Right' } })).status, 200);
  await deliver([list.emailOf('eve')]);
  // Two leave, in the two ways that there are; one comes, who was sent nothing.
  await request('POST', `${list.path}/${list.ids['bob']}/unsubscribe`);
  await request('DELETE', `${list.path}/${list.ids['cleo']}`);
  await list.join('late');

  const correct = async (version: number | null): Promise<Body> => {
    const reply = await t.call('POST', `/${made.id}/correction`, { body: { content_version: version } });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  const [first, all, leftLater] = [await correct(1), await correct(null), await correct(1)];
  assert.equal(first.audience.newsletter_id, list.id);
  const { total, suppressed, unsubscribed, will_send } = (await t.call('GET', `/${first.id}/audience-count`)).body;
  assert.deepEqual([total, suppressed, unsubscribed, will_send], [3, 0, 1, 2]);
  for (const { id } of [first, all, leftLater]) assert.equal((await send(id)).status, 202);
  await request('POST', `${list.path}/${list.ids['dan']}/unsubscribe`);
  await freeze();
  assert.deepEqual(await statusesOf(first.id), { ada: 'pending' });
  assert.deepEqual(await statusesOf(all.id), { ada: 'pending', eve: 'pending' });
  assert.deepEqual(await statusesOf(leftLater.id), { ada: 'pending' });
  assert.equal((await t.read(first.id)).stats.skipped_unsubscribed, 1);
  const [email] = await emailsOf(first.id);
  const loaded = email && (await subscriberAudience(t.app).loadRecipients([email])).get(email.emailId);
  assert.match(JSON.stringify(loaded?.headers), /\/api\/n\/unsubscribe\?token=/, 'with the way out of the newsletter');
});
