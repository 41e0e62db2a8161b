import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { createLog } from '#platform/log.ts';
import { contactExports } from '../../../src/features/contacts/export/export-source.ts';
import { listImports } from '../../../src/features/contacts/imports/list-imports.ts';
import { runExport } from '../../../src/features/transfers/exports/run-export.ts';
import { runImport } from '../../../src/features/transfers/imports/run-import.ts';
import type { TransferTarget } from '../../../src/features/transfers/transfer-target.ts';
import { createTestApp, type TestApp } from '../../harness/app.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
  const properties = { plan: 'pro', seats: 1, vip: false };
  await call('POST', '/v1/contacts', { email: 'first@example.org', properties });
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown): Promise<Body> {
  const answer = await app.request({ method, url, ...(body === undefined ? {} : { body }) });
  return answer.body;
}

const upload = (list: string, file: string, query = '', type = 'text/csv') =>
  app.request({ url: `/v1/lists/${list}/import?${query}`, body: file, headers: { 'content-type': type } });

async function work(): Promise<void> {
  const target: TransferTarget = { type: 'list', imports: listImports(app), exports: contactExports(app) };
  const targets = new Map([[target.type, target]]);
  const wiring = { ...app, targets, log: createLog({ level: 'silent' }), leaseSeconds: 15 };
  while (await runImport(wiring, () => true));
  while (await runExport(wiring, () => true));
}

async function imported(list: string, file: string, query = '', type = 'text/csv'): Promise<Body> {
  const answer = await upload(list, file, query, type);
  assert.equal(answer.status, 202, answer.text);
  await work();
  return call('GET', `/v1/imports/${Reflect.get(Object(answer.body), 'id')}`);
}

const aList = async (): Promise<string> => (await call('POST', '/v1/lists', { name: 'From files' })).id;
const contact = (email: string): Promise<Body> => call('GET', `/v1/contacts/${email}`);
const results = async (id: string): Promise<string[]> =>
  (await app.request({ url: `/v1/imports/${id}/errors` })).text.split('\r\n').slice(1, -1);
const countOf = async (list: string): Promise<number> => (await call('GET', `/v1/lists/${list}`)).contact_count;

test('a file adds contacts with typed properties and puts them on the list, once', async () => {
  const list = await aList();
  const file =
    'Email,First name,Timezone,Seats,VIP,Team\n' +
    'ADA@example.com,Ada,Europe/Berlin,3,true,=red\n' +
    'bob@example.com,,,many,,\n' +
    'nobody,,,,,\n' +
    'cid@example.com,Cid,Mars,,,\n' +
    'ada@example.com,Ada again,,,,\n';
  const map = encodeURIComponent(JSON.stringify({ Seats: 'metadata.seats', VIP: 'metadata.vip' }));
  const { id, status, target, counts } = await imported(list, file, `column_map=${map}&other_columns=metadata`);
  assert.deepEqual([status, target], ['completed', { type: 'list', id: list }]);
  assert.deepEqual(counts, { total: 5, created: 1, updated: 0, skipped: 1, failed: 3 });
  const ada = await contact('ada@example.com');
  assert.deepEqual(
    [ada.first_name, ada.timezone, ada.properties, ada.list_ids],
    ['Ada', 'Europe/Berlin', { seats: 3, vip: true, team: '=red' }, [list]],
  );
  assert.equal((await contact('bob@example.com')).statusCode, 404);
  const told = await results(id);
  assert.match(told.find((line) => line.includes('bob@')) ?? '', /failed.*properties\.seats must be a number/);
  assert.equal(await countOf(list), 1);
  assert.deepEqual((await imported(list, file, `column_map=${map}&other_columns=metadata`)).counts.created, 0);
  const { data } = await call('GET', `/audit?action=import.created&target=list:${list}`);
  const { name } = await call('GET', `/v1/lists/${list}`);
  assert.deepEqual([data.length, data[0].details.name, data[0].details.dry_run], [2, name, false]);
});

