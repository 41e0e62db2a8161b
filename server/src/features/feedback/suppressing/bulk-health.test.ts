import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { resumeSend, sendResumed } from '#features/outbox';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { systemClock } from '#platform/clock.ts';
import { systemActor } from '#platform/http/context.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { applyProviderEvents } from '../apply-provider-events.ts';
import { pauseUnhealthy, whyToPause } from './bulk-health.ts';
import { forgetBulkHealth } from './forget-bulk-health.ts';

const system = { actor: systemActor, ip: '', clock: systemClock };
let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const TABLE: readonly [delivered: number, hardBounced: number, complained: number, pauses: boolean][] = [
  [475, 25, 0, true],
  [476, 24, 0, false],
  [474, 25, 0, false], // 499 fates
  [0, 500, 0, true],
  [950, 49, 0, false],
  [1_000, 0, 3, true],
  [1_001, 0, 3, false],
  [999, 0, 50, false],
  [10_000, 0, 30, true],
  [0, 0, 0, false],
];
for (const [delivered, hardBounced, complained, pauses] of TABLE) {
  test(`a send is ${pauses ? 'paused' : 'not paused'} at ${delivered} delivered, ${hardBounced} bounced, ${complained} complaints`, () => {
    assert.equal(whyToPause({ delivered, hardBounced, complained }) !== null, pauses);
  });
}

/** A bulk send of which so many were handed over and so many wait. */
async function aSend(sent: number, waiting: number, lane = 2): Promise<string> {
  const { sendId } = await anEmail(t.db, workspaceId, { lane, status: 'cancelled' });
  await sql`
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, attempts)
    select workspace_id, ph_uuidv7(), send_id, content_id, send_id || '-' || n || '@example.com', lane, n,
           case when n <= ${sent} then 'sent' else 'queued' end, (n <= ${sent})::integer
      from emails cross join generate_series(1, ${sent + waiting}::integer) n
     where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(t.db);
  return sendId;
}

/** As the service does: each round, and behind it the pauses. */
async function apply(): Promise<void> {
  for (let more = true; more; ) {
    const { applied } = await applyProviderEvents(t.db);
    await pauseUnhealthy(t.db);
    more = applied > 0;
  }
}

/** One event for each of so many emails of the send, from the given one on. */
async function tell(sendId: string, type: string, from: number, count: number, payload: object = {}): Promise<void> {
  await sql`
    insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    select workspace_id, ph_uuidv7(), id, ${type}, recipient, now() - interval '1 minute', ${JSON.stringify(payload)}::jsonb
      from (select * from emails where workspace_id = ${workspaceId} and send_id = ${sendId} and attempts > 0
             order by id offset ${from} limit ${count}) as e`.execute(t.db);
  await apply();
}
const hard = {
  bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1' }] },
};
const soft = {
  bounce: { bounceType: 'Transient', bounceSubType: 'MailboxFull', bouncedRecipients: [{ status: '4.2.2' }] },
};

async function stateOf(sendId: string) {
  const { rows } = await sql<{ reason: string | null; queued: number; pending: number }>`
    select r.pause_reason as reason, count(*) filter (where e.status = 'queued')::integer as queued,
           count(*) filter (where e.status = 'pending')::integer as pending
      from send_requests r join emails e on e.workspace_id = r.workspace_id and e.send_id = r.id
     where r.workspace_id = ${workspaceId} and r.id = ${sendId} group by 1`.execute(t.db);
  return rows[0];
}

test('a bulk send with five per cent of hard bounces pauses with the reason, and its waiting emails leave the queue', async () => {
  const sendId = await aSend(520, 100);
  await tell(sendId, 'delivery', 0, 480);
  await tell(sendId, 'bounce', 480, 20, soft);
  await tell(sendId, 'bounce', 480, 25, hard);
  assert.deepEqual(await stateOf(sendId), { reason: null, queued: 100, pending: 0 });
  await tell(sendId, 'bounce', 505, 1, hard);
  const paused = await stateOf(sendId);
  assert.deepEqual([paused?.queued, paused?.pending], [0, 100]);
  assert.match(paused?.reason ?? '', /^26 of 506 .*5%/);
});

test('permanent bounces that say nothing about the address pause nothing: refused by policy, too large, full', async () => {
  const sendId = await aSend(700, 10);
  const words = ['550 5.7.1 spam', '552 5.3.4 Message too big', '552 5.2.2 Over quota'];
  for (const [index, diagnosticCode] of words.entries()) {
    await tell(sendId, 'bounce', 200 * index, 200, {
      bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ diagnosticCode }] },
    });
  }
  await tell(sendId, 'delivery', 600, 100);
  assert.deepEqual(await stateOf(sendId), { reason: null, queued: 10, pending: 0 });
});

test('a send that a person resumes is judged anew; one that goes on by itself is not', async () => {
  addReactions(t.db, [reactionTo(sendResumed, forgetBulkHealth)]);
  const sendId = await aSend(600, 10);
  await tell(sendId, 'bounce', 0, 500, hard);
  assert.notEqual((await stateOf(sendId))?.reason, null);
  await resumeSend({ ...system, db: t.db, workspaceId }, sendId, { byItself: true });
  await tell(sendId, 'bounce', 500, 50, hard);
  assert.match((await stateOf(sendId))?.reason ?? '', /^550 of 550/);
  await resumeSend({ ...system, db: t.db, workspaceId }, sendId);
  await tell(sendId, 'bounce', 550, 49, hard);
  assert.deepEqual(await stateOf(sendId), { reason: null, queued: 10, pending: 0 });
});

test('complaints pause a bulk send; a repeated event does not count again', async () => {
  const sendId = await aSend(1_010, 10);
  await tell(sendId, 'delivery', 0, 1_000);
  await tell(sendId, 'complaint', 0, 2);
  for (let time = 0; time < 2; time += 1) {
    await sql`update provider_events set applied_at = null where workspace_id = ${workspaceId} and type = 'complaint'`.execute(
      t.db,
    );
    await apply();
  }
  assert.equal((await stateOf(sendId))?.reason, null);
  await tell(sendId, 'complaint', 2, 1);
  assert.match((await stateOf(sendId))?.reason ?? '', /^3 of 1000 .*spam/);
});

test('a transactional send is never paused, and is not counted', async () => {
  const sendId = await aSend(600, 10, 1);
  await tell(sendId, 'bounce', 0, 600, hard);
  assert.deepEqual(await stateOf(sendId), { reason: null, queued: 10, pending: 0 });
  const { rows } =
    await sql`select from bulk_health where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(t.db);
  assert.equal(rows.length, 0);
});
