import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { pauseSend, resumeSend } from '../pause/pause-send.ts';
import { aCtx, aWorkspace } from '../test-kit.ts';
import type { SendKey } from './bulk-send.ts';
import { cancelBulkSend } from './cancel/cancel-bulk-send.ts';
import { selectFreezing } from './freeze/freeze-queries.ts';
import { freezeRecipients, type PageOfRecipients } from './freeze/freeze-recipients.ts';
import { nextPart, openParts, type PartOfSend } from './parts.ts';
import { progressOfSend } from './reading/progress-of-send.ts';
import { moveBulkSend } from './release/release-send.ts';
import { aList, openSend, stateOfSend, statusesOf } from './test-kit.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, contents, email_events, subscribers, suppressions, workers cascade`.execute(
    t.db,
  );
  await sql`insert into workers (id, roles, host, pid) values (${newId()}, '{worker}', 'here', 1)`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
});

const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);

const openInParts = (newsletterId: string): Promise<SendKey> =>
  openSend(t.db, workspaceId, newsletterId, {
    parts: [hours(-1), hours(1), hours(2)].map((at, part) => ({ part, at, recipients: 10 })),
  });

/** A send of 30 in three parts of ten, whose addresses alternate: now, in an hour, in two. */
async function aSendInParts(pageSize = 4): Promise<SendKey> {
  const newsletterId = await aList(t.db, workspaceId, 30);
  const key = await openInParts(newsletterId);
  const page: PageOfRecipients = (after, limit, part) => sql`
    select s.email as recipient, s.name as recipient_name, s.id as recipient_id, false as passed_over from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId}
       and substring(s.email from '[0-9]+')::integer % 3 = ${part}::integer and ${after === null ? sql`true` : sql`s.email > ${after}`}
     order by s.email limit ${limit}`;
  for (let outcome = ''; outcome !== 'closed'; ) ({ outcome } = await freezeRecipients(t.db, key, page, pageSize));
  return key;
}

const move = async (key: SendKey, until?: Date): Promise<void> => {
  while (await moveBulkSend(t.db, key, { ratePerSecond: 12, ...(until === undefined ? {} : { until }) }));
};

/** As when the time of the part has come. */
const begin = ({ sendId }: SendKey, part: number) =>
  sql`
  with begun as (
    update send_requests set parts = jsonb_set(parts, array[${String(part)}, 'at'], to_jsonb(${hours(-1).toISOString()}::text))
     where workspace_id = ${workspaceId} and id = ${sendId})
  update emails set not_before = ${hours(-1)}
   where workspace_id = ${workspaceId} and send_id = ${sendId} and not_before is not null
     and substring(recipient from '[0-9]+')::integer % 3 = ${part}::integer`.execute(t.db);

/** How many emails of each part are in the queue. */
async function queued({ sendId }: SendKey): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select count(e.id)::integer as n from generate_series(0, 2) p (part)
      left join emails e on e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and e.status = 'queued'
        and substring(e.recipient from '[0-9]+')::integer % 3 = p.part
     group by p.part order by p.part`.execute(t.db);
  return rows.map(({ n }) => n);
}

test('each part leaves at its time, and the send is released with the last; its progress says what it waits for', async () => {
  await sql`insert into suppressions (workspace_id, id, email, reason)
    select ${workspaceId}, gen_random_uuid(), 'reader-' || lpad(n::text, 7, '0') || '@example.com', 'manual'
      from unnest('{3,4}'::integer[]) n`.execute(t.db);
  const key = await aSendInParts();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 28, suppressed: 2 });
  const { rows: events } = await sql<{ n: number }>`
    select count(*)::integer as n from email_events where workspace_id = ${workspaceId} and type = 'reject'`.execute(
    t.db,
  );
  assert.equal(events[0]?.n, 2, 'each is told once, though the parts have addresses in between');
  await move(key);
  await move(key);
  assert.deepEqual(await queued(key), [9, 0, 0]);
  await sql`update emails set status = 'sent' where workspace_id = ${workspaceId} and status = 'queued'`.execute(t.db);
  const progress = await progressOfSend(t.db, key);
  assert.equal(progress?.state, 'waiting');
  assert.match(progress.reason ?? '', /^The next part, 10 recipients, begins at /);
  assert.ok(progress.resumesAt !== null && progress.resumesAt > hours(0.9));
  await begin(key, 1);
  await move(key, hours(-2));
  assert.deepEqual(await queued(key), [0, 0, 0], 'the clock of the database is not believed');
  await move(key);
  assert.deepEqual(await queued(key), [0, 9, 0]);
  assert.equal(await stateOfSend(t.db, key), 'releasing');
  await begin(key, 2);
  await move(key);
  assert.deepEqual(await queued(key), [0, 9, 10]);
  assert.equal(await stateOfSend(t.db, key), 'released');
});

test('a standstill is one of the parts that have begun, and counts from the last of them', async () => {
  const key = await aSendInParts();
  const set = (changes: ReturnType<typeof sql>) =>
    inTransaction(t.db, async (tx) => {
      await sql`select set_config('posthorn.knows_parts', 'yes', true)`.execute(tx);
      await sql`update send_requests set ${changes} where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(
        tx,
      );
    });
  // As when many of the later parts have left meanwhile: they were counted when the send was opened.
  await set(sql`progress_at = ${hours(-0.5)}, parts = jsonb_set(parts, '{1,recipients}', '25')`);
  const stalled = await progressOfSend(t.db, key);
  assert.match(stalled?.reason ?? '', /^Nothing goes to the queue since /);
  assert.deepEqual(stalled?.state, 'waiting');
  await move(key);
  await sql`update emails set status = 'sent' where workspace_id = ${workspaceId} and status = 'queued'`.execute(t.db);
  assert.match((await progressOfSend(t.db, key))?.reason ?? '', /^The next part, 25 recipients, begins at /);
  await begin(key, 1);
  await set(
    sql`progress_at = ${hours(-0.5)}, parts = jsonb_set(parts, '{1,at}', to_jsonb(${new Date().toISOString()}::text))`,
  );
  assert.deepEqual(await progressOfSend(t.db, key), {
    state: 'releasing',
    reason: null,
    code: null,
    since: null,
    resumesAt: null,
  });
});