test('a file brings nobody back who unsubscribed, left the list, is suppressed, was deleted so, or was erased', async () => {
  const list = await aList();
  const add = (email: string, more: object = {}) => call('POST', '/v1/contacts', { email, ...more });
  await add('out@a.test', { unsubscribed: true });
  await add('left@a.test');
  await call('POST', '/v1/contacts/left@a.test/unsubscribe', { list_id: list });
  await call('POST', '/v1/suppressions', { email: 'bad@a.test' });
  await add('gone@a.test', { unsubscribed: true });
  await call('DELETE', '/v1/contacts/gone@a.test');
  await add('erased@a.test');
  await call('DELETE', '/v1/contacts/erased@a.test?erase=true');
  const emails = ['out', 'left', 'bad', 'gone', 'erased'].map((name) => `${name}@a.test`);
  const file = ['email,name,status', ...emails.map((email) => `${email},New,active`)].join('\n');
  const { counts } = await imported(list, file, 'on_conflict=upsert');
  assert.deepEqual(counts, { total: 5, created: 0, updated: 0, skipped: 5, failed: 0 });
  assert.equal(await countOf(list), 0);
  assert.deepEqual((await contact('out@a.test')).unsubscribed, true);
  for (const email of emails.slice(2)) assert.equal((await contact(email)).statusCode, 404);
});

test('fields that are there are filled and not overwritten, unless the caller says so; leaving elsewhere is taken over', async () => {
  const list = await aList();
  await call('POST', '/v1/contacts', { email: 'eve@a.test', first_name: 'Eve', properties: { plan: 'pro' } });
  const rows = [
    { email: 'eve@a.test', first_name: 'Other', last_name: 'Adams', properties: { plan: 'free', seats: 2 } },
    { email: 'fay@a.test', unsubscribed: true },
  ];
  const file = rows.map((row) => JSON.stringify(row)).join('\n');
  const { counts } = await imported(list, file, '', 'application/jsonl');
  assert.deepEqual(counts, { total: 2, created: 1, updated: 1, skipped: 0, failed: 0 });
  const eve = await contact('eve@a.test');
  assert.deepEqual([eve.name, eve.properties, eve.list_ids], ['Eve Adams', { plan: 'pro', seats: 2 }, [list]]);
  const fay = await contact('fay@a.test');
  assert.deepEqual([fay.unsubscribed, fay.list_ids], [true, []]);
  await imported(list, file, 'on_conflict=upsert', 'application/jsonl');
  assert.deepEqual((await contact('eve@a.test')).properties, { plan: 'free', seats: 2 });
});

test('a dry run tells the same and leaves nothing; an undo takes back all that has not changed', async () => {
  const list = await aList();
  await call('POST', '/v1/contacts', { email: 'old@u.test' });
  const file = 'email,plan\nold@u.test,x\nnew@u.test,x\nchanged@u.test,x\n';
  const dry = await imported(list, file, 'dry_run=true');
  assert.deepEqual(dry.counts, { total: 3, created: 2, updated: 1, skipped: 0, failed: 0 });
  assert.deepEqual([await countOf(list), (await contact('new@u.test')).statusCode], [0, 404]);
  const real = await imported(list, file);
  assert.deepEqual([real.counts, await countOf(list)], [dry.counts, 3]);
  await call('PATCH', '/v1/contacts/changed@u.test', { name: 'Changed' });
  const count = () => call('GET', `/v1/imports/${real.id}/undo`);
  const stays = { total: 1, unsubscribed: 0, confirmed: 0, asked: 0, on_other_lists: 0, changed: 1 };
  assert.deepEqual(await count(), { removes: 3, stays });
  await call('POST', `/v1/imports/${real.id}/undo`);
  await work();
  assert.deepEqual(await count(), { removes: 0, stays });
  assert.equal(await countOf(list), 0);
  assert.equal((await contact('new@u.test')).statusCode, 404);
  assert.deepEqual(
    [(await contact('changed@u.test')).name, (await contact('old@u.test')).email],
    ['Changed', 'old@u.test'],
  );
  assert.equal(
    (await call('GET', `/v1/imports/${real.id}`)).removed,
    3,
    'each person who was taken off the list, once',
  );
});

