import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { eraseContacts } from '../remove-contacts.ts';
import { runBulkJob } from './run-bulk-job.ts';
import { sweepJobs } from './job-queries.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) {
  const answer = await app.request({ method, url, ...(body === undefined ? {} : { body }) });
  return { ...answer, body: answer.body as Body };
}

let made = 0;
/** Contacts of a domain of their own, and the filter for them. */
async function aCrowd(contacts: object[]): Promise<{ filter: object; emails: string[]; read(): Promise<Body[]> }> {
  const domain = `crowd-${(made += 1)}.test`;
  const emails = contacts.map((_, index) => `p${index}@${domain}`);
  const rows = contacts.map((contact, index) => ({ ...contact, email: emails[index] }));
  await call('POST', '/v1/contacts/batch', { contacts: rows });
  const filter = { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: domain }] };
  const read = () => Promise.all(emails.map(async (email) => (await call('GET', `/v1/contacts/${email}`)).body));
  return { filter, emails, read };
}

const wiring = () => ({ db: app.db, clock: app.clock, log: createLog({ level: 'silent' }), secrets: app.secrets });
async function work(): Promise<void> {
  while (await runBulkJob(wiring()));
}

const start = (filter: object, action: object) => call('POST', '/v1/contacts/bulk', { filter, action });
const jobOf = async (id: string): Promise<Body> => (await call('GET', `/v1/contacts/bulk/${id}`)).body;

async function done(filter: object, action: object): Promise<Body> {
  const { body } = await start(filter, action);
  await work();
  return jobOf(body.id);
}

async function undo(id: string): Promise<Body> {
  const { status, text } = await call('POST', `/v1/contacts/bulk/${id}/undo`);
  assert.equal(status, 202, text);
  await work();
  return jobOf(id);
}

