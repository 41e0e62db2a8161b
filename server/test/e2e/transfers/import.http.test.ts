import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { hashOfAddress } from '#features/consents';
import { askImported } from '../../../src/features/transfers/imports/ask-imported.ts';
import { aNewsletter } from '../../harness/builders.ts';
import { createTransferApp, type ImportBody, type TransferApp } from './transfer-app.ts';

let app: TransferApp;
before(async () => {
  app = await createTransferApp();
});
after(() => app.close());

const statuses = async (newsletterId: string) =>
  Object.fromEntries((await app.people(newsletterId)).map((one) => [one['email'], one['status']]));

interface Consent {
  action: string;
  email: string;
  details: Record<string, unknown>;
}

/** Of the one subscriber who is found so. Every answer is checked against its schema. */
async function consentsOf(newsletterId: string, search: string): Promise<Consent[]> {
  const path = `/v1/newsletters/${newsletterId}/subscribers`;
  const found = (await app.request({ url: `${path}?search=${search}` })).body as { data: { id: string }[] };
  const { body } = await app.request({ url: `${path}/${found.data[0]?.id}/consents` });
  return (body as { data: Consent[] }).data;
}

test('202 with the record of an import, and its file is worked on afterwards', async () => {
  const id = await app.newsletter();
  const answer = await app.upload(id, 'email,name\nAda@Example.com,Ada\n', 'consent=already_confirmed&source=fair');
  assert.equal(answer.status, 202);
  const { id: importId, created_at, created_by, ...record } = answer.body as ImportBody & { created_at: string };
  assert.deepEqual(record, {
    status: 'queued',
    target: { type: 'newsletter', id },
    format: 'csv',
    on_conflict: 'skip',
    dry_run: false,
    consent: 'already_confirmed',
    send_confirmation: false,
    counts: { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
    removed: 0,
    confirmations_sent: 0,
    progress: 0,
    columns: { recognised: ['email', 'name'], ignored: [] },
    errors_url: null,
    error: null,
    can_undo: false,
    started_at: null,
    completed_at: null,
    undone_at: null,
  });
  assert.deepEqual(await app.people(id), []);
  await app.work();
  const done = await app.readImport(importId);
  assert.deepEqual(
    [done.status, done.counts],
    ['completed', { total: 1, created: 1, updated: 0, skipped: 0, failed: 0 }],
  );
  const [ada] = await app.people(id);
  assert.deepEqual(
    [ada?.['email'], ada?.['name'], ada?.['source'], ada?.['status']],
    ['ada@example.com', 'Ada', 'fair', 'active'],
  );
  assert.deepEqual([created_by.type, created_by.email, typeof created_by.id], ['api_key', null, 'string']);
  assert.deepEqual(done.created_by, created_by);
  const data = await consentsOf(id, 'ada@');
  assert.deepEqual(
    data.map(({ action, email, details }) => ({ action, email, details: { ...details, importer_ip: 'any' } })),
    [
      {
        action: 'imported',
        email: 'ada@example.com',
        details: {
          import_id: importId,
          by: `api_key:${created_by.id}`,
          importer_ip: 'any',
          consent: 'already_confirmed',
          status: 'active',
        },
      },
    ],
  );
  const left = await sql`select from import_parts where workspace_id = ${app.workspaceId}`.execute(app.db);
  assert.equal(left.rows.length, 0);
  assert.ok(created_at);
});

test('422 without consent and question where people must confirm, and nothing is kept', async () => {
  const id = await app.newsletter();
  for (const query of ['', 'send_confirmation=false', 'dry_run=true']) {
    const answer = await app.upload(id, 'email\na@example.com\n', query);
    assert.equal(answer.status, 422, query);
    assert.match(answer.text, /"message":"consent is required, because [^"]*","param":"consent"/);
  }
  const { rows } = await sql`select from imports where workspace_id = ${app.workspaceId} and target_id = ${id}`.execute(
    app.db,
  );
  assert.equal(rows.length, 0);
});

test('202 and without attested consent everybody is pending, and nobody is mailed or told', async () => {
  const { id } = await aNewsletter(app.db, app.workspaceId, { doubleOptIn: false });
  await app.imported(id, 'email,status\na@example.com,active\nb@example.com,\n', '');
  assert.deepEqual(await statuses(id), { 'a@example.com': 'pending', 'b@example.com': 'pending' });
  for (const table of ['workspace_events', 'emails']) {
    const { rows } = await sql`select from ${sql.table(table)} where workspace_id = ${app.workspaceId}`.execute(app.db);
    assert.equal(rows.length, 0, table);
  }
});

test('202 and webhooks hear of each only when asked', async () => {
  const id = await app.newsletter();
  await app.imported(id, 'email\na@example.com\nb@example.com\n', 'consent=already_confirmed&emit_events=true');
  const { rows } = await sql<{ type: string }>`
    select type from workspace_events where workspace_id = ${app.workspaceId}`.execute(app.db);
  assert.deepEqual(
    rows.map((one) => one.type),
    Array(2).fill('newsletter.subscriber.confirmed'),
  );
});

test('nobody comes back by a file: unsubscribed, suppressed and erased people are skipped, with the reason', async () => {
  const id = await app.newsletter();
  const people = ['email', 'left@example.com', 'bounced@example.com', 'erased@example.com', 'new@example.com'].join(
    '\n',
  );
  await app.imported(id, 'email,status\nleft@example.com,unsubscribed\n');
  await app.request({ url: '/v1/suppressions', body: { email: 'bounced@example.com' } });
  await sql`insert into consents (workspace_id, id, newsletter_id, email_hash, action) values (${app.workspaceId},
    ${newId()}, ${id}, ${hashOfAddress(app.secrets, 'erased@example.com')}, 'erased')`.execute(app.db);
  for (const conflict of ['skip', 'upsert']) {
    const done = await app.imported(id, people, `consent=already_confirmed&on_conflict=${conflict}`);
    assert.deepEqual(await statuses(id), { 'left@example.com': 'unsubscribed', 'new@example.com': 'active' });
    assert.deepEqual((await app.results(done.id)).slice(0, 3), [
      '2,left@example.com,skipped,unsubscribed,',
      '3,bounced@example.com,skipped,suppressed,',
      '4,,skipped,erased,',
    ]);
  }
});

test('a person who left according to the file is unsubscribed with an event, unless they confirmed since', async () => {
  const id = await app.newsletter();
  await app.imported(
    id,
    'email,confirmed_at\na@example.com,2026-01-01\nb@example.com,2026-01-01\nc@example.com,2026-06-01\n',
  );
  const done = await app.imported(
    id,
    'Email Address,UNSUB_TIME,CLEAN_TIME\na@example.com,2026-03-01 10:00:00,\nb@example.com,,2026-03-02 10:00:00\n' +
      'c@example.com,2026-03-01 10:00:00,\n',
  );
  assert.deepEqual(await statuses(id), {
    'a@example.com': 'unsubscribed',
    'b@example.com': 'unsubscribed',
    'c@example.com': 'active',
  });
  assert.deepEqual(done.counts, { total: 3, created: 0, updated: 2, skipped: 1, failed: 0 });
  assert.deepEqual(await app.results(done.id), ['4,c@example.com,skipped,subscribed_since,']);
  const { rows } = await sql<{ payload: { reason: string; previous_status: string } }>`
    select payload from workspace_events where workspace_id = ${app.workspaceId}
       and type = 'newsletter.subscriber.unsubscribed' order by payload ->> 'reason'`.execute(app.db);
  assert.deepEqual(
    rows.map(({ payload: { reason, previous_status } }) => ({ reason, previous_status })),
    [
      { reason: 'api', previous_status: 'active' },
      { reason: 'hard_bounce', previous_status: 'active' },
    ],
  );
});

test('a column called type says who left or never confirmed where there is no status, and may be anything else', async () => {
  const id = await app.newsletter();
  const consent = 'consent=already_confirmed&other_columns=metadata';
  const file = 'email_address,type\na@example.com,regular\nb@example.com,unactivated\nc@example.com,unsubscribed\n';
  await app.imported(id, `${file}d@example.com,lead\n`, consent);
  await app.imported(id, 'email,status,type\ne@example.com,active,unsubscribed\n', consent);
  assert.deepEqual(await statuses(id), {
    'a@example.com': 'active',
    'b@example.com': 'pending',
    'c@example.com': 'unsubscribed',
    'd@example.com': 'active',
    'e@example.com': 'active',
  });
  const lead = (await app.people(id)).find((one) => one['email'] === 'd@example.com');
  assert.deepEqual(lead?.['metadata'], { type: 'lead' });
});

test('by default only what is empty is filled; upsert overwrites name, source and metadata, and never a status', async () => {
  const id = await app.newsletter();
  await app.imported(
    id,
    'email,name,metadata,status\na@example.com,Ada,"{""plan"":""pro""}",active\nb@example.com,,,pending\n',
  );
  const again =
    'email,name,metadata,status\na@example.com,Eve,"{""plan"":""free"",""city"":""Rome""}",\nb@example.com,Bob,,active\n';
  const fill = await app.imported(id, again);
  const shown = async () => (await app.people(id)).map((one) => [one['name'], one['metadata'], one['status']]);
  assert.deepEqual(await shown(), [
    ['Ada', { plan: 'pro', city: 'Rome' }, 'active'],
    ['Bob', {}, 'pending'],
  ]);
  assert.deepEqual(fill.counts, { total: 2, created: 0, updated: 2, skipped: 0, failed: 0 });
  await app.imported(id, again, 'consent=already_confirmed&on_conflict=upsert');
  assert.deepEqual(await shown(), [
    ['Eve', { plan: 'free', city: 'Rome' }, 'active'],
    ['Bob', {}, 'pending'],
  ]);
  const same = await app.imported(id, again, 'consent=already_confirmed&on_conflict=upsert');
  assert.deepEqual([same.counts.skipped, same.counts.updated], [2, 0]);
});

test('a dry run says of every row what would be done, and does nothing', async () => {
  const id = await app.newsletter();
  await app.imported(id, 'email\nold@example.com\n');
  const before = await app.people(id);
  const file = `email,name\nnew@example.com,N\nold@example.com,O\nnew@example.com,N\nnobody,=1+1\n`;
  const done = await app.imported(id, file, 'consent=already_confirmed&dry_run=true');
  assert.deepEqual(done.counts, { total: 4, created: 1, updated: 1, skipped: 1, failed: 1 });
  assert.deepEqual(await app.results(done.id), [
    '2,new@example.com,created,,',
    '3,old@example.com,updated,,',
    '4,new@example.com,skipped,duplicate,',
    '5,nobody,failed,invalid_email,The address has no @.',
  ]);
  assert.deepEqual(await app.people(id), before);
  assert.equal(done.can_undo, false);
});

/** More than a page of people. */
const MANY = Array.from({ length: 700 }, (_, n) => `filler-${n}@example.com,,`).join('\n');

test('the first row of an address counts, however far the next one is, and a dry run says the same', async () => {
  const id = await app.newsletter();
  await app.imported(id, 'email\nold@example.com\n');
  const file = `email,name,status\nold@example.com,One,\nnew@example.com,One,\n${MANY}\nold@example.com,Two,\nnew@example.com,Two,\n`;
  const asked = 'consent=already_confirmed&on_conflict=upsert';
  const [dry, real] = [await app.imported(id, file, `${asked}&dry_run=true`), await app.imported(id, file, asked)];
  for (const { id: done } of [dry, real]) {
    assert.deepEqual((await app.results(done)).slice(-2), [
      '704,old@example.com,skipped,duplicate,',
      '705,new@example.com,skipped,duplicate,',
    ]);
  }
  assert.deepEqual(real.counts, dry.counts);
  const named = (await app.people(id)).filter((one) => one['name'] !== null);
  assert.deepEqual(
    named.map((one) => [one['email'], one['name']]),
    [
      ['new@example.com', 'One'],
      ['old@example.com', 'One'],
    ],
  );
});

test('a row that says that a person left counts before the others of its address, wherever it stands', async () => {
  for (const between of ['', `${MANY}\n`]) {
    const id = await app.newsletter();
    await app.imported(id, 'email\nold@example.com\n', 'consent=already_confirmed');
    const file = `email,name,status\nold@example.com,,active\nnew@example.com,,active\n${between}old@example.com,,unsubscribed\nnew@example.com,,unsubscribed\n`;
    const asked = 'consent=already_confirmed';
    const [dry, real] = [await app.imported(id, file, `${asked}&dry_run=true`), await app.imported(id, file, asked)];
    const status = new Map((await app.people(id)).map((one) => [one['email'], one['status']]));
    assert.deepEqual([status.get('old@example.com'), status.get('new@example.com')], ['unsubscribed', 'unsubscribed']);
    assert.deepEqual(real.counts, dry.counts);
  }
});

test('409 for the undo of a dry run, of what runs, and of what ended a day ago; an undo takes back what it added', async () => {
  const id = await app.newsletter();
  await app.imported(id, 'email\nold@example.com\n');
  const done = await app.imported(id, 'email,name\nold@example.com,O\nnew@example.com,N\nkept@example.com,K\n');
  await sql`update subscribers set updated_at = now() where workspace_id = ${app.workspaceId}
     and newsletter_id = ${id} and email = 'kept@example.com'`.execute(app.db);
  const undone = await app.request({ url: `/v1/imports/${done.id}/undo`, method: 'POST' });
  const { status, undone_at } = undone.body as ImportBody;
  assert.deepEqual([undone.status, status, undone_at], [200, 'undone', null]);
  const { text } = await app.request({ url: `/v1/imports/${done.id}/cancel`, method: 'POST' });
  assert.match(text, /This import is undone: there is nothing to cancel/);
  await app.work();
  assert.notEqual((await app.readImport(done.id)).undone_at, null);
  assert.deepEqual(Object.keys(await statuses(id)), ['kept@example.com', 'old@example.com']);
  assert.equal((await app.readImport(done.id)).removed, 1);
  const again = await app.imported(id, 'email\nnew@example.com\n');
  assert.equal(again.counts.created, 1);
  const { rows } = await sql<{ active: number }>`select sum(active)::integer as active from subscriber_counts
    where workspace_id = ${app.workspaceId} and newsletter_id = ${id}`.execute(app.db);
  assert.equal(rows[0]?.active, 3);

  const dry = await app.imported(id, 'email\nx@example.com\n', 'consent=already_confirmed&dry_run=true');
  for (const method of ['GET', 'POST'] as const) {
    assert.equal((await app.request({ url: `/v1/imports/${dry.id}/undo`, method })).status, 409);
  }
  await sql`update imports set completed_at = completed_at - interval '25 hours'
    where workspace_id = ${app.workspaceId} and id = ${again.id}`.execute(app.db);
  assert.equal((await app.request({ url: `/v1/imports/${again.id}/undo`, method: 'POST' })).status, 409);
  assert.equal(Object.keys(await statuses(id)).length, 3);
});

test('200 counts what an undo removes and why others stay, before it, while it works and after it', async () => {
  const id = await app.newsletter();
  const emails = ['new', 'named', 'left', 'waits', 'asked', 'follows'].map((name) => `${name}@example.com`);
  const states = ['', '', '', 'pending', 'pending', 'pending'];
  const file = `email,status\n${emails.map((email, at) => `${email},${states[at]}`).join('\n')}\n`;
  const { id: importId } = await app.imported(id, file);
  const count = async () => (await app.request({ url: `/v1/imports/${importId}/undo` })).body;
  const none = { total: 0, unsubscribed: 0, confirmed: 0, asked: 0, on_other_lists: 0, changed: 0 };
  assert.deepEqual(await count(), { removes: 6, stays: none });

  const subscriber = `/v1/newsletters/${id}/subscribers`;
  const idOf = async (search: string) =>
    ((await app.request({ url: `${subscriber}?search=${search}` })).body as { data: { id: string }[] }).data[0]?.id;
  const named = { url: `${subscriber}/${await idOf('named@')}`, method: 'PATCH', body: { name: 'Ada' } } as const;
  assert.equal((await app.request(named)).status, 200);
  const left = { url: `${subscriber}/${await idOf('left@')}/unsubscribe`, method: 'POST' } as const;
  assert.equal((await app.request(left)).status, 200);
  const row = sql`workspace_id = ${app.workspaceId} and newsletter_id = ${id}`;
  await sql`update subscribers set confirmation_sent_at = clock_timestamp(), updated_at = clock_timestamp()
     where ${row} and email in ('asked@example.com', 'follows@example.com')`.execute(app.db);
  await sql`update subscribers set status = 'active', confirmed_at = clock_timestamp()
     where ${row} and email = 'follows@example.com'`.execute(app.db);
  const stays = { ...none, total: 4, unsubscribed: 1, confirmed: 1, asked: 1, changed: 1 };
  assert.deepEqual(await count(), { removes: 2, stays });

  await app.request({ url: `/v1/imports/${importId}/undo`, method: 'POST' });
  assert.deepEqual(await count(), { removes: 2, stays });
  await app.work();
  assert.deepEqual(await count(), { removes: 0, stays });
  assert.equal((await app.readImport(importId)).removed, 2);
  assert.deepEqual(Object.keys(await statuses(id)), [emails[4], emails[5], emails[2], emails[1]]);
});

test('200 for a cancel before the work begins, which then does nothing; 409 for one after the end', async () => {
  const id = await app.newsletter();
  const answer = await app.upload(id, 'email\na@example.com\n');
  const { id: importId } = answer.body as ImportBody;
  const cancelled = await app.request({ url: `/v1/imports/${importId}/cancel`, method: 'POST' });
  assert.deepEqual([cancelled.status, (cancelled.body as ImportBody).status], [200, 'cancelled']);
  await app.work();
  assert.deepEqual(await app.people(id), []);
  assert.equal((await app.request({ url: `/v1/imports/${importId}/cancel`, method: 'POST' })).status, 409);
});

test('200 lists imports newest first, of one newsletter or of all', async () => {
  const [one, other] = [await app.newsletter(), await app.newsletter()];
  const first = await app.imported(one, 'email\na@example.com\n');
  const second = await app.imported(other, 'email\na@example.com\n');
  const all = (await app.request({ url: '/v1/imports?limit=2' })).body as { data: ImportBody[]; has_more: boolean };
  assert.deepEqual(
    all.data.map((row) => row.id),
    [second.id, first.id],
  );
  assert.equal(all.has_more, true);
  const ofOne = (await app.request({ url: `/v1/imports?newsletter_id=${one}` })).body as { data: ImportBody[] };
  assert.deepEqual(
    ofOne.data.map((row) => row.id),
    [first.id],
  );
  const none = (await app.request({ url: `/v1/imports?newsletter_id=${newId()}` })).body as {
    data: ImportBody[];
    total: number;
  };
  assert.deepEqual([none.data, none.total], [[], 0]);
  const wrong = await app.request({ url: '/v1/imports?newsletter_id=x' });
  assert.deepEqual([wrong.status, Reflect.get(Object(wrong.body), 'param')], [400, 'newsletter_id']);
});

test('400 for what is no list of addresses, told at once, and nothing is kept', async () => {
  const id = await app.newsletter();
  const cases: [string | Buffer, RegExp, string?][] = [
    ['', /empty/],
    ['name,city\nAda,Rome\n', /no column of addresses/],
    [Buffer.from('\ufeffemail\nada@example.com\n', 'utf16le'), /UTF-16/],
    [Buffer.from('email,name,and more\n', 'utf16le'), /UTF-16/],
    [Buffer.from('e-m\xe4il,name\n', 'latin1'), /UTF-8/],
    [`email${',x'.repeat(1_001)}\n`, /1000 columns/],
    ['"email\n', /not CSV/],
    ['[{"email":"a@example.com"}]', /Write one in each line/, 'application/jsonl'],
    ['{"name":"Ada"}', /no field \\"email/, 'application/jsonl'],
  ];
  for (const [file, message, type] of cases) {
    const answer = await app.upload(id, file, undefined, type === undefined ? {} : { 'content-type': type });
    assert.equal(answer.status, 400, String(message));
    assert.match(answer.text, message);
  }
  for (const query of [
    'column_map=x',
    'column_map={"a":"b"}',
    'consent=already_confirmed&column_map={"a":"email"}',
    'consent=yes',
    'dry_run=1',
    'source=%20',
  ]) {
    assert.equal((await app.upload(id, 'email\n', query)).status, 400, query);
  }
  const twice = 'consent=already_confirmed&column_map={"state":"status","left":"status"}';
  const both = await app.upload(id, 'email,state,left\nada@example.com,active,unsubscribed\n', twice);
  assert.equal(both.status, 400, 'of two columns of status, one would count and nobody would know which');
  assert.match(both.text, /both status/);
  assert.equal((await app.upload(id, 'email\n', 'consent=already_confirmed&send_confirmation=true')).status, 422);
  const { rows } = await sql`select from imports where workspace_id = ${app.workspaceId} and target_id = ${id}`.execute(
    app.db,
  );
  assert.equal(rows.length, 0);
});

test('404 for a newsletter and an import that are not there; 415 for another type', async () => {
  const id = await app.newsletter();
  for (const unknown of [newId(), 'x']) {
    assert.equal((await app.upload(unknown, 'email\n')).status, 404);
    for (const [url, method] of [
      ['', 'GET'],
      ['/errors', 'GET'],
      ['/cancel', 'POST'],
      ['/undo', 'POST'],
    ]) {
      assert.equal((await app.request({ url: `/v1/imports/${unknown}${url}`, method: method ?? '' })).status, 404);
    }
  }
  assert.equal((await app.upload(id, 'email\n', undefined, { 'content-type': 'text/plain' })).status, 415);
});

test('202 twice with the same Idempotency-Key is one import', async () => {
  const id = await app.newsletter();
  const headers = { 'idempotency-key': newId() };
  const one = await app.upload(id, 'email\na@example.com\n', undefined, headers);
  const two = await app.upload(id, 'email\na@example.com\n', undefined, headers);
  assert.deepEqual([two.status, two.body], [202, one.body]);
  assert.equal((await app.upload(id, 'email\nb@example.com\n', undefined, headers)).status, 409);
  const { rows } = await sql`select from imports where workspace_id = ${app.workspaceId} and target_id = ${id}`.execute(
    app.db,
  );
  assert.equal(rows.length, 1);
  await app.work();
});

test('the same address 20,000 times is one row', async () => {
  const id = await app.newsletter();
  const done = await app.imported(id, `email\n${'Ada@example.com\n'.repeat(20_000)}`);
  assert.deepEqual(done.counts, { total: 20_000, created: 1, updated: 0, skipped: 19_999, failed: 0 });
});

test('the same file twice at once gives each address one row, and counts that add up', async () => {
  const id = await app.newsletter();
  const file = `email\n${Array.from({ length: 3_000 }, (_, n) => `u${(n * 7_919) % 3_000}@example.com`).join('\n')}`;
  await app.upload(id, file, 'consent=already_confirmed');
  await app.upload(id, file, 'consent=already_confirmed');
  await Promise.all([app.work(), app.work(), app.work()]);
  assert.equal((await app.people(id)).length, 3_000);
  const { data } = (await app.request({ url: `/v1/imports?newsletter_id=${id}` })).body as { data: ImportBody[] };
  assert.deepEqual(
    data.map((one) => one.counts.total),
    [3_000, 3_000],
  );
  assert.equal(
    data.reduce((sum, one) => sum + one.counts.created, 0),
    3_000,
  );
  assert.equal(
    data.reduce((sum, one) => sum + one.counts.skipped, 0),
    3_000,
  );
});

test('202 with send_confirmation: who is pending is asked, two in a second however many wait, and each once', async () => {
  const id = await app.newsletter();
  const people = ['a', 'b', 'c', 'd', 'e'].map((one) => `${one}@ask.example,`);
  const file = `email,status\n${people.join('\n')}\nleft@ask.example,unsubscribed\n`;
  const done = await app.imported(id, file, 'send_confirmation=true');
  const asked = async () => {
    const { rows } = await sql<{ recipient: string; lane: number }>`
      select recipient, lane from emails where workspace_id = ${app.workspaceId} and recipient like '%@ask.example'
       order by recipient`.execute(app.db);
    return rows;
  };
  const nextSecond = () =>
    sql`update imports set confirmations_at = now() where workspace_id = ${app.workspaceId} and id = ${done.id}`.execute(
      app.db,
    );
  // For a transaction time stands still: the second call comes in the second of the first, however long that takes.
  const inOneSecond = await inTransaction(app.db, async (db) => [
    await askImported({ ...app.wiring, db }),
    await askImported({ ...app.wiring, db }),
  ]);
  assert.deepEqual(inOneSecond, [true, false]);
  assert.equal((await asked()).length, 2);
  const ask = () => askImported(app.wiring);
  for (let second = 0; second < 4; second += 1) {
    await nextSecond();
    await ask();
  }
  assert.deepEqual(
    await asked(),
    people.map((one) => ({ recipient: one.slice(0, -1), lane: 1 })),
  );
  const record = (await app.request({ url: `/v1/imports/${done.id}` })).body as { confirmations_sent: number };
  assert.equal(record.confirmations_sent, 5);
  await nextSecond();
  assert.equal(await ask(), false);
});