test('of the rows of an address the first counts, and before it one that says that the person left', async () => {
  const list = await aList();
  const [twice, gone] = ['twice@rows.test', 'gone@rows.test'];
  const many = Array.from({ length: 700 }, (_, n) => `far-${n}@rows.test,,`).join('\n');
  const file = `email,first_name,status\n${twice},One,\n${gone},One,active\n${many}\n${twice},Two,\n${gone},Two,unsubscribed\n`;
  const dry = await imported(list, file, 'on_conflict=upsert&dry_run=true');
  const real = await imported(list, file, 'on_conflict=upsert');
  assert.deepEqual(real.counts, dry.counts);
  const [one, other] = await Promise.all([twice, gone].map(contact));
  assert.deepEqual([one.first_name, one.unsubscribed], ['One', false]);
  assert.equal(other.unsubscribed, true);
});

test('a contact of an import who has left the list or is on another stays, and is counted with the reason', async () => {
  const [list, other] = [await aList(), await aList()];
  const real = await imported(list, 'email\nonly@w.test\nleft@w.test\nboth@w.test\noff@w.test\n');
  await call('POST', `/v1/contacts/left@w.test/unsubscribe`, { list_id: list });
  await call('POST', `/v1/lists/${other}/contacts`, { emails: ['both@w.test'] });
  await call('DELETE', `/v1/lists/${list}/contacts`, { emails: ['off@w.test'] });
  const count = () => call('GET', `/v1/imports/${real.id}/undo`);
  const before = await count();
  assert.deepEqual(before.stays, {
    total: 2,
    unsubscribed: 1,
    confirmed: 0,
    asked: 0,
    on_other_lists: 1,
    changed: 0,
  });
  await call('POST', `/v1/imports/${real.id}/undo`);
  await work();
  assert.equal((await call('GET', `/v1/imports/${real.id}`)).removed, before.removes);
  assert.deepEqual(await count(), { removes: 0, stays: before.stays });
});

test('404 for a list that is none, and 422 for options of newsletters; no import is stored', async () => {
  const list = await aList();
  const { total } = await call('GET', '/v1/imports');
  assert.equal((await upload('0197f3d4-0000-7a50-9b1f-3f2f6f0c9a12', 'email\na@b.test\n')).status, 404);
  for (const query of ['consent=already_confirmed', 'send_confirmation=true', 'emit_events=true', 'source=x']) {
    const { status, body } = await upload(list, 'email\na@b.test\n', query);
    assert.deepEqual([status, Reflect.get(Object(body), 'param')], [422, query.split('=')[0]]);
  }
  assert.equal((await call('GET', '/v1/imports')).total, total);
});

test('an export in the background is the file of the stream, and is written anew when a contact is erased', async () => {
  const list = await aList();
  await imported(list, 'email\nada@x.test\nbob@x.test\n');
  const made = await call('POST', '/v1/exports', { resource: 'contacts', filters: { list_id: list } });
  const all = await call('POST', '/v1/exports', { resource: 'contacts', filters: {} });
  await work();
  const read = (id: string) => call('GET', `/v1/exports/${id}`);
  const { status, rows, filters, url } = await read(made.id);
  assert.deepEqual([status, rows, filters], ['completed', 2, { list_id: list }]);
  const file = await app.request({ url: String(url).replace(/^https?:\/\/[^/]*/, ''), key: null });
  assert.equal(file.text, (await app.request({ url: `/v1/contacts/export?list_id=${list}` })).text);
  const before = (await read(all.id)).rows;
  const unknown = await call('POST', '/v1/exports', { resource: 'contacts', filters: { plan: 'pro' } });
  assert.deepEqual([unknown.statusCode, unknown.param], [400, 'filters']);
  await call('DELETE', '/v1/contacts/bob@x.test?erase=true');
  assert.equal((await read(made.id)).status, 'queued');
  await work();
  assert.deepEqual([(await read(made.id)).rows, (await read(all.id)).rows], [1, before - 1]);

  const expired = await sql`update exports set completed_at = now() - interval '24 hours 1 second'
    where workspace_id = ${app.workspaceId} and id = ${made.id}`.execute(app.db);
  assert.equal(expired.numAffectedRows, 1n);
  await call('DELETE', '/v1/contacts/ada@x.test?erase=true');
  assert.deepEqual(
    [(await read(made.id)).status, (await read(all.id)).status],
    ['completed', 'queued'],
    'a file that nobody can fetch any more is not written again',
  );
  const { rows: parts } = await sql`select from export_parts where export_id = ${made.id}`.execute(app.db);
  assert.equal(parts.length, 0);
});

