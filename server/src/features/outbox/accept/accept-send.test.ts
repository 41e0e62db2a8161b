import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { inTransaction } from '#platform/db/database.ts';
import type { Take } from '#platform/usage/take.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { accept, aContent, aSend, aWorkspace, people, queued, stateOf } from '../test-kit.ts';

const SUBJECT = '0197f3e0-0000-7000-8000-000000000001';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const countRows = async (workspaceId: string): Promise<Record<string, number>> => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from contents where workspace_id = ${workspaceId})::integer as contents,
           (select count(*) from send_requests where workspace_id = ${workspaceId})::integer as requests,
           (select count(*) from emails where workspace_id = ${workspaceId})::integer as emails,
           (select count(*) from email_events where workspace_id = ${workspaceId})::integer as events,
           (select count(*) from attachments where workspace_id = ${workspaceId})::integer as attachments`.execute(
    t.db,
  );
  return rows[0] ?? {};
};

const suppress = (workspaceId: string, email: string, expires: string | null = null): Promise<unknown> =>
  sql`insert into suppressions (workspace_id, id, email, reason, expires_at)
      values (${workspaceId}, gen_random_uuid(), ${email}, 'manual', ${expires}::timestamptz)`.execute(t.db);

test('a send that loses to others is tried again and stored once; the third loss is its last', async () => {
  const ws = await aWorkspace(t.db);
  // Raised by the server as a deadlock is, so many times: a sequence counts on though its statement is undone.
  await sql`create function lose() returns trigger language plpgsql as $$
    begin
      if nextval('tried') <= tg_argv[0]::integer then
        raise exception 'deadlock detected' using errcode = '40P01';
      end if;
      return new;
    end $$`.execute(t.db);
  for (const { times, stored } of [
    { times: 2, stored: true },
    { times: 3, stored: false },
  ]) {
    await sql`create sequence tried`.execute(t.db);
    await sql`create trigger lose before insert on contents for each row execute function lose(${sql.lit(String(times))})`.execute(
      t.db,
    );
    const send = accept(t.db, ws, aSend(['ada@example.com']));
    if (stored) assert.equal((await send).total, 1);
    else await assert.rejects(send, { code: '40P01' });
    await sql`drop trigger lose on contents`.execute(t.db);
    await sql`drop sequence tried`.execute(t.db);
    assert.deepEqual(await countRows(ws), { contents: 1, requests: 1, emails: 1, events: 1, attachments: 0 });
  }
});

test('an accepted send is content, request, one email per recipient and one send event each', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, aSend(['Ada <Ada@example.com>', 'bob@example.com']));
  assert.equal(receipt.total, 2);
  assert.equal(receipt.suppressed, 0);
  assert.deepEqual(
    receipt.emails.map(({ recipient, status }) => [recipient, status]),
    [
      ['ada@example.com', 'queued'],
      ['bob@example.com', 'queued'],
    ],
  );
  assert.deepEqual(await countRows(ws), { contents: 1, requests: 1, emails: 2, events: 2, attachments: 0 });
  const state = await stateOf(t.db, ws, receipt.emails[0]?.id ?? '');
  assert.deepEqual(state.events, [{ type: 'send', recipient: 'ada@example.com', data: { send: {} } }]);
});

test('a content of up to 4 KB is stored as it is, and a larger one is compressed', async () => {
  const ws = await aWorkspace(t.db);
  for (const chars of [3_000, 5_000]) {
    await accept(
      t.db,
      ws,
      aSend(['ada@example.com'], { content: aContent({ html: '<p>Hello</p>'.repeat(chars / 12) }) }),
    );
  }
  const { rows } = await sql<{ chars: number; compressed: boolean }>`
    select length(html) as chars, pg_column_compression(html) is not null as compressed from contents
     where workspace_id = ${ws} order by length(html)`.execute(t.db);
  assert.deepEqual(rows, [
    { chars: 3_000, compressed: false },
    { chars: 4_992, compressed: true },
  ]);
});

test('a suppressed recipient is no error: its email is suppressed with a reject event, the others are queued', async () => {
  const ws = await aWorkspace(t.db);
  await suppress(ws, 'bob@example.com');
  await suppress(ws, 'ada@example.com', '2020-01-01T00:00:00Z');
  const receipt = await accept(t.db, ws, aSend(['ada@example.com', 'Bob@example.com']));
  assert.deepEqual(
    receipt.emails.map((email) => email.status),
    ['queued', 'suppressed'],
  );
  assert.equal(receipt.suppressed, 1);
  const state = await stateOf(t.db, ws, receipt.emails[1]?.id ?? '');
  assert.equal(state.status, 'suppressed');
  assert.deepEqual(state.events, [
    { type: 'reject', recipient: 'bob@example.com', data: { reject: { reason: 'suppressed' } } },
  ]);
});

test('a suppression of another workspace changes nothing', async () => {
  const ws = await aWorkspace(t.db);
  await suppress(await aWorkspace(t.db), 'ada@example.com');
  const receipt = await accept(t.db, ws, aSend(['ada@example.com']));
  assert.equal(receipt.suppressed, 0);
});

test('a thousand recipients are one statement, each a round later than the one before', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, aSend(people(1_000)));
  const { rows } = await sql<{ first: number; last: number; rounds: number }>`
    select min(turn) as first, max(turn) as last, count(distinct turn)::integer as rounds from emails
     where workspace_id = ${ws}`.execute(t.db);
  assert.equal(receipt.total, 1_000);
  assert.equal(rows[0]?.rounds, 1_000);
  assert.equal((rows[0]?.last ?? 0) - (rows[0]?.first ?? 0), 999);
});

test('a workspace enters at the head of its lane whatever others have queued, and behind its own', async () => {
  const [a, b] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const ofA = await queued(t.db, a, 'system', people(100));
  const [first = ''] = await queued(t.db, b, 'system', people(1));
  const [second = ''] = await queued(t.db, b, 'system', people(1));
  const head = (await stateOf(t.db, a, ofA[0] ?? '')).turn;
  assert.equal((await stateOf(t.db, b, first)).turn, head);
  assert.equal((await stateOf(t.db, b, second)).turn, head + 1);
});

const NOON = new Date('2026-11-20T12:00:00Z');

/** Places of somebody's limit; the refusal names its tier. */
const aTake = (workspaceId: string, take: Partial<Take> = {}): Take => ({
  workspaceId,
  subjectId: SUBJECT,
  tier: 'hourly',
  windowStart: NOON,
  cap: 10,
  count: 1,
  refuse: () => new Error(`full: ${take.tier ?? 'hourly'}`),
  ...take,
});

const usedBy = async (workspaceId: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ tier: string; used: number }>`
    select tier, used from usage_windows where workspace_id = ${workspaceId} and subject_id = ${SUBJECT}`.execute(t.db);
  return Object.fromEntries(rows.map(({ tier, used }) => [tier, used]));
};

test('a take without room undoes the whole send, and counts in no window', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws), aTake(ws, { tier: 'daily', cap: 2, count: 3 })];
  await assert.rejects(accept(t.db, ws, aSend(['ada@example.com'], { takes })), { message: 'full: daily' });
  assert.deepEqual(await countRows(ws), { contents: 0, requests: 0, emails: 0, events: 0, attachments: 0 });
  assert.equal((await usedBy(ws))['hourly'] ?? 0, 0);
});

test('takes with room are counted with the send, which says what their windows count now', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws), aTake(ws, { tier: 'daily', count: 3 })];
  assert.deepEqual((await accept(t.db, ws, aSend(['ada@example.com'], { takes }))).used, [1, 3]);
  assert.deepEqual((await accept(t.db, ws, aSend(['ada@example.com'], { takes }))).used, [2, 6]);
  assert.deepEqual(await usedBy(ws), { hourly: 2, daily: 6 });
});

test('sends that come together take their places in their order: the first fit exactly, the others are refused', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, { cap: 7 }), aTake(ws, { tier: 'daily', cap: 100 })];
  const results = await Promise.allSettled(people(20).map((person) => accept(t.db, ws, aSend([person], { takes }))));
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.used[0] : String(result.reason.message))),
    [1, 2, 3, 4, 5, 6, 7, ...Array.from({ length: 13 }, () => 'full: hourly')],
  );
  assert.equal((await countRows(ws))['emails'], 7);
  assert.deepEqual(await usedBy(ws), { hourly: 7, daily: 7 });
});

test('sends whose room others take while they are stored are counted one by one, and none is lost or stored twice', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, { cap: 10 })];
  await accept(t.db, ws, aSend(['first@example.com'], { takes }));
  // Once, between the look at the windows and the taking of places: a sequence is not undone with its statement.
  await sql`create sequence raced`.execute(t.db);
  await sql`create function race() returns trigger language plpgsql as $$
    begin
      if nextval('raced') = 1 then
        update usage_windows set used = 9;
      end if;
      return null;
    end $$`.execute(t.db);
  await sql`create trigger race after insert on contents for each statement execute function race()`.execute(t.db);
  const receipts = await Promise.all(people(3).map((person) => accept(t.db, ws, aSend([person], { takes }))));
  await sql`drop trigger race on contents`.execute(t.db);
  const { rows } = await sql<{ statements: number }>`select last_value::integer as statements from raced`.execute(t.db);
  assert.deepEqual(rows, [{ statements: 4 }], 'one that was undone, and one for each send');
  assert.deepEqual(receipts.map(({ used }) => used[0]).toSorted(), [2, 3, 4]);
  assert.equal((await countRows(ws))['emails'], 4);
  assert.deepEqual(await usedBy(ws), { hourly: 4 });
});

test('a smaller send fits where a larger one before it did not', async () => {
  const ws = await aWorkspace(t.db);
  const sends = [6, 6, 4].map((count) => accept(t.db, ws, aSend(people(count), { takes: [aTake(ws, { count })] })));
  const results = await Promise.allSettled(sends);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(await usedBy(ws), { hourly: 10 });
});

test('inside a transaction places are taken by its last step, and a full window undoes all of it', async () => {
  const ws = await aWorkspace(t.db);
  const takes = [aTake(ws, { cap: 1 })];
  const inside = (): Promise<unknown> =>
    inTransaction(t.db, async (tx) => {
      await accept(tx, ws, aSend(['ada@example.com'], { takes }));
      const { rows } = await sql`select from usage_windows where workspace_id = ${ws}`.execute(tx);
      assert.equal(rows.length, 0, 'no row is locked while the transaction goes on');
    });
  await inside();
  assert.deepEqual(await usedBy(ws), { hourly: 1 });
  const before = await countRows(ws);
  await assert.rejects(
    inTransaction(t.db, (tx) => accept(tx, ws, aSend(['eve@example.com'], { takes }))),
    { message: 'full: hourly' },
  );
  assert.deepEqual(await countRows(ws), before);
});

test('a send that is too large to share takes its places as exactly', async () => {
  const ws = await aWorkspace(t.db);
  const large = () => aSend(people(60), { takes: [aTake(ws, { cap: 100, count: 60 })] });
  const results = await Promise.allSettled([accept(t.db, ws, large()), accept(t.db, ws, large())]);
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.deepEqual(await usedBy(ws), { hourly: 60 });
  assert.equal((await countRows(ws))['emails'], 60);
});

test('a grouped message is one email that costs as many slots as it has addresses', async () => {
  const ws = await aWorkspace(t.db);
  await suppress(ws, 'cc@example.com');
  const [to, cc, bcc] = ['to@example.com', 'cc@example.com', 'bcc@example.com'].map((text) => [parseMailbox(text)]);
  const grouped = { to: to ?? [], cc: cc ?? [], bcc: bcc ?? [] };
  const receipt = await accept(t.db, ws, aSend([], { grouped }));
  assert.deepEqual(
    receipt.emails.map(({ recipient, status }) => [recipient, status]),
    [['to@example.com', 'queued']],
  );
  const state = await stateOf(t.db, ws, receipt.emails[0]?.id ?? '');
  assert.equal(state.cost, 3);
  assert.deepEqual(state.events.map((event) => [event.type, event.recipient]).sort(), [
    ['reject', 'cc@example.com'],
    ['send', 'bcc@example.com'],
    ['send', 'to@example.com'],
  ]);
});

test('a grouped message is suppressed only when everybody on it is', async () => {
  const ws = await aWorkspace(t.db);
  await suppress(ws, 'to@example.com');
  await suppress(ws, 'cc@example.com');
  const grouped = { to: [parseMailbox('to@example.com')], cc: [parseMailbox('cc@example.com')], bcc: [] };
  const receipt = await accept(t.db, ws, aSend([], { grouped }));
  assert.equal(receipt.emails[0]?.status, 'suppressed');
});

test('attachments are stored byte for byte, once per send', async () => {
  const ws = await aWorkspace(t.db);
  const body = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const file = {
    filename: 'ü "r".bin',
    contentType: 'application/x-b',
    cid: null,
    disposition: 'attachment',
    body,
  } as const;
  await accept(t.db, ws, aSend(people(3), { content: aContent({ attachments: [file, { ...file, cid: 'logo' }] }) }));
  const { rows } = await sql<{ body: Buffer; filename: string }>`
    select body, filename from attachments where workspace_id = ${ws} order by position`.execute(t.db);
  assert.equal(rows.length, 2);
  assert.deepEqual(rows[0]?.body, body);
  assert.equal(rows[0]?.filename, file.filename);
});