test('after a pause, what was in the queue goes on, and nothing that waits for its time leaves with it', async () => {
  const key = await aSendInParts();
  await move(key);
  assert.equal(await resumeSend(aCtx(t.db, workspaceId), key.sendId), false, 'it is not paused');
  await pauseSend(t.db, workspaceId, key.sendId, 'a pause');
  assert.deepEqual(await statusesOf(t.db, key), { pending: 30 });
  await begin(key, 1);
  await move(key);
  assert.deepEqual(await queued(key), [0, 0, 0]);
  await resumeSend(aCtx(t.db, workspaceId), key.sendId);
  await move(key);
  assert.deepEqual(await queued(key), [10, 10, 0]);
});

test('a cancel counts what has left its part for the queue, and settles the parts to come', async () => {
  const key = await aSendInParts();
  await move(key);
  assert.deepEqual(await cancelBulkSend(t.db, key), { alreadyQueued: 10 });
  await begin(key, 1);
  await move(key);
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 20, queued: 10 });
});

test('an email of a later part that has a low id, because a clock was set back, still waits', async () => {
  const key = await aSendInParts();
  await sql`update emails set id = '00000000-0000-7000-8000-000000000001'
    where workspace_id = ${workspaceId} and recipient = 'reader-0000001@example.com'`.execute(t.db);
  await move(key);
  assert.deepEqual(await queued(key), [10, 0, 0]);
});

/**
 * The statements of the version before 0113, cut to what decides and what they write: the sends that it freezes, by the
 * kinds of audiences that it knows, and a page that it releases.
 */
const freezesBefore0113 = async (): Promise<unknown[]> => {
  const { rows } = await sql<{ id: string; kind: string }>`
    select id, audience_kind as kind from send_requests
     where bulk_state in ('freezing', 'releasing', 'cancelling') and bulk_state = 'freezing' and audience_id is not null`.execute(
    t.db,
  );
  return rows.filter(({ kind }) => ['newsletter', 'broadcast', 'broadcast_subscribers'].includes(kind));
};
const releaseBefore0113 = ({ sendId }: SendKey) =>
  sql`
    with page as materialized (
      select e.id from emails e
       where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and e.status = 'pending'
       order by e.id limit 120 for update
    ), released as (
      update emails e set status = 'queued', turn = 1, not_before = null
        from page p where e.workspace_id = ${workspaceId} and e.id = p.id
      returning e.id
    )
    update send_requests set progress_at = clock_timestamp(), started_at = coalesce(started_at, clock_timestamp())
     where workspace_id = ${workspaceId} and id = ${sendId} and exists (select from page)`.execute(t.db);

test('a process of the version before parts neither freezes them nor releases them before their time', async () => {
  await openInParts(await aList(t.db, workspaceId, 30));
  assert.deepEqual(await freezesBefore0113(), []);
  const [freezing] = await selectFreezing(t.db);
  assert.equal(freezing?.kind, 'newsletter');

  const key = await aSendInParts();
  const kindOf = sql<{ kind: string }>`
    select audience_kind as kind from send_requests where workspace_id = ${workspaceId} and id = ${key.sendId}`;
  assert.deepEqual((await kindOf.execute(t.db)).rows, [{ kind: 'newsletter' }], 'it can send what is released');
  await assert.rejects(releaseBefore0113(key), /knows no parts of sends/);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 30 });
  await move(key);
  assert.deepEqual(await queued(key), [10, 0, 0]);
  await pauseSend(t.db, workspaceId, key.sendId, 'a pause');
  await resumeSend(aCtx(t.db, workspaceId), key.sendId);
  await begin(key, 1);
  await begin(key, 2);
  await releaseBefore0113(key);
  assert.deepEqual(await queued(key), [10, 10, 10], 'once all have begun, it helps');
});

test('a part without emails has nothing to wait for', () => {
  const part = (at: Date, given: Partial<PartOfSend> = {}): PartOfSend => ({
    part: 0,
    at: at.toISOString(),
    recipients: 1,
    frozen: true,
    last: 'a',
    ...given,
  });
  const now = new Date();
  assert.equal(openParts([part(hours(-1), { last: null }), part(hours(1))], now), undefined);
  assert.equal(nextPart([part(hours(1), { recipients: 0 })], now), undefined);
  assert.equal(nextPart(null, now), undefined);
});