test('an export of a segment that is deleted before its turn fails and says why', async () => {
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'is_set' }] };
  const segment = await call('POST', '/v1/segments', { name: 'All', filter });
  const made = await call('POST', '/v1/exports', { resource: 'contacts', filters: { segment_id: segment.id } });
  await call('DELETE', `/v1/segments/${segment.id}`);
  await work();
  const { status, error } = await call('GET', `/v1/exports/${made.id}`);
  assert.deepEqual([status, error], ['failed', `No segment with id ${segment.id}.`]);
  assert.equal(
    (await call('POST', '/v1/exports', { resource: 'contacts', filters: { segment_id: segment.id } })).statusCode,
    404,
  );
});

test('each scope reaches the files of its own records', async () => {
  const list = await aList();
  const { id } = await imported(list, 'email\nada@x.test\n');
  const exported = await call('POST', '/v1/exports', { resource: 'contacts', filters: {} });
  const statuses = async (scopes: string[]): Promise<unknown[]> => {
    const { key } = await call('POST', '/v1/api-keys', { name: 'limited', scopes });
    const ask = (method: 'GET' | 'POST', url: string, body?: object) =>
      app.request({ method, url, key, ...(body === undefined ? {} : { body }) });
    const answers = [
      await ask('GET', `/v1/imports/${id}`),
      await ask('GET', `/v1/imports/${id}/errors`),
      await ask('POST', `/v1/imports/${id}/cancel`),
      await ask('GET', `/v1/exports/${exported.id}`),
      await ask('POST', '/v1/exports', { resource: 'contacts', filters: {} }),
    ];
    const listed = await ask('GET', '/v1/imports');
    return [...answers.map(({ status }) => status), Reflect.get(Object(listed.body), 'total')];
  };
  const { total } = await call('GET', '/v1/imports');
  assert.deepEqual(await statuses(['contacts:write']), [200, 200, 409, 200, 202, total]);
  assert.deepEqual(await statuses(['contacts:read']), [200, 200, 403, 200, 202, total]);
  assert.deepEqual(await statuses(['subscribers:write']), [403, 403, 403, 403, 403, 0]);
});

const zipped = (text: string): Buffer => gzipSync(text);

async function formed(fields: readonly [string, string | Blob, string?][], key?: string) {
  const form = new FormData();
  for (const [name, value, fileName] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName);
  }
  const sent = new Response(form);
  return app.request({
    url: '/v1/imports',
    body: Buffer.from(await sent.arrayBuffer()),
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    ...(key === undefined ? {} : { key }),
  });
}

