import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aNewsletter, anInbound, aPendingDomain, aWorkspace } from '../../../test/harness/builders.ts';
import { KINDS, type Kind } from './queries.ts';
import { BY_NAME } from './search-queries.ts';

let app: TestApp;
let workspaceId: string;

before(async () => {
  app = await createTestApp();
  ({ workspaceId } = app);
});
after(() => app.close());

interface Found {
  type: string;
  id: string;
  name: string | null;
  parent: { type: string; id: string } | null;
}

async function search(text: string, key?: string): Promise<Found[]> {
  const url = `/v1/records?search=${encodeURIComponent(text)}`;
  const { status, body, text: said } = await app.request({ url, ...(key === undefined ? {} : { key }) });
  assert.equal(status, 200, said);
  return (body as { data: Found[] }).data; // the response check has held it against its schema
}
const typesOf = (found: readonly Found[]): string[] => found.map(({ type }) => type);

async function made(url: string, body: object): Promise<string> {
  const { status, body: record, text } = await app.request({ url, body });
  assert.equal(status, 201, text);
  return (record as { id: string }).id; // of our own API
}
const keyOf = async (body: object): Promise<string> => {
  const {
    status,
    body: key,
    text,
  } = await app.request({
    url: '/v1/api-keys',
    body: { name: 'Limited', scopes: ['*'], ...body },
  });
  assert.equal(status, 201, text);
  return (key as { key: string }).key; // of our own API
};
const anIssue = (newsletterId: string, subject: string): Promise<string> =>
  made(`/v1/newsletters/${newsletterId}/issues`, { subject, html_body: '<p>Hello</p>' });

test('an address finds its contact, its subscribers in all newsletters and its suppression, in whatever case', async () => {
  const [one, two] = [await aNewsletter(app.db, workspaceId), await aNewsletter(app.db, workspaceId)];
  const contact = await made('/v1/contacts', { email: 'ada@example.com' });
  for (const { id } of [one, two]) await made(`/v1/newsletters/${id}/subscribers`, { email: 'ada@example.com' });
  await made('/v1/contacts', { email: 'ada@example.community' });
  await made('/v1/suppressions', { email: 'ada@example.com' });
  const found = await search(' Ada@Example.com ');
  assert.deepEqual(typesOf(found), ['contact', 'subscriber', 'subscriber', 'suppression']);
  assert.equal(found[0]?.id, contact);
  assert.deepEqual(
    found.filter(({ type }) => type === 'subscriber').map(({ parent }) => parent?.id),
    [two.id, one.id],
    'the newest first',
  );
});

type Named = (word: string) => Promise<string>;
/** Makes a record of each kind that has a name, with the word in it. Left out: a kind that no name finds. */
const NAMED: Readonly<Record<Kind, Named | undefined>> = {
  newsletter: async (word) => (await aNewsletter(app.db, workspaceId, { name: `The ${word} news` })).id,
  issue: async (word) => anIssue((await aNewsletter(app.db, workspaceId)).id, `The 100 %_ ${word}`),
  broadcast: (word) => made('/v1/broadcasts', { name: 'Autumn', subject: `Our ${word}` }),
  scheduled_email: (word) =>
    made('/v1/scheduled', {
      from: 'hello@posthorn.test',
      to: 'ada@example.com',
      subject: word,
      text: 'A',
      scheduled_for: new Date(Date.now() + 9 * 86_400_000).toISOString(),
    }),
  inbound_email: (word) => anInbound(app.db, workspaceId, { domainId: newId(), subject: `Re: ${word}` }),
  template: (word) => made('/v1/templates', { name: 'Note', alias: `the-${word}`, html: '<p>Hello</p>' }),
  list: (word) => made('/v1/lists', { name: `${word} keepers` }),
  segment: (word) =>
    made('/v1/segments', {
      name: `Near the ${word}`,
      filter: { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: 'example.com' }] },
    }),
  automation: (word) =>
    made('/v1/automations', {
      name: `Welcome to the ${word}`,
      trigger: { type: 'api' },
      steps: [{ key: 'wait', type: 'delay', config: { duration: '1 day' } }],
    }),
  webhook: (word) => made('/v1/webhooks', { url: `https://example.com/${word}`, events: ['*'] }),
  domain: (word) => aPendingDomain(app.db, workspaceId, `${word}.example`),
  api_key: (word) => made('/v1/api-keys', { name: word, scopes: ['*'] }),
  // Found by an address.
  contact: undefined,
  subscriber: undefined,
  suppression: undefined,
  // In lists of their own, by subject and address, or by nothing but their ids.
  email: undefined,
  send: undefined,
  batch: undefined,
  captured_email: undefined,
  bulk_job: undefined,
  automation_run: undefined,
  webhook_delivery: undefined,
  event: undefined,
  import: undefined,
  export: undefined,
  image: undefined,
  request: undefined,
};

