import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { accept, aContent, aSend, people } from '../test-kit.ts';
import { applyRetention } from './retention.ts';

const DAY_MS = 86_400_000;
const log = createLog({ level: 'silent' });

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
const nextHour = () => sql`update rounds set next_at = 'epoch', through = 'epoch'`.execute(t.db);
beforeEach(async () => {
  await sql`truncate emails, email_events, contents, send_requests, batches cascade`.execute(t.db);
  await nextHour();
});

/** A round that takes place so many days from now. */
const roundIn = (days: number, given: { retentionDays?: number; clientDataDays?: number } = {}, goOn?: () => boolean) =>
  applyRetention(
    {
      db: t.db,
      log,
      clock: createTestClock({ at: new Date(Date.now() + days * DAY_MS) }),
      settings: { retentionDays: 90, clientDataDays: 0, ...given },
    },
    goOn,
  );

const setStatus = (workspaceId: string, recipient: string, status: string) =>
  sql`update emails set status = ${status} where workspace_id = ${workspaceId} and recipient = ${recipient}`.execute(
    t.db,
  );

async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from emails where workspace_id = ${workspaceId})::integer as emails,
      (select count(*) from email_events where workspace_id = ${workspaceId})::integer as events,
      (select count(*) from email_attempts where workspace_id = ${workspaceId})::integer as attempts,
      (select count(*) from contents where workspace_id = ${workspaceId})::integer as contents,
      (select count(*) from attachments where workspace_id = ${workspaceId})::integer as files,
      (select count(*) from batches where workspace_id = ${workspaceId})::integer as batches,
      (select count(*) from send_requests where workspace_id = ${workspaceId})::integer as sends`.execute(t.db);
  return rows[0] ?? {};
}

const file = {
  filename: 'a.txt',
  contentType: 'text/plain',
  cid: null,
  disposition: 'attachment' as const,
  body: Buffer.from('a'),
};

/** A batch of one send with a file to two people; one of the emails has an attempt on record. */
async function aSent(workspaceId: string): Promise<void> {
  const batch = { id: newId(), index: 0 };
  await sql`insert into batches (workspace_id, id) values (${workspaceId}, ${batch.id})`.execute(t.db);
  const content = aContent({ attachments: [file] });
  const { emails } = await accept(t.db, workspaceId, aSend(['ada@example.com', 'bob@example.com'], { content, batch }));
  await sql`insert into email_attempts (workspace_id, id, email_id, attempt, outcome)
    values (${workspaceId}, ${newId()}, ${emails[0]?.id}, 1, 'temporary')`.execute(t.db);
  await sql`update emails set status = 'delivered' where workspace_id = ${workspaceId}`.execute(t.db);
}
const all = { emails: 2, events: 2, attempts: 1, contents: 1, files: 1, batches: 1, sends: 1 };
const nothing = { emails: 0, events: 0, attempts: 0, contents: 0, files: 0, batches: 0, sends: 0 };

test('emails go after the days of the setting, with events, attempts, content, files and batch, and not before', async () => {
  const workspaces = [newId(), newId()];
  for (const workspaceId of workspaces) await aSent(workspaceId);
  await roundIn(89);
  for (const workspaceId of workspaces) assert.deepEqual(await rowsOf(workspaceId), all);
  await nextHour();
  await roundIn(91);
  for (const workspaceId of workspaces) assert.deepEqual(await rowsOf(workspaceId), nothing);
});

test('contents of single recipients go with their send, with their files', async () => {
  const workspaceId = newId();
  const content = aContent({ attachments: [file] });
  const variants = [{ subject: 'Own', html: null, text: 'own', of: [1] }];
  await accept(t.db, workspaceId, aSend(['ada@example.com', 'bob@example.com'], { content, variants }));
  await sql`update emails set status = 'delivered' where workspace_id = ${workspaceId}`.execute(t.db);
  const { contents, files } = await rowsOf(workspaceId);
  assert.deepEqual([contents, files], [2, 2]);
  await roundIn(91);
  assert.deepEqual(await rowsOf(workspaceId), nothing);
});

test('among more workspaces than one statement looks at, each with something due is cleared, and no other', async () => {
  await sql`
    with workspace as (select ph_uuidv7() as id from generate_series(1, 1200))
    insert into batches (workspace_id, id)
    select id, case when row_number() over (order by id) % 400 = 0 then '01900000-0000-7000-8000-000000000000'::uuid
                    else ph_uuidv7() end from workspace`.execute(t.db);
  await roundIn(1);
  const { rows } = await sql<{ old: number; young: number }>`
    select count(*) filter (where id < '01910000-0000-7000-8000-000000000000')::integer as old,
           count(*) filter (where id > '01910000-0000-7000-8000-000000000000')::integer as young from batches`.execute(
    t.db,
  );
  assert.deepEqual(rows, [{ old: 0, young: 1_197 }]);
});

test('0 days keep emails for ever', async () => {
  const workspaceId = newId();
  await aSent(workspaceId);
  assert.equal(await roundIn(10_000, { retentionDays: 0 }), 0);
  assert.deepEqual(await rowsOf(workspaceId), all);
});

test('an email that still waits or is being sent stays with its content, however old it is', async () => {
  const workspaceId = newId();
  await aSent(workspaceId);
  for (const status of ['pending', 'queued', 'deferred', 'sending']) {
    await setStatus(workspaceId, 'ada@example.com', status);
    await nextHour();
    await roundIn(91);
    const left = await rowsOf(workspaceId);
    assert.deepEqual({ ...left, events: left['events'] }, { ...all, emails: 1, events: 1 }, status);
  }
  await setStatus(workspaceId, 'ada@example.com', 'unconfirmed');
  await nextHour();
  await roundIn(91);
  assert.deepEqual(await rowsOf(workspaceId), nothing);
});

test('a bulk send keeps its record and its counts, and loses its content', async () => {
  const workspaceId = newId();
  await aSent(workspaceId);
  await sql`update send_requests set bulk_state = 'released' where workspace_id = ${workspaceId}`.execute(t.db);
  await sql`insert into send_counts (workspace_id, send_id, total, delivered)
    select workspace_id, id, 2, 2 from send_requests where workspace_id = ${workspaceId}`.execute(t.db);
  await roundIn(91);
  assert.deepEqual(await rowsOf(workspaceId), { ...nothing, contents: 1, files: 1, batches: 1, sends: 1 });
  const { rows } = await sql`select c.html, c.text, c.subject, n.total, n.delivered
    from contents c join send_counts n on n.workspace_id = c.workspace_id
   where c.workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(rows, [{ html: null, text: null, subject: 'Your receipt', total: 2, delivered: 2 }]);
});