const uploads = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from imports where target_type = 'none') + (select count(*) from import_parts) as n`.execute(
    app.db,
  );
  return Number(rows[0]?.n);
};

test('a form imports a file, whatever the order of its fields, plain or packed', async () => {
  const list = await aList();
  const csv = 'E-mail address,Plan\nform-a@x.test,pro\n';
  const target = JSON.stringify({ type: 'list', id: list });
  const map = JSON.stringify({ Plan: 'metadata.plan' });
  const file = (content: string | Buffer, name: string) => ['file', new Blob([content as string]), name] as const;
  const first = await formed([[...file(csv, 'people.csv')], ['target', target], ['column_map', map]]);
  assert.equal(first.status, 202, first.text);
  const packed = zipped('\n{"email":"form-b@x.test"}\n');
  const second = await formed([
    ['target', `list:${list}`],
    ['on_conflict', 'upsert'],
    [...file(packed as never, 'x.gz')],
  ]);
  assert.deepEqual([second.status, (second.body as Body).format], [202, 'jsonl'], second.text);
  await work();
  assert.equal(await countOf(list), 2);
  assert.equal((await contact('form-a@x.test')).properties.plan, 'pro');
});

test('a form takes both spellings of its fields, and names those that no import has', async () => {
  const list = await aList();
  const answer = await formed([
    ['colour', 'red'],
    ['file', new Blob(['email\nspelled@x.test\n']), 'a.csv'],
    ['target', `list:${list}`],
    ['dryRun', 'true'],
    ['onConflict', 'upsert'],
    ['shape', 'round'],
  ]);
  assert.equal(answer.status, 202, answer.text);
  const { dry_run: dryRun, on_conflict: onConflict } = answer.body as Body;
  assert.deepEqual([dryRun, onConflict, answer.headers['x-unknown-fields']], [true, 'upsert', 'colour,shape']);
  await work();
  assert.equal(await countOf(list), 0);
});

test('a form that is refused leaves nothing behind', async () => {
  const list = await aList();
  const file = ['file', new Blob(['email\na@b.test\n']), 'a.csv'] as const;
  const target = ['target', `list:${list}`] as const;
  const { key } = await call('POST', '/v1/api-keys', { name: 'limited', scopes: ['subscribers:write'] });
  for (const [fields, status, param, by] of [
    [[target], 400, 'file'],
    [[[...file]], 400, 'target'],
    [[[...file], ['target', 'planet']], 400, 'target'],
    [[[...file], ['target', '{"type":"planet"}']], 422, 'target'],
    [[[...file], ['target', '{"type":"list"}']], 422, 'target'],
    [[[...file], target, ['dry_rum', 'true']], 400, 'dry_rum'],
    [[[...file], target, ['dryRun', 'true'], ['dry_run', 'false']], 400, 'dry_run'],
    [[[...file], target, ['on_conflict', 'never']], 400, 'on_conflict'],
    [[[...file], target, ['source', 'x']], 422, 'source'],
    [[[...file], [...file], target], 400, 'file'],
    [[[...file], ['target', 'list:0197f3d4-0000-7a50-9b1f-3f2f6f0c9a12']], 404, undefined],
    [[[...file], target], 403, undefined, key],
    [[['file', new Blob(['no addresses\n1\n']), 'a.csv'], target], 400, 'file'],
    [[['file', new Blob(['']), 'a.csv'], target], 400, 'file'],
  ] as [[string, string][], number, string | undefined, string?][]) {
    const answer = await formed(fields, by);
    const { param: told } = answer.body as Body;
    assert.deepEqual([answer.status, told], [status, param], answer.text);
  }
  assert.equal(await uploads(), 0);
});

test('a packed file is unpacked as it arrives, and a damaged one is refused', async () => {
  const list = await aList();
  const lines = Array.from({ length: 3_000 }, (_, index) => `zip${index}@x.test,${index}`).join('\n');
  const packed = zipped(`email,number\n${lines}`);
  const good = await imported(list, packed as never, '', 'application/gzip');
  assert.deepEqual([good.format, good.counts.created], ['csv', 3_000]);
  for (const wrong of [packed.subarray(0, -20), Buffer.concat([packed.subarray(0, 300), Buffer.alloc(300)])]) {
    const answer = await upload(list, wrong as never, '', 'text/csv');
    assert.deepEqual([answer.status, Reflect.get(Object(answer.body), 'param')], [400, 'body'], answer.text);
  }
  assert.equal(await uploads(), 0);
});

test('the map of the last import is proposed for a file with the same columns, and for no other', async () => {
  const list = await aList();
  const map = { 'Mail (privat)': 'email', Stufe: 'metadata.level' };
  const query = `column_map=${encodeURIComponent(JSON.stringify(map))}&other_columns=metadata`;
  const propose = (columns: string[], type = 'list') =>
    call('GET', `/v1/imports/column-map?target_type=${type}&columns=${encodeURIComponent(JSON.stringify(columns))}`);
  const nothing = { import_id: null, column_map: null, other_columns: null };
  const file = 'Mail (privat);Stufe;Ort\nmapped@x.test;3;Ulm\n';
  await imported(list, file, `${query}&dry_run=true`);
  assert.deepEqual(await propose(['Mail (privat)', 'Stufe', 'Ort']), nothing);
  const { id } = await imported(list, file, query);
  const proposed = { import_id: id, column_map: map, other_columns: 'metadata' };
  assert.deepEqual(await propose(['Mail (privat)', 'Stufe', 'Ort ']), proposed);
  assert.deepEqual(await propose(['Stufe', 'Mail (privat)', 'Ort']), nothing);
  assert.deepEqual(await propose(['Mail (privat)', 'Stufe', 'Ort'], 'newsletter'), nothing);
});
