import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { newId } from '#platform/ids.ts';
import { purgeContacts, queueContactPurge } from './purge-contacts.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function call(method: Method, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await app.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
  return { ...answer, body: answer.body as Body };
}

let made = 0;
const anAddress = (): string => `person-${(made += 1)}@example.com`;
async function aContact(given: Record<string, unknown> = {}): Promise<Body> {
  const { status, body } = await call('POST', '/v1/contacts', { email: anAddress(), ...given });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}
const upsert = (...contacts: unknown[]) => call('POST', '/v1/contacts/batch', { contacts });
const read = async (name: string): Promise<Body> => (await call('GET', `/v1/contacts/${name}`)).body;
const total = async (): Promise<number> => (await call('GET', '/v1/contacts?limit=1')).body.total;

test('201 with the contact, its address lower-cased, read by id and by address', async () => {
  const { status, body } = await call('POST', '/v1/contacts', {
    email: 'Ada@Example.COM',
    firstName: 'Ada',
    last_name: ' Lovelace ',
    properties: { plan: 'pro', seats: 3, active: true, since: '2026-01-01' },
    timezone: 'Europe/Berlin',
    language: 'en-gb',
  });
  assert.equal(status, 201);
  const { id, created_at, updated_at, ...rest } = body;
  assert.ok(id && created_at && updated_at);
  assert.deepEqual(rest, {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    name: 'Ada Lovelace',
    properties: { plan: 'pro', seats: 3, active: true, since: '2026-01-01' },
    unsubscribed: false,
    unsubscribed_at: null,
    suppressed: false,
    timezone: 'Europe/Berlin',
    language: 'en-GB',
    list_ids: [],
  });
  for (const name of [id, 'ada@example.com', 'ADA@example.com']) assert.deepEqual(await read(name), body);
});

test('200 with the unchanged record for an address that is there', async () => {
  const contact = await aContact({ name: 'First' });
  const again = await call('POST', '/v1/contacts', { email: contact.email, name: 'Second', unsubscribed: true });
  assert.equal(again.status, 200);
  assert.equal(again.headers['x-existing-resource'], 'true');
  assert.deepEqual(again.body, contact);
});

test('201 once for one Idempotency-Key', async () => {
  const [email, headers] = [anAddress(), { 'idempotency-key': 'contact-1' }];
  const first = await call('POST', '/v1/contacts', { email }, headers);
  const second = await call('POST', '/v1/contacts', { email }, headers);
  assert.equal(second.status, 201);
  assert.equal(second.body.id, first.body.id);
  assert.equal(second.headers['idempotent-replayed'], 'true');
});

const BAD: readonly [name: string, param: string, body: Record<string, unknown>][] = [
  ['no address', 'email', { email: undefined }],
  ['an address that is none', 'email', { email: 'nobody' }],
  ['an address with a name', 'email', { email: 'Ada <ada@example.com>' }],
  ['an unknown zone', 'timezone', { timezone: 'Mars/Olympus' }],
  ['an unknown language', 'language', { language: 'not a language' }],
  ['a property that is a list', 'properties.tags', { properties: { tags: ['a'] } }],
  ['a key that begins with _', 'properties', { properties: { __proto: 1 } }],
  [
    '101 properties',
    'properties',
    { properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, 1])) },
  ],
];
for (const [name, param, body] of BAD) {
  test(`400 for ${name}, and nothing is stored`, async () => {
    const earlier = await total();
    const answer = await call('POST', '/v1/contacts', { email: anAddress(), ...body });
    assert.deepEqual([answer.status, answer.body.param], [400, param], answer.text);
    assert.equal(await total(), earlier);
  });
}

test('422 for a property of another type than its first value had, and nothing is stored', async () => {
  await aContact({ properties: { score: 1 } });
  const earlier = await total();
  const email = anAddress();
  const created = await call('POST', '/v1/contacts', { email, properties: { score: 'high', fresh: 1 } });
  assert.deepEqual([created.status, created.body.param], [422, 'properties.score']);
  const contact = await aContact({ properties: { score: 2 } });
  const changed = await call('PATCH', `/v1/contacts/${contact.id}`, { name: 'X', properties: { score: false } });
  assert.equal(changed.status, 422);
  assert.deepEqual(await read(contact.id), contact);
  assert.equal(await total(), earlier + 1);
  const { data } = (await call('GET', '/v1/contact-properties?limit=100')).body;
  assert.equal(data.find(({ key }: Body) => key === 'score').type, 'number');
  assert.equal(
    data.some(({ key }: Body) => key === 'fresh'),
    false,
    'a refused request declares nothing',
  );
});

