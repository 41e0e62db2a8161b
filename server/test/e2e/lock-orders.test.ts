/**
 * Statements that take the same rows at the same time take them in one order. PostgreSQL ends a deadlock after a
 * second, and one of the two does its work again. Each test forces the moment in which a wrong order would be one.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { suppressWaiting } from '#features/outbox';
import { suppressionsAdded } from '#features/suppressions';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { type Database, type Db, inTransaction, openDatabase } from '#platform/db/database.ts';
import { onFaultPoint } from '#platform/fault-points.ts';
import { createLog } from '#platform/log.ts';
import { newId } from '#platform/ids.ts';
import { applyProviderEvents } from '../../src/features/feedback/apply-provider-events.ts';
import { pauseUnhealthy } from '../../src/features/feedback/suppressing/bulk-health.ts';
import type { SendKey } from '../../src/features/outbox/bulk/bulk-send.ts';
import { moveBulkSend } from '../../src/features/outbox/bulk/release/release-send.ts';
import { retryRefused } from '../../src/features/outbox/bulk/release/retry-refused.ts';
import { aFrozenSend, statusesOf } from '../../src/features/outbox/bulk/test-kit.ts';
import { renewLeases } from '../../src/features/outbox/worker/queries/leases.ts';
import { settleEmails, type TimedOutcome } from '../../src/features/outbox/worker/queries/settle-emails.ts';
import { anEmail, aWorkspace } from '../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let t: TestDatabase;
/** As a worker's: it reads tables by their indexes, however small they are. */
let worker: Database;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
  const log = createLog({ level: 'silent' });
  worker = openDatabase({ url: t.url, poolMax: 2, applicationName: 'worker', log, byIndex: true });
  addReactions(t.db, [reactionTo(suppressionsAdded, suppressWaiting)]);
});
after(async () => {
  await worker.close();
  await t.close();
});

/** Until so many connections wait for a lock, or the work is over without. */
async function untilWaiting(count: number, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
    if (rows.length >= count) return;
  }
}

const HARD = {
  bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1' }] },
};

const bounce = (emailId: string) =>
  sql`
  insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
  select workspace_id, ph_uuidv7(), id, 'bounce', recipient, now() - interval '1 minute', ${JSON.stringify(HARD)}::jsonb
    from emails where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);

/** A bulk send of four, of which the emails have these states, and which the next hard bounce pauses. */
async function aSendOnTheBrink(statuses: readonly string[]): Promise<{ key: SendKey; emailIds: string[] }> {
  const key = await aFrozenSend(t.db, workspaceId, statuses.length);
  const { rows } = await sql<{ id: string }>`
    update emails e set status = s.status, attempts = (s.status <> 'pending')::integer,
           sent_at = case when s.status = 'sent' then now() end
      from (select id, (${[...statuses]}::text[])[row_number() over (order by recipient)] as status from emails
             where workspace_id = ${workspaceId} and send_id = ${key.sendId}) s
     where e.workspace_id = ${workspaceId} and e.id = s.id
    returning e.id`.execute(t.db);
  await sql`insert into bulk_health (workspace_id, send_id, delivered, hard_bounced)
    values (${workspaceId}, ${key.sendId}, 475, 24)`.execute(t.db);
  const ids = rows.map(({ id }) => id);
  const { rows: ordered } = await sql<{ id: string }>`select id from emails
    where workspace_id = ${workspaceId} and id = any (${ids}::uuid[]) order by recipient`.execute(t.db);
  return { key, emailIds: ordered.map(({ id }) => id) };
}

/**
 * A round of provider events, and `work` in a transaction that begins when the round holds its emails and has to wait
 * for them. Returns how often each of the two ran.
 */
async function besideARound(work: (tx: Db) => Promise<unknown>): Promise<{ rounds: number; works: number }> {
  const ran = { rounds: 0, works: 0 };
  let beside: Promise<unknown> | undefined;
  onFaultPoint(async (name) => {
    if (name !== 'feedback.apply.inside') return;
    ran.rounds += 1;
    beside ??= inTransaction(t.db, (tx) => {
      ran.works += 1;
      return work(tx);
    });
    await untilWaiting(1, beside);
  });
  try {
    await applyProviderEvents(t.db);
    await pauseUnhealthy(t.db);
    await beside;
  } finally {
    onFaultPoint(undefined);
  }
  return ran;
}

async function isPaused({ sendId }: SendKey): Promise<boolean> {
  const { rows } = await sql`select from send_requests
    where workspace_id = ${workspaceId} and id = ${sendId} and paused_at is not null`.execute(t.db);
  return rows.length > 0;
}

test('a retry of refused emails and a round that pauses their send do not deadlock', async () => {
  const { key, emailIds } = await aSendOnTheBrink(['failed', 'failed', 'sent']);
  await sql`update send_requests set bulk_state = 'released'
    where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(t.db);
  await bounce(emailIds[0] ?? '');
  assert.deepEqual(await besideARound((tx) => retryRefused(tx, key)), { rounds: 1, works: 1 });
  assert.deepEqual([await isPaused(key), await statusesOf(t.db, key)], [true, { bounced: 1, pending: 1, sent: 1 }]);
});

