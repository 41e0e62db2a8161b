import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { cancelSend } from './cancel-send.ts';
import { claimEmails } from '../worker/queries/claim-emails.ts';
import {
  accept,
  aSend,
  aSteppedWorker,
  aSweeper,
  aWorker,
  aWorkspace,
  deliver,
  people,
  RecordingProvider,
  stateOf,
} from '../test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a cancelled send hands over nothing that still waited, and says exactly how many', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, aSend(people(10)));
  assert.deepEqual(await cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId), { cancelled: 10, alreadySent: 0 });
  const provider = new RecordingProvider();
  const worker = aWorker(t.db, provider);
  const idle = worker.idle.next();
  await worker.start();
  await idle;
  await worker.stop();
  assert.equal(provider.calls.length, 0);
});

test('cancelling again gives the same answer', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, aSend(people(3)));
  const first = await cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId);
  assert.deepEqual(await cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId), first);
});

test('another workspace’s send is not found, and stays as it is', async () => {
  const [ws, other] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const receipt = await accept(t.db, ws, aSend(people(1)));
  await assert.rejects(cancelSend({ db: t.db, workspaceId: other }, receipt.jobId), { name: 'not_found_error' });
  await assert.rejects(cancelSend({ db: t.db, workspaceId: ws }, newId()), { name: 'not_found_error' });
  assert.equal((await stateOf(t.db, ws, receipt.emails[0]?.id ?? '')).status, 'queued');
  await cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId);
});

test('an email that comes back from a failed attempt after the cancel is cancelled, not sent', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, aSend(['ada@example.com']));
  const id = receipt.emails[0]?.id ?? '';
  const provider = new RecordingProvider();
  provider.answer = async () => {
    assert.deepEqual(await cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId), { cancelled: 0, alreadySent: 1 });
    return { kind: 'temporary', response: '451', code: 451, throttled: false };
  };
  await deliver(aWorker(t.db, provider), 1);
  await sql`update emails set not_before = now() where workspace_id = ${ws}`.execute(t.db);
  await aSweeper(t.db).runOnce();
  const worker = aWorker(t.db, provider);
  const idle = worker.idle.next();
  await worker.start();
  await idle;
  await worker.stop();
  assert.equal(provider.calls.length, 1);
  assert.equal((await stateOf(t.db, ws, id)).status, 'cancelled');
});

test('an email that is being claimed at this moment is waited for, and cancelled: it has not begun', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, aSend(people(3)));
  const { said } = await inTransaction(t.db, async (tx) => {
    const claim = await claimEmails(tx, { slots: 2, bulk: 0, leaseToken: newId(), leaseSeconds: 60 });
    assert.equal(claim.emails.length, 2);
    const cancelling = cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId);
    const isBlocked = async (): Promise<boolean> => {
      const { rows } = await sql`select pid from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
      return rows.length > 0;
    };
    while (!(await isBlocked()));
    return { said: cancelling };
  });
  assert.deepEqual(await said, { cancelled: 3, alreadySent: 0 });
  const states = await Promise.all(receipt.emails.map((email) => stateOf(t.db, ws, email.id)));
  assert.deepEqual(states.map((state) => state.status).sort(), ['cancelled', 'cancelled', 'cancelled']);
  await sql`truncate emails, contents, attachments, send_requests, email_events, email_attempts`.execute(t.db);
});

test('racing cancels: every email is either cancelled or handed over, never both, never neither', async () => {
  const ws = await aWorkspace(t.db);
  const provider = new RecordingProvider();
  // About twelve a look, so that there is something left to cancel.
  const worker = aSteppedWorker(t.db, provider, { ratePerSecond: 200 });
  let withBoth = 0;
  for (let race = 0; race < 10; race += 1) {
    provider.calls.length = 0;
    const receipt = await accept(t.db, ws, aSend(people(60, `race-${race}`)));
    await worker.until('so many hand-offs', () => provider.calls.length >= race * 5);
    const [said] = await Promise.all([cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId), worker.step()]);
    assert.equal(said.cancelled + said.alreadySent, 60);
    await worker.step();
    const { rows } = await sql<{ status: string; n: number }>`
      select status, count(*)::integer as n from emails where workspace_id = ${ws} and send_id = ${receipt.jobId}
       group by status`.execute(t.db);
    const { cancelled = 0, sent = 0 } = Object.fromEntries(rows.map((row) => [row.status, row.n]));
    assert.deepEqual({ cancelled, alreadySent: sent }, said);
    assert.equal(provider.calls.length, said.alreadySent);
    if (cancelled > 0 && sent > 0) withBoth += 1;
  }
  assert.ok(withBoth >= 5, `${withBoth} of 10 races were any`);
});