test('a date may stand among texts, and no text among dates', async () => {
  await aContact({ properties: { note: 'hello', born: '2000-02-29' } });
  await aContact({ properties: { note: '2026-01-01' } });
  const bad = await call('POST', '/v1/contacts', { email: anAddress(), properties: { born: 'in spring' } });
  assert.deepEqual([bad.status, bad.body.message], [422, 'properties.born must be a date, as in other contacts']);
});

test('a change merges properties, clears with null, and leaves the rest', async () => {
  const contact = await aContact({ first_name: 'Ada', properties: { a: 'x', b: 'y' }, timezone: 'UTC' });
  const { status, body } = await call('PATCH', `/v1/contacts/${contact.email}`, {
    timezone: null,
    properties: { a: null, c: 'z' },
  });
  assert.equal(status, 200);
  assert.deepEqual(
    { ...body, updated_at: 0 },
    { ...contact, properties: { b: 'y', c: 'z' }, timezone: null, updated_at: 0 },
  );
  const same = await call('PATCH', `/v1/contacts/${contact.id}`, { first_name: 'Ada' });
  assert.deepEqual(same.body, body, 'nothing differs, so nothing was touched');
});

test('409 for an If-Match of an older version, and nothing is changed', async () => {
  const contact = await aContact();
  const etag = String((await call('GET', `/v1/contacts/${contact.id}`)).headers['etag']);
  assert.equal((await call('PATCH', `/v1/contacts/${contact.id}`, { name: 'A' }, { 'if-match': etag })).status, 200);
  assert.equal((await call('PATCH', `/v1/contacts/${contact.id}`, { name: 'B' }, { 'if-match': etag })).status, 409);
  assert.equal((await call('DELETE', `/v1/contacts/${contact.id}`, undefined, { 'if-match': etag })).status, 409);
  assert.equal((await read(contact.id)).name, 'A');
});

test('a new address keeps the contact, and the suppression stays with the old address', async () => {
  const contact = await aContact({ unsubscribed: true });
  await call('POST', '/v1/suppressions', { email: contact.email });
  assert.equal((await read(contact.id)).suppressed, true);
  const email = anAddress();
  const { body } = await call('PATCH', `/v1/contacts/${contact.id}`, { email });
  assert.deepEqual([body.id, body.email, body.suppressed, body.unsubscribed], [contact.id, email, false, true]);
  assert.equal(body.unsubscribed_at, contact.unsubscribed_at);
  assert.equal((await read(contact.email)).name, 'not_found_error');
  const back = await aContact({ email: contact.email });
  assert.deepEqual([back.suppressed, back.unsubscribed], [true, true], 'nobody is subscribed by a move');
});

test('409 for the address of another contact, and nothing is changed', async () => {
  const [one, other] = [await aContact(), await aContact()];
  const { status, body } = await call('PATCH', `/v1/contacts/${one.id}`, { email: other.email, name: 'X' });
  assert.deepEqual([status, body.param], [409, 'email']);
  assert.deepEqual([await read(one.id), await read(other.id)], [one, other]);
});

test('only a change by hand subscribes again, and the log notes it', async () => {
  const contact = await aContact({ unsubscribed: true });
  await upsert({ email: contact.email, unsubscribed: false, name: 'X' });
  assert.equal((await read(contact.id)).unsubscribed_at, contact.unsubscribed_at);
  const { body } = await call('PATCH', `/v1/contacts/${contact.id}`, { unsubscribed: false });
  assert.deepEqual([body.unsubscribed, body.unsubscribed_at], [false, null]);
  const { data } = (await call('GET', `/audit?target=${contact.id}`)).body;
  assert.equal(data[0].action, 'contact.resubscribed');
});

test('an address that was unsubscribed and deleted comes back unsubscribed', async () => {
  for (const isBatch of [false, true]) {
    const contact = await aContact({ unsubscribed: true });
    assert.deepEqual((await call('DELETE', `/v1/contacts/${contact.email}`)).body, { success: true, id: contact.id });
    assert.equal((await call('GET', `/v1/contacts/${contact.id}`)).status, 404);
    if (isBatch) assert.equal((await upsert({ email: contact.email, unsubscribed: false })).body.created, 1);
    else await aContact({ email: contact.email, unsubscribed: false });
    assert.equal((await read(contact.email)).unsubscribed_at, contact.unsubscribed_at);
  }
  const subscribed = await aContact();
  await call('DELETE', `/v1/contacts/${subscribed.id}`);
  assert.equal((await aContact({ email: subscribed.email })).unsubscribed, false);
});