/** Everything of a contact but the time of its last change. */
const still = (contacts: Body[]): Body[] => contacts.map((one) => ({ ...one, updated_at: null }));
const left = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from contact_bulk_changes`.execute(app.db);
  return rows[0]?.n ?? 0;
};

test('202 with the job and its count; the work changes those who meet the filter, and its undo brings them back', async () => {
  const crowd = await aCrowd([{ name: 'A', properties: { plan: 'pro', seats: 1 } }, { name: 'B' }]);
  const [stranger] = await (await aCrowd([{ name: 'C' }])).read();
  const was = await crowd.read();
  const action = { type: 'update', set: { name: null, properties: { plan: 'free', seats: null } } };
  const { status, body } = await start(crowd.filter, action);
  assert.equal(status, 202);
  assert.deepEqual([body.status, body.count, body.processed, body.undo_until], ['queued', 2, 0, null]);
  assert.deepEqual([body.filter, body.action], [crowd.filter, action]);
  await work();
  const job = await jobOf(body.id);
  assert.deepEqual([job.status, job.processed, job.changed], ['completed', 2, 2]);
  assert.equal(Date.parse(job.undo_until) - Date.parse(job.completed_at), 86_400_000);
  const [one, other] = await crowd.read();
  assert.deepEqual([one.name, one.properties, other.properties], [null, { plan: 'free' }, { plan: 'free' }]);
  assert.deepEqual((await call('GET', `/v1/contacts/${stranger.id}`)).body, stranger);
  await call('PATCH', `/v1/contacts/${other.id}`, { name: 'By hand' });
  const undone = await undo(body.id);
  assert.deepEqual([undone.status, undone.undone], ['undone', 1]);
  const back = await crowd.read();
  assert.deepEqual(still([back[0]]), still([was[0]]));
  assert.deepEqual([back[1].name, back[1].properties], ['By hand', { plan: 'free' }]);
  assert.equal((await call('POST', `/v1/contacts/bulk/${body.id}/undo`)).status, 409);
});

test('an undone unsubscribe subscribes nobody who had opted out, or has since', async () => {
  const crowd = await aCrowd([{}, { unsubscribed: true }, {}, {}, {}]);
  const was = await crowd.read();
  const job = await done(crowd.filter, { type: 'unsubscribe' });
  assert.deepEqual([job.processed, job.changed], [5, 4]);
  assert.ok((await crowd.read()).every(({ unsubscribed }) => unsubscribed));
  await call('POST', `/v1/contacts/${crowd.emails[2]}/unsubscribe`, {});
  await call('PATCH', `/v1/contacts/${crowd.emails[3]}`, { unsubscribed: true });
  await call('POST', '/v1/contacts/batch', { contacts: [{ email: crowd.emails[4], unsubscribed: true }] });
  assert.equal((await undo(job.id)).undone, 1);
  const back = await crowd.read();
  assert.deepEqual(
    back.map(({ unsubscribed }) => unsubscribed),
    [false, true, true, true, true],
  );
  assert.equal(back[1].unsubscribed_at, was[1].unsubscribed_at);
});

test('contacts come on a list and off it, but nobody comes back who left it', async () => {
  const crowd = await aCrowd([{}, {}, {}]);
  const list = (await call('POST', '/v1/lists', { name: 'Crowd' })).body.id;
  const onList = async () => (await crowd.read()).map(({ list_ids }) => list_ids.includes(list));
  await call('POST', `/v1/contacts/${crowd.emails[0]}/unsubscribe`, { list_id: list });
  const added = await done(crowd.filter, { type: 'add_to_list', list_id: list });
  assert.deepEqual([added.changed, await onList()], [2, [false, true, true]]);
  const removed = await done(crowd.filter, { type: 'remove_from_list', list_id: list });
  assert.deepEqual([removed.changed, await onList()], [2, [false, false, false]]);
  await call('POST', `/v1/contacts/${crowd.emails[1]}/unsubscribe`, { list_id: list });
  assert.equal((await undo(removed.id)).undone, 1);
  assert.deepEqual(await onList(), [false, false, true]);
  assert.equal((await undo(added.id)).undone, 1);
  assert.deepEqual(await onList(), [false, false, false]);
});

test('deleted contacts come back with all that was theirs, but nobody who was erased, or whose address is taken', async () => {
  const crowd = await aCrowd([{ name: 'A', properties: { plan: 'pro' } }, { unsubscribed: true }, {}, {}]);
  const list = (await call('POST', '/v1/lists', { name: 'Kept' })).body.id;
  await call('POST', `/v1/lists/${list}/contacts`, { emails: crowd.emails });
  const was = await crowd.read();
  const job = await done(crowd.filter, { type: 'delete' });
  assert.deepEqual([job.changed, (await crowd.read()).map(({ statusCode }) => statusCode)], [4, [404, 404, 404, 404]]);
  await inTransaction(app.db, (tx) =>
    eraseContacts(tx, app.secrets, {
      workspaceId: app.workspaceId,
      emails: [String(crowd.emails[2])],
      at: app.clock.now(),
    }),
  );
  await call('POST', '/v1/contacts', { email: crowd.emails[3], name: 'New' });
  assert.equal((await undo(job.id)).undone, 2);
  const back = await crowd.read();
  assert.deepEqual(still(back.slice(0, 2)), still(was.slice(0, 2)));
  assert.deepEqual([back[2].statusCode, back[3].name], [404, 'New']);
  assert.equal((await call('GET', `/v1/lists/${list}`)).body.contact_count, 2);
});

test('422 for an action or a filter that makes no sense, 400 for one that is not whole, and nothing is queued', async () => {
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'is_set' }] };
  const bad: [string, object, object][] = [
    ['action.list_id', filter, { type: 'remove_from_list', list_id: newId() }],
    ['action.list_id', filter, { type: 'delete', list_id: newId() }],
    ['action.set', filter, { type: 'update', set: {} }],
    ['action.set', filter, { type: 'unsubscribe', set: { name: 'x' } }],
    ['action.set.properties.plan', filter, { type: 'update', set: { properties: { plan: 7 } } }],
    ['action.set.plan', filter, { type: 'update', set: { plan: 'free' } }],
    ['action.set.plan', filter, { type: 'update', set: { first_name: 'A', plan: 'free' } }],
    ['action.set.constructor', filter, { type: 'update', set: { constructor: 1 } }],
    ['action.contacts', filter, { type: 'delete', contacts: ['a@crowd.test'] }],
    ['action.plan', filter, { type: 'unsubscribe', plan: 'free' }],
    ['filter.zebra', { zebra: 1 }, { type: 'delete' }],
    ['filter.conditions[0].op', { match: 'all', conditions: [{ field: 'email', op: 'is' }] }, { type: 'delete' }],
  ];
  for (const [param, given, action] of bad) {
    const { status, body, text } = await start(given, action);
    assert.deepEqual([status, body.param], [422, param], text);
  }
  const broken: [string, object][] = [
    ['action.type', { type: 'erase' }],
    ['action.list_id', { type: 'add_to_list' }],
    ['action.set', { type: 'update' }],
    ['action.set.timezone', { type: 'update', set: { timezone: 'Mars' } }],
    ['action.type', { zebra: 1 }],
    ['action.set.fist_name', { type: 'update', set: { fist_name: 'A' } }],
  ];
  for (const [param, action] of broken) {
    const { status, body, text } = await start(filter, action);
    assert.deepEqual([status, body.param], [400, param], text);
  }
  assert.equal(await runBulkJob(wiring()), false);
  assert.equal((await call('GET', `/v1/contacts/bulk/${newId()}`)).status, 404);
});

test('400 names the faults of the filter and of the action together, those of type and of meaning, and nothing is queued', async () => {
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'is' }] };
  for (const [action, last] of [
    [{ type: 'erase' }, /^action\.type .*filter\.conditions\[0\]\.op/],
    [{ type: 'update', list_id: newId(), set: { timezone: 'Mars' } }, /^action\.set.*filter.*\.op.*takes no list_id/],
  ] as const) {
    const { status, body, text } = await start(filter, action);
    assert.equal(status, 400, text);
    assert.match(body.details.join(' '), last);
  }
  assert.equal(await runBulkJob(wiring()), false);
});

test('a job goes on where it ended, whichever process works on it, and changes each contact once', async () => {
  const domain = 'many.test';
  await sql`
    insert into contacts (workspace_id, id, email)
    select ${app.workspaceId}, ph_uuidv7(), n || '@' || ${domain} from generate_series(1, 3500) n`.execute(app.db);
  const filter = { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: domain }] };
  const { body } = await start(filter, { type: 'unsubscribe' });
  let asked = 0;
  await runBulkJob(wiring(), () => (asked += 1) <= 2);
  const half = await jobOf(body.id);
  assert.equal(half.status, 'processing');
  assert.ok(half.changed > 0 && half.changed < 3_500, `${half.changed}`);
  assert.equal((await call('POST', `/v1/contacts/bulk/${body.id}/undo`)).status, 409);
  await sql`
    update contact_bulk_jobs set lease_token = ${newId()}, lease_until = now() - interval '1 second'
     where workspace_id = ${app.workspaceId} and id = ${body.id}`.execute(app.db);
  await call('POST', '/v1/contacts', { email: `later@${domain}` });
  await Promise.all([work(), work()]);
  const whole = await jobOf(body.id);
  assert.deepEqual([whole.status, whole.count, whole.processed, whole.changed], ['completed', 3_500, 3_500, 3_500]);
  assert.equal((await call('GET', `/v1/contacts/later@${domain}`)).body.unsubscribed, false);
  assert.equal((await undo(body.id)).undone, 3_500);
});

test('a job fails with a sentence when its list is gone, and can be undone as far as it came', async () => {
  const crowd = await aCrowd([{}]);
  const list = (await call('POST', '/v1/lists', { name: 'Gone' })).body.id;
  const { body } = await start(crowd.filter, { type: 'add_to_list', list_id: list });
  await call('DELETE', `/v1/lists/${list}`);
  await work();
  const job = await jobOf(body.id);
  assert.deepEqual([job.status, job.changed], ['failed', 0]);
  assert.match(job.error, /No list/);
});

test('changes can be undone for 24 hours, and nothing of them is left then', async () => {
  const crowd = await aCrowd([{ name: 'A' }]);
  const job = await done(crowd.filter, { type: 'update', set: { name: 'B' } });
  const kept = await left();
  assert.ok(kept > 0);
  app.clock.advance(86_400_001);
  const { status } = await call('POST', `/v1/contacts/bulk/${job.id}/undo`);
  assert.equal(status, 409);
  await sweepJobs(app.db, app.clock.now(), 5_000);
  assert.equal(await left(), 0);
  app.clock.advance(31 * 86_400_000);
  await sweepJobs(app.db, app.clock.now(), 5_000);
  assert.equal((await call('GET', `/v1/contacts/bulk/${job.id}`)).status, 404);
  const [contact] = await crowd.read();
  assert.equal(contact.name, 'B');
});

test('200 with the jobs of the workspace, the newest first', async () => {
  const { filter } = await aCrowd([{}]);
  const older = await done(filter, { type: 'unsubscribe' });
  const newer = await done(filter, { type: 'delete' });
  const { body } = await call('GET', '/v1/contacts/bulk?limit=1');
  const { body: next } = await call('GET', `/v1/contacts/bulk?limit=1&cursor=${body.next_cursor}`);
  assert.deepEqual(
    [...body.data, ...next.data].map((job: Body) => [job.id, job.status, job.changed]),
    [
      [newer.id, 'completed', 1],
      [older.id, 'completed', 1],
    ],
  );
});