test('a part of a name, subject, alias, domain or URL finds the records of every kind that has one, in whatever case', async () => {
  const expected: [string, string][] = [];
  for (const kind of KINDS) {
    const make = NAMED[kind];
    assert.equal(make !== undefined, BY_NAME.has(kind), kind);
    if (make !== undefined) expected.push([kind, await make('lighthouse')]);
  }
  const found = await search('LIGHTHOUSE');
  assert.deepEqual(Object.fromEntries(found.map(({ type, id }) => [type, id])), Object.fromEntries(expected));
  assert.deepEqual(typesOf(found), [...BY_NAME.keys()], 'one of each, in the order of the kinds');
  const [issue] = await search('100 %_');
  assert.deepEqual([issue?.type, issue?.name, issue?.parent?.type], ['issue', 'The 100 %_ lighthouse', 'newsletter']);
  assert.deepEqual(await search('100%'), [], '% and _ are letters like others');
});

test('deleted automations and the endpoints of forwarded mail do not push others out of a search', async () => {
  const [automation, webhook] = [await NAMED.automation?.('quay'), await NAMED.webhook?.('quay')];
  await sql`
    insert into automations (workspace_id, id, name, status, version, heard, created_at, updated_at, deleted_at)
    select ${workspaceId}, ph_uuidv7(), 'Gone', 'disabled', 1, '{}', now(), now(), now()
      from generate_series(1, 1000)`.execute(app.db);
  await sql`
    insert into webhooks (workspace_id, id, url, secret, events, forwards_domain_id)
    select ${workspaceId}, ph_uuidv7(), 'https://example.com/inbox', '\\x00', '{*}', ph_uuidv7()
      from generate_series(1, 1000)`.execute(app.db);
  assert.deepEqual(
    (await search('quay')).map(({ id }) => id),
    [automation, webhook],
  );
});

test('five of a kind are shown, and they are the newest', async () => {
  const ids: string[] = [];
  for (let count = 1; count <= 6; count += 1) ids.push(await made('/v1/lists', { name: `Harbour ${count}` }));
  assert.deepEqual(
    (await search('harbour')).map(({ id }) => id),
    ids.slice(1).toReversed(),
  );
});

test('the first 100 characters are looked for in the first 300: a search of repeated letters costs little', async () => {
  const { id: newsletterId } = await aNewsletter(app.db, workspaceId);
  const issue = await anIssue(newsletterId, `${'lorem '.repeat(30)}IPSUM ${'dolor '.repeat(100)}amet`);
  const long = `ipsum ${'dolor '.repeat(30)}`;
  assert.deepEqual(
    (await search(`${long}another end`)).map(({ id }) => id),
    [issue],
  );
  assert.deepEqual(await search(`${long.slice(0, 90)}another end`), []);
  assert.deepEqual(await search('dolor amet'), [], 'behind the first 300');
});

test('nothing of another workspace is found', async () => {
  const other = await aWorkspace(app.db);
  await aNewsletter(app.db, other, { name: 'Foreign gazette' });
  await sql`insert into contacts (workspace_id, id, email) values (${other}, ${newId()}, 'foreign@example.com')`.execute(
    app.db,
  );
  assert.deepEqual(await search('gazette'), []);
  assert.deepEqual(await search('foreign@example.com'), []);
});

test('a key finds what it reads: the kinds of its scopes, and its own newsletters', async () => {
  const [mine, theirs] = [
    await aNewsletter(app.db, workspaceId, { name: 'Tide news' }),
    await aNewsletter(app.db, workspaceId, { name: 'Tide table' }),
  ];
  const issue = await anIssue(mine.id, 'Spring tide');
  for (let count = 1; count <= 6; count += 1) await anIssue(theirs.id, `Tide ${count}`);
  for (const { id } of [mine, theirs]) await made(`/v1/newsletters/${id}/subscribers`, { email: 'bob@example.com' });
  const limited = await keyOf({ newsletter_ids: [mine.id] });
  assert.deepEqual(
    (await search('tide', limited)).map(({ id }) => id),
    [mine.id, issue],
    'newer issues that it may not read do not hide its own',
  );
  assert.deepEqual(
    (await search('bob@example.com', limited)).map(({ parent }) => parent?.id),
    [mine.id],
  );
  assert.deepEqual(typesOf(await search('tide', await keyOf({ scopes: ['issues:read'] }))), Array(5).fill('issue'));
  assert.deepEqual(await search('bob@example.com', await keyOf({ scopes: ['issues:read'] })), []);
});

test('400 without words, and 403 for a key that reads no record', async () => {
  for (const url of [
    '/v1/records',
    '/v1/records?search=',
    '/v1/records?search=%20',
    `/v1/records?search=${'x'.repeat(201)}`,
  ]) {
    const { status, body } = await app.request({ url });
    assert.deepEqual([status, (body as { param: string }).param], [400, 'search'], url);
  }
  const key = await keyOf({ scopes: ['emails:send'] });
  assert.equal((await app.request({ url: '/v1/records?search=x', key })).status, 403);
});