test('a batch passes an erased address over, and nothing that names it is left', async () => {
  const contact = await aContact({ name: 'Forget Me' });
  await call('DELETE', `/v1/contacts/${contact.id}?erase=true`);
  const { body } = await upsert({ email: contact.email, name: 'Back' });
  assert.deepEqual(body, { success: true, created: 0, updated: 0, skipped: 1, errors: [] });
  assert.equal((await call('GET', `/v1/contacts/${contact.email}`)).status, 404);
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from contacts c, contact_former_addresses f
     where c.workspace_id = ${app.workspaceId} and f.workspace_id = c.workspace_id
       and (c.email = ${contact.email} or f.email = ${contact.email})`.execute(app.db);
  assert.equal(rows[0]?.n, 0);
  assert.equal((await aContact({ email: contact.email })).unsubscribed, true, 'a single request may bring them back');
});

test('a person who is erased from a newsletter is erased from the contacts', async () => {
  const newsletter = (await call('POST', '/v1/newsletters', { name: 'N', slug: 'erasing', double_opt_in: false })).body;
  const contact = await aContact();
  const other = await aContact();
  const path = `/v1/newsletters/${newsletter.id}/subscribers`;
  const subscriber = (await call('POST', path, { email: contact.email })).body;
  assert.equal((await call('DELETE', `${path}/${subscriber.id}`)).status, 200);
  assert.equal((await call('GET', `/v1/contacts/${contact.id}`)).status, 404);
  assert.equal((await upsert({ email: contact.email })).body.skipped, 1);
  assert.deepEqual(await read(other.id), other);
});

test('200 for rows with fields that no contact has: they are named once, and the rows are stored', async () => {
  const rows = [{ email: anAddress(), shape: 'round' }, { email: anAddress(), shape: 'flat' }, { email: anAddress() }];
  const { status, body, headers } = await upsert(...rows);
  assert.deepEqual([status, body.created, headers['x-unknown-fields']], [200, 3, 'contacts[].shape']);
});

test('a batch adds, changes and passes over, and names bad rows', async () => {
  const contact = await aContact({ name: 'Old', properties: { level: 1 } });
  const unchanged = await aContact({ name: 'Same' });
  const email = anAddress();
  const { status, body } = await upsert(
    { email: contact.email.toUpperCase(), firstName: 'New', properties: { level: 2 } },
    { email: unchanged.email, name: 'Same' },
    { email, properties: { level: 3 } },
    { email: 'nobody' },
    'no row',
    { email: anAddress(), properties: { level: 'high' } },
    { email, name: 'Twice' },
    { email: anAddress(), nmae: 'Typo' },
  );
  assert.equal(status, 200);
  const { errors, ...counts } = body;
  assert.deepEqual(counts, { success: true, created: 1, updated: 2, skipped: 1 });
  assert.deepEqual(
    errors.map(({ index }: Body) => index),
    [3, 4, 5, 7],
  );
  assert.match(errors[2].message, /properties\.level must be a number/);
  assert.match(errors[3].message, /did you mean name/);
  const changed = await read(contact.id);
  assert.deepEqual([changed.first_name, changed.name, changed.properties], ['New', 'Old', { level: 2 }]);
  const added = await read(email);
  assert.deepEqual([added.name, added.properties], ['Twice', { level: 3 }]);
  assert.deepEqual(await read(unchanged.id), unchanged);
});

test('400 for a batch of none and of 1,001', async () => {
  const many = Array.from({ length: 1_001 }, () => ({ email: anAddress() }));
  for (const contacts of [[], many]) {
    const earlier = await total();
    assert.equal((await call('POST', '/v1/contacts/batch', { contacts })).body.param, 'contacts');
    assert.equal(await total(), earlier);
  }
});

test('two batches at once store each address once', async () => {
  const emails = Array.from({ length: 200 }, anAddress);
  const rows = emails.map((email) => ({ email, properties: { raced: 1 } }));
  const answers = await Promise.all([rows, rows.toReversed(), rows, rows.toReversed()].map((all) => upsert(...all)));
  const sum = (name: string): number => answers.reduce((all, { body }) => all + body[name], 0);
  assert.deepEqual([sum('created'), sum('updated'), sum('skipped')], [200, 0, 600]);
});

test('a list is read page by page, filtered, and searched', async () => {
  const tag = `find-${newId().slice(-6)}`;
  const rows = Array.from({ length: 5 }, (_, n) => ({ email: `${tag}-${n}@example.com`, unsubscribed: n === 0 }));
  await upsert(...rows, { email: anAddress(), first_name: 'Zoë', last_name: tag.toUpperCase() });
  const found: string[] = [];
  let url = `/v1/contacts?search=${tag}&limit=2`;
  for (;;) {
    const { body } = await call('GET', url);
    found.push(...body.data.map(({ id }: Body) => id));
    if (!body.has_more) break;
    url = `/v1/contacts?search=${tag}&limit=2&cursor=${body.next_cursor}`;
  }
  assert.equal(found.length, 6);
  assert.deepEqual(found, found.toSorted().toReversed(), 'newest first, each once');
  const { body } = await call('GET', `/v1/contacts?search=${tag}&unsubscribed=true`);
  assert.deepEqual([body.total, body.data[0].email], [1, `${tag}-0@example.com`]);
  const one = await call('GET', `/v1/contacts?email=${tag.toUpperCase()}-1@example.com`);
  assert.deepEqual([one.body.total, one.body.data[0].email], [1, `${tag}-1@example.com`]);
  assert.equal((await call('GET', `/v1/contacts?search=${tag}_`)).body.total, 0, '_ is no wildcard');
  const whole = `search=${tag.toUpperCase()}-1@example.com`;
  assert.deepEqual((await call('GET', `/v1/contacts?${whole}`)).body.data, one.body.data);
  assert.equal((await call('GET', `/v1/contacts?${whole}&unsubscribed=true`)).body.total, 0);
});

test('a contact whose domain is in other letters is found by them, whole or from a part of the name on', async () => {
  const tag = `idn-${newId().slice(-6)}`;
  await upsert({ email: `${tag}@bücher.example` }, { email: `${tag}@example.com` });
  for (const search of [`${tag}@Bücher.example`, `${tag.slice(1)}@bücher.example`, `${tag}@xn--bcher-kva.example`]) {
    const { body } = await call('GET', `/v1/contacts?search=${encodeURIComponent(search)}`);
    assert.deepEqual(
      body.data.map(({ email }: Body) => email),
      [`${tag}@xn--bcher-kva.example`],
      search,
    );
  }
});

test('contacts of a deleted workspace go page by page', async () => {
  const workspaceId = newId();
  await sql`
    insert into contacts (workspace_id, id, email) values (${workspaceId}, ${newId()}, 'gone@example.com')`.execute(
    app.db,
  );
  await sql`insert into contact_opt_outs (workspace_id, address_hash, unsubscribed_at)
    values (${workspaceId}, '\\x01', now())`.execute(app.db);
  const earlier = await total();
  await queueContactPurge(app.db, workspaceId);
  while (await purgeContacts(app.db)) continue;
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from contacts where workspace_id = ${workspaceId})
      + (select count(*) from contact_opt_outs where workspace_id = ${workspaceId})
      + (select count(*) from contact_purges where workspace_id = ${workspaceId}) as n`.execute(app.db);
  assert.equal(Number(rows[0]?.n), 0);
  assert.equal(await total(), earlier);
});

