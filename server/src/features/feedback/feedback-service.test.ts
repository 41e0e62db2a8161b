import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { anEmail, aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { feedbackService } from './feedback-service.ts';
import { feedbackWork } from './work-signal.ts';

const log = createLog({ level: 'silent' });
const ignored = async () => ({ kind: 'ignored', note: 'of no concern here' }) as const;
const noReaders = { ses: ignored, mail: ignored };
let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

async function tell(emailId: string, type: string, at = new Date(Date.now() - 1_000)): Promise<string> {
  // The id of a row that is as old as its event: ids begin with the time.
  const id = at.getTime().toString(16).padStart(12, '0').replace(/^.{8}/, '$&-') + newId().slice(13);
  await sql`insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    values (${workspaceId}, ${id}, ${emailId}, ${type}, 'ada@example.com', ${at}, '{}')`.execute(t.db);
  return id;
}

const statusOf = async (emailId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ status: string }>`
    select status from emails where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  return rows[0]?.status;
};

test('while it runs, events are applied as they come; stopping twice and before the start is fine', async () => {
  const service = feedbackService({ db: t.db, clock: systemClock, log, readers: noReaders });
  await service.stop();
  await service.start();
  await service.start();
  const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', attempts: 1 });
  const applied = service.moments.applied.next();
  await tell(emailId, 'delivery');
  assert.equal(await applied, 1);
  assert.equal(await statusOf(emailId), 'delivered');
  await service.stop();
  await service.stop();
  await tell(emailId, 'complaint');
  assert.equal(await statusOf(emailId), 'delivered');
});

test('one run applies everything that is due, over as many batches as it takes', async () => {
  const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', attempts: 1 });
  await sql`insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    select ${workspaceId}::uuid, ph_uuidv7(), ${emailId}::uuid, 'open', 'ada@example.com', now() - interval '1 second', '{}'
      from generate_series(1, 901)`.execute(t.db);
  const service = feedbackService({ db: t.db, clock: systemClock, log, readers: noReaders });
  assert.ok((await service.runOnce()) >= 901);
  const { rows } = await sql<{ opens: number }>`
    select open_count as opens from emails where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  assert.deepEqual(rows, [{ opens: 901 }]);
});

/** A service whose time stands still, after a round that saw everything. */
async function aServiceThatLooked(readers: Parameters<typeof feedbackService>[0]['readers'] = noReaders) {
  const clock = createTestClock({ held: true });
  const service = feedbackService({ db: t.db, clock, log, readers });
  const roundAfter = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await clock.untilWaiting(500);
  };
  await service.start();
  await roundAfter(500);
  return { service, roundAfter };
}

test('an event that appears before those that were seen is applied within ten seconds, and later ones at once', async () => {
  const { service, roundAfter } = await aServiceThatLooked();
  const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', attempts: 1 });
  // As of a transaction that began an hour ago.
  const early = await tell(emailId, 'delivery', new Date(Date.now() - 3_600_000));
  const late = await tell(emailId, 'complaint');
  const areApplied = async (): Promise<boolean[]> => {
    const { rows } = await sql<{ done: boolean }>`
      select applied_at is not null as done from provider_events
       where workspace_id = ${workspaceId} and id = any(${[early, late]}::uuid[]) order by at`.execute(t.db);
    return rows.map((row) => row.done);
  };
  await roundAfter(500);
  assert.deepEqual(await areApplied(), [false, true]);
  await roundAfter(10_000);
  assert.deepEqual(await areApplied(), [true, true]);
  await service.stop();
});

test('events that this process has stored are applied at once, however old they are', async () => {
  const { service, roundAfter } = await aServiceThatLooked();
  const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', attempts: 1 });
  const earliestAt = new Date(Date.now() - 3_600_000);
  await tell(emailId, 'delivery', earliestAt);
  feedbackWork.tell({ earliestAt });
  await roundAfter(500);
  assert.equal(await statusOf(emailId), 'delivered');
  await service.stop();
});

test('events of a notification are applied at once, however old they are', async () => {
  const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', attempts: 1 });
  const told = {
    type: 'delivery',
    workspaceId,
    emailId,
    recipient: 'ada@example.com',
    at: new Date(Date.now() - 7_200_000),
    payload: {},
    semanticKey: null,
    providerMessageId: null,
  } as const;
  const { service, roundAfter } = await aServiceThatLooked({
    ...noReaders,
    ses: async () => ({ kind: 'events', events: [told] }),
  });
  await sql`insert into provider_notifications (source, id, body) values ('ses', ${newId()}, '')`.execute(t.db);
  await roundAfter(500);
  assert.equal(await statusOf(emailId), 'delivered');
  await service.stop();
});

test('a notification that appears before those that were seen is read within ten seconds', async () => {
  const { service, roundAfter } = await aServiceThatLooked();
  const id = newId();
  await sql`insert into provider_notifications (source, id, body, next_try_at)
    values ('ses', ${id}, '', now() - interval '1 hour')`.execute(t.db);
  const isRead = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from provider_notifications where id = ${id} and processed_at is not null`.execute(t.db);
    return rows.length === 1;
  };
  await roundAfter(500);
  assert.equal(await isRead(), false);
  await roundAfter(10_000);
  assert.equal(await isRead(), true);
  await service.stop();
});

test('an event that fits no email is given up after a day, and a younger one keeps waiting', async () => {
  const hour = 3_600_000;
  const old = await tell(newId(), 'delivery', new Date(Date.now() - 25 * hour));
  const young = await tell(newId(), 'delivery', new Date(Date.now() - 23 * hour));
  const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', attempts: 1 });
  const late = await tell(emailId, 'delivery', new Date(Date.now() - 30 * hour));
  const service = feedbackService({ db: t.db, clock: systemClock, log, readers: noReaders });
  const retired = service.moments.retired.next();
  await service.start();
  assert.equal(await retired, 1);
  await service.stop();
  const { rows } = await sql<{ id: string; done: boolean }>`
    select id, applied_at is not null as done from provider_events
     where workspace_id = ${workspaceId} and id = any(${[old, young, late]}::uuid[])
     order by array_position(${[old, young, late]}::uuid[], id)`.execute(t.db);
  assert.deepEqual(
    rows.map((row) => row.done),
    [true, false, true],
  );
  assert.equal(await statusOf(emailId), 'delivered');
});
