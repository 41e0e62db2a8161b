import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aNewsletter } from '../../../test/harness/builders.ts';
import { aFurnishedWorkspace, APP_TO_FURNISH, type Furnished } from '../../../test/e2e/tenant-matrix/two-workspaces.ts';
import { SCOPES_OF_KINDS } from './kinds.ts';
import { KINDS, type Kind } from './queries.ts';

const PASSWORD = 'correct horse battery staple';
let app: TestApp;
let own: Furnished;
let other: Furnished;

before(async () => {
  app = await createTestApp(APP_TO_FURNISH);
  own = await aFurnishedWorkspace(app, { email: 'one@example.com', password: PASSWORD });
  other = await aFurnishedWorkspace(app, { email: 'two@example.com', password: PASSWORD });
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
const lookUp = async (id: string, key = own.key): Promise<{ status: number; body: any }> =>
  app.request({ url: `/v1/records/${id}`, key });

async function aKey(body: object): Promise<string> {
  const {
    status,
    body: made,
    text,
  } = await app.request({
    url: '/v1/api-keys',
    key: own.key,
    body: { name: 'Limited', scopes: ['*'], ...body },
  });
  assert.equal(status, 201, text);
  // The body of an answer has any shape, and this one has the key.
  return (made as { key: string }).key;
}

interface Known {
  id: string;
  /** Its own route. */
  url: string;
  parent?: Kind;
}

/** One record of each kind, and the route that reads it. */
async function recordsOf(of: Furnished): Promise<Record<Kind, Known>> {
  const first = (kind: keyof Furnished['records']): string => of.records[kind][0] ?? '';
  const at = (kind: keyof Furnished['records'], path: string): Known => ({ id: first(kind), url: path + first(kind) });
  const events = await app.request({ url: `/v1/events?email_id=${first('email')}`, key: of.key });
  // The body of an answer has any shape, and this is a list.
  const [event] = (events.body as { data: { id: string }[] }).data;
  assert.ok(event);
  const inNewsletter = `/v1/newsletters/${first('newsletter')}`;
  return {
    email: at('email', '/v1/emails/'),
    scheduled_email: at('scheduled', '/scheduled/'),
    send: at('job', '/v1/send/'),
    batch: at('batch', '/v1/batch/'),
    captured_email: { ...at('captured', '/v1/captured-emails/'), parent: 'email' },
    inbound_email: at('received', '/v1/inbound/'),
    broadcast: at('broadcast', '/broadcasts/'),
    template: at('template', '/v1/templates/'),
    contact: at('contact', '/v1/contacts/'),
    list: at('list', '/v1/lists/'),
    segment: at('segment', '/v1/segments/'),
    bulk_job: at('bulkJob', '/v1/contacts/bulk/'),
    newsletter: at('newsletter', '/v1/newsletters/'),
    issue: { ...at('issue', `${inNewsletter}/issues/`), parent: 'newsletter' },
    subscriber: { ...at('subscriber', `${inNewsletter}/subscribers/`), parent: 'newsletter' },
    automation: at('automation', '/v1/automations/'),
    automation_run: {
      ...at('automationRun', `/v1/automations/${first('automation')}/runs/`),
      parent: 'automation',
    },
    webhook: at('webhook', '/v1/webhooks/'),
    webhook_delivery: { ...at('delivery', `/v1/webhooks/${first('webhook')}/deliveries/`), parent: 'webhook' },
    event: { id: event.id, url: `/v1/emails/${first('email')}`, parent: 'email' },
    domain: at('domain', '/v1/domains/'),
    api_key: at('apiKey', '/v1/api-keys/'),
    suppression: at('suppression', '/v1/suppressions/'),
    import: { ...at('import', '/v1/imports/'), parent: 'newsletter' },
    export: { ...at('export', '/v1/exports/'), parent: 'newsletter' },
    image: at('image', '/v1/images/'),
    request: at('request', '/v1/requests/'),
  };
}

test('200 with the kind of a record of every kind, and the record that it belongs to', async () => {
  const records = await recordsOf(own);
  for (const kind of KINDS) {
    const { id, parent } = records[kind];
    const { status, body } = await lookUp(id);
    assert.deepEqual([kind, status, body.type, body.parent?.type], [kind, 200, kind, parent]);
  }
  const { body: issue } = await lookUp(records.issue.id);
  const newsletter = { type: 'newsletter', id: records.newsletter.id };
  assert.deepEqual(issue, { type: 'issue', id: records.issue.id, name: own.canary, parent: newsletter });
  const { body: event } = await lookUp(records.event.id);
  assert.deepEqual(event.parent, { type: 'email', id: records.email.id });
  assert.deepEqual((await lookUp(event.id)).body, event, 'an event is found by its bare id, too');
});

test('404 for a record of another workspace, with the words of an id that is unknown', async () => {
  const records = await recordsOf(other);
  for (const kind of KINDS) {
    const { id } = records[kind];
    const { status, body } = await lookUp(id);
    assert.deepEqual([kind, status, body.message], [kind, 404, `No record with id ${id}.`]);
  }
});

test('404 for what is no id', async () => {
  for (const text of ['x', '1234', `${newId()}0`, 'evt_1', `evt_${newId()}`, 'ada@example.com', "'--"])
    assert.equal((await lookUp(encodeURIComponent(text))).status, 404, text);
});

test('403 for a key that reads no record', async () => {
  assert.equal((await lookUp(newId(), await aKey({ scopes: ['emails:send'] }))).status, 403);
});

test('404 for what the own route of the record does not show to the same key', async () => {
  const records = await recordsOf(own);
  const workspaceId = own.workspaceId;
  const { id: foreign } = await aNewsletter(app.db, workspaceId);
  const domainId = newId();
  await sql`insert into domains (workspace_id, id, domain, dkim_selector)
    values (${workspaceId}, ${domainId}, 'elsewhere.example', 'a')`.execute(app.db);
  // Mail of the newsletter, and files of contacts, beside what is there already.
  await sql`update send_requests set newsletter_id = ${records.newsletter.id}
    where workspace_id = ${workspaceId} and id = ${records.send.id}`.execute(app.db);
  await sql`update automations set newsletter_id = ${records.newsletter.id}
    where workspace_id = ${workspaceId} and id = ${records.automation.id}`.execute(app.db);
  const keys: Record<string, string> = {
    'every scope': own.key,
    'another newsletter': await aKey({ newsletter_ids: [foreign] }),
    'its newsletter': await aKey({ newsletter_ids: [records.newsletter.id] }),
    'another domain': await aKey({ domain_ids: [domainId] }),
    'its domain': await aKey({ domain_ids: [records.domain.id] }),
  };
  for (const scope of SCOPES_OF_KINDS) keys[scope] = await aKey({ scopes: [scope] });
  let [seen, unseen] = [0, 0];
  for (const [who, key] of Object.entries(keys)) {
    for (const kind of KINDS) {
      const { id, url } = records[kind];
      const isReadable = (await app.request({ url, key })).status === 200;
      const { status } = await lookUp(id, key);
      assert.equal(status, isReadable ? 200 : 404, `a key with ${who}, ${kind}`);
      if (isReadable) seen += 1;
      else unseen += 1;
    }
  }
  assert.ok(seen > 100 && unseen > 300, `${seen} seen, ${unseen} not`);
});

test('404 for a run of another newsletter than those of the key, though its automation names none', async () => {
  const { automation, automation_run: run } = await recordsOf(own);
  const [mine, theirs] = [await aNewsletter(app.db, own.workspaceId), await aNewsletter(app.db, own.workspaceId)];
  await sql`update automations set newsletter_id = null
    where workspace_id = ${own.workspaceId} and id = ${automation.id}`.execute(app.db);
  const key = await aKey({ newsletter_ids: [mine.id] });
  for (const [newsletterId, status] of [
    [theirs.id, 404],
    [mine.id, 200],
    [null, 200],
  ] as const) {
    await sql`update automation_runs set newsletter_id = ${newsletterId}
      where workspace_id = ${own.workspaceId} and id = ${run.id}`.execute(app.db);
    assert.equal((await app.request({ url: run.url, key })).status, status);
    assert.equal((await lookUp(run.id, key)).status, status);
  }
});

test('an event of no email needs the scope of what it tells of, and an event of an email `emails:read`, as in the list', async () => {
  const { rows } = await sql<{ id: string; type: string }>`
    select id, type from workspace_events
     where workspace_id = ${own.workspaceId} and type = 'email.suppressed' limit 1`.execute(app.db);
  const [event] = rows;
  assert.ok(event);
  const name = `evt_${event.id.replaceAll('-', '')}`;
  const { status, body } = await lookUp(name);
  assert.deepEqual([status, body], [200, { type: 'event', id: event.id, name: event.type, parent: null }]);
  const { event: ofEmail } = await recordsOf(own);
  let [seen, unseen] = [0, 0];
  for (const scope of SCOPES_OF_KINDS) {
    const key = await aKey({ scopes: [scope] });
    const list = await app.request({ url: '/v1/events?limit=100', key });
    // The body of an answer has any shape, and a list has its data.
    const listed = list.status === 200 ? (list.body as { data: { id: string }[] }).data.map(({ id }) => id) : [];
    for (const id of [name, ofEmail.id]) {
      const isListed = listed.includes(id);
      assert.equal((await lookUp(id, key)).status, isListed ? 200 : 404, `a key with ${scope}, ${id}`);
      if (isListed) seen += 1;
      else unseen += 1;
    }
  }
  assert.ok(seen === 2 && unseen > 20, `${seen} seen, ${unseen} not`);
});