test('the activity of a contact has the emails to it, newest first, also those to an earlier address', async () => {
  const [contact, other] = [await aContact(), await aContact()];
  const send = async (to: string, subject: string): Promise<void> => {
    const body = { from: 'hello@posthorn.test', to, subject, text: 'Hello' };
    assert.equal((await call('POST', '/v1/send', body)).status, 202);
  };
  await send(contact.email, 'first');
  await send(other.email, 'to another');
  const email = anAddress();
  await call('PATCH', `/v1/contacts/${contact.id}`, { email });
  await send(email, 'second');
  const subjects = async (query = ''): Promise<Body> =>
    (await call('GET', `/v1/contacts/${email}/activity${query}`)).body;
  const { data, total: all } = await subjects();
  assert.deepEqual([all, data.map(({ subject }: Body) => subject)], [2, ['second', 'first']]);
  const page = await subjects('?limit=1');
  assert.equal((await subjects(`?limit=1&cursor=${page.next_cursor}`)).data[0].subject, 'first');
  await aContact({ email: contact.email });
  assert.deepEqual(
    (await subjects()).data.map(({ subject }: Body) => subject),
    ['second'],
    'an address that somebody else has taken is theirs',
  );
  assert.equal((await call('GET', `/v1/contacts/${newId()}/activity`)).status, 404);
});