test('a release and a round that pauses its send and suppresses one of its recipients do not deadlock', async () => {
  const { key, emailIds } = await aSendOnTheBrink(['sent', 'pending', 'pending']);
  const { rows } = await sql<{ recipient: string }>`
    select recipient from emails where workspace_id = ${workspaceId} and id = ${emailIds[1]}`.execute(t.db);
  const recipient = rows[0]?.recipient ?? '';
  const earlier = await anEmail(t.db, workspaceId, { recipient, status: 'sent', attempts: 1, sentAt: new Date() });
  await bounce(emailIds[0] ?? '');
  await bounce(earlier.emailId);
  const release = (tx: Db) => moveBulkSend(tx, key, { ratePerSecond: 100 });
  assert.deepEqual(await besideARound(release), { rounds: 1, works: 1 });
  assert.deepEqual(
    [await isPaused(key), await statusesOf(t.db, key)],
    [true, { bounced: 1, pending: 1, suppressed: 1 }],
  );
});

const outcome = (emailId: string, leaseToken: string): TimedOutcome => ({
  workspaceId,
  emailId,
  leaseToken,
  status: 'sent',
  counted: true,
  providerMessageId: null,
  error: null,
  delaySeconds: null,
  record: null,
  response: null,
  tookSeconds: 0,
  rejects: [],
  agoSeconds: 0,
});

/** Emails that a worker holds under one lease, in the order of their ids. */
async function heldEmails(token: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await anEmail(t.db, workspaceId, { status: 'sending' })).emailId);
  await sql`update emails set lease_token = ${token}, lease_until = now() + interval '1 minute', handoff_at = now()
    where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(t.db);
  return ids.toSorted();
}

for (const first of ['renewal', 'settling']) {
  test(`leases are renewed and outcomes settled of the same emails without a deadlock: the ${first} comes first`, async () => {
    const token = newId();
    const [one = '', middle = '', last = ''] = await heldEmails(token);
    const renew = () => renewLeases(worker.db, [token], 60);
    const settle = () =>
      settleEmails(
        worker.db,
        [last, one, middle].map((id) => outcome(id, token)),
      );
    const started: Promise<unknown>[] = [];
    await inTransaction(t.db, async (tx) => {
      await sql`select from emails where workspace_id = ${workspaceId} and id = ${middle} for update`.execute(tx);
      for (const begin of first === 'renewal' ? [renew, settle] : [settle, renew]) {
        const work = begin();
        started.push(work);
        await untilWaiting(started.length, work);
      }
    });
    const ends = await Promise.allSettled(started);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from emails
      where workspace_id = ${workspaceId} and id = any (${[one, middle, last]}::uuid[]) and status = 'sent'`.execute(
      t.db,
    );
    assert.equal(rows[0]?.n, 3);
  });
}