test('a bulk send that has not ended keeps its content', async () => {
  const workspaceId = newId();
  await aSent(workspaceId);
  await sql`update send_requests set bulk_state = 'releasing' where workspace_id = ${workspaceId}`.execute(t.db);
  await roundIn(91);
  const { rows } = await sql`select html from contents where workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(rows, [{ html: '<p>Thank you</p>' }]);
});

test('addresses of clients leave opens and clicks after their days; links and verdicts stay', async () => {
  const workspaceId = newId();
  const { emails } = await accept(t.db, workspaceId, aSend(['ada@example.com']));
  const client = { ipAddress: '203.0.113.7', userAgent: 'Mail', is_bot: false };
  for (const [type, data] of [
    ['open', client],
    ['click', { ...client, link: 'https://acme.test/' }],
  ] as const) {
    await sql`insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      values (${workspaceId}, ${newId()}, ${emails[0]?.id}, ${type}, 'ada@example.com', ${JSON.stringify({ [type]: data })})`.execute(
      t.db,
    );
  }
  const dataOf = async () =>
    (
      await sql<{ data: unknown }>`select event_data -> type as data from email_events
        where workspace_id = ${workspaceId} and type in ('open', 'click') order by id`.execute(t.db)
    ).rows.map(({ data }) => data);
  await roundIn(29, { clientDataDays: 30 });
  assert.deepEqual(await dataOf(), [client, { ...client, link: 'https://acme.test/' }]);
  await sql`update rounds set next_at = 'epoch'`.execute(t.db);
  await roundIn(31, { clientDataDays: 30 });
  const without = { ipAddress: null, userAgent: null, is_bot: false };
  assert.deepEqual(await dataOf(), [without, { ...without, link: 'https://acme.test/' }]);
});

test('one process does the round of an hour', async () => {
  const rounds = await Promise.all([roundIn(0), roundIn(0), roundIn(0)]);
  assert.equal(rounds.filter((removed) => removed !== undefined).length, 1);
  assert.equal(await roundIn(0), undefined);
});

test('a clock that was set forward and back again delays no round by more than an hour', async () => {
  await sql`update rounds set next_at = now() + interval '3 days'`.execute(t.db);
  assert.notEqual(await roundIn(0), undefined);
  assert.equal(await roundIn(0), undefined, 'the hour counts from this round');
});

test('a process of the version before shares the round of the hour', async () => {
  // Statements of that version.
  const old = () =>
    sql`update retention_rounds set next_at = now() + interval '1 hour' where next_at <= now()
      returning greatest(client_data_through, to_timestamp(0)) as "clientDataThrough"`.execute(t.db);
  assert.equal((await old()).rows.length, 1);
  assert.equal(await roundIn(0), undefined);
  await sql`update retention_rounds set client_data_through = '2026-11-01T00:00:00Z'`.execute(t.db);
  const { rows } = await sql`select through from rounds where name = 'retention'`.execute(t.db);
  assert.deepEqual(rows, [{ through: new Date('2026-11-01T00:00:00Z') }]);
  await nextHour();
  assert.notEqual(await roundIn(0), undefined);
  assert.equal((await old()).rows.length, 0);
});

test('a process that stops in the middle leaves whole pages, and a later round goes on', async () => {
  const workspaceId = newId();
  const { emails } = await accept(t.db, workspaceId, aSend(people(1_000)));
  await accept(t.db, workspaceId, aSend(people(200)));
  assert.equal(emails.length, 1_000);
  await sql`update emails set status = 'delivered' where workspace_id = ${workspaceId}`.execute(t.db);
  let asked = 0;
  await roundIn(91, {}, () => (asked += 1) <= 2);
  const { emails: left, events } = await rowsOf(workspaceId);
  assert.deepEqual([left, events], [200, 200]);
  await nextHour();
  await roundIn(91);
  assert.deepEqual(await rowsOf(workspaceId), nothing);
});
