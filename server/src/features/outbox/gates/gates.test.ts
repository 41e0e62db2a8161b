import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { bySystem } from '#features/workspaces';
import { systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { until } from '../../../../test/harness/until.ts';
import { aSweeper, aWorker, aWorkspace, deliver, people, queued, RecordingProvider, stateOf } from '../test-kit.ts';
import { claimEmails } from '../worker/queries/claim-emails.ts';
import { listUnsettledGates, setGate } from './queries.ts';
import { setSending } from './set-sending.ts';
import { settleGate } from './settle-gate.ts';

let t: TestDatabase;
let workspaceId: string;
let other: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, email_attempts, send_requests, contents, email_events, sending_gates cascade`.execute(
    t.db,
  );
  workspaceId = await aWorkspace(t.db);
  other = await aWorkspace(t.db);
});

const set = (status: 'active' | 'paused' | 'blocked', of = workspaceId) =>
  setSending({ db: t.db, clock: systemClock }, bySystem(systemClock), of, { status });
const claim = async (): Promise<string[]> => {
  const { emails } = await claimEmails(t.db, { slots: 50, bulk: 10, leaseToken: newId(), leaseSeconds: 60 });
  return emails.map((email) => email.id);
};
const statusesOf = async (of = workspaceId): Promise<string[]> => {
  const { rows } = await sql<{ status: string }>`
    select distinct status from emails where workspace_id = ${of} order by status`.execute(t.db);
  return rows.map((row) => row.status);
};
const makeBulk = (ids: readonly string[]) =>
  sql`update send_requests r set bulk_state = 'released' from emails e
       where r.workspace_id = ${workspaceId} and e.workspace_id = r.workspace_id and e.send_id = r.id and e.id = ${ids[0]}`.execute(
    t.db,
  );

test('mail of a paused workspace waits, and leaves when it is active again; other workspaces go on', async () => {
  const single = await queued(t.db, workspaceId, 'transactional', people(3));
  const bulk = await queued(t.db, workspaceId, 'bulk', people(3, 'reader'));
  await makeBulk(bulk);
  const going = await queued(t.db, other, 'transactional', people(2, 'other'));
  assert.equal((await set('paused')).stillLeaving, 0);
  assert.deepEqual(await statusesOf(), ['deferred', 'pending']);
  await aSweeper(t.db).runOnce();
  assert.deepEqual((await claim()).toSorted(), going.toSorted());

  await set('active');
  await aSweeper(t.db).runOnce();
  assert.deepEqual((await claim()).toSorted(), single.toSorted());
  assert.equal((await stateOf(t.db, workspaceId, bulk[0] ?? '')).status, 'pending', 'the release takes it from here');
});

test('an email that enters the queue of a paused workspace is held by the claim, and given back too', async () => {
  await set('paused');
  const late = await queued(t.db, workspaceId, 'transactional', people(2));
  assert.deepEqual(await claim(), []);
  for (const id of late) assert.equal((await stateOf(t.db, workspaceId, id)).status, 'deferred');
  await set('active');
  await aSweeper(t.db).runOnce();
  assert.deepEqual((await claim()).toSorted(), late.toSorted());
});

test('waiting mail of a blocked workspace is cancelled, wherever it waits, and stays so', async () => {
  const ids = await queued(t.db, workspaceId, 'transactional', people(4));
  await sql`update emails set status = 'deferred', not_before = now() + interval '1 hour'
    where workspace_id = ${workspaceId} and id = ${ids[0]}`.execute(t.db);
  await sql`update emails set status = 'pending' where workspace_id = ${workspaceId} and id = ${ids[1]}`.execute(t.db);
  await set('blocked');
  assert.deepEqual(await statusesOf(), ['cancelled']);
  await queued(t.db, workspaceId, 'transactional', people(1, 'late'));
  assert.deepEqual(await claim(), []);
  await set('active');
  await aSweeper(t.db).runOnce();
  assert.deepEqual(await claim(), []);
  assert.deepEqual(await statusesOf(), ['cancelled']);
});

test('mail of the system itself leaves a paused home workspace', async () => {
  const [reset] = await queued(t.db, workspaceId, 'system', people(1));
  await set('paused');
  assert.deepEqual(await claim(), [reset]);
});

for (const status of ['blocked', 'paused'] as const) {
  test(`nothing begins to leave after the answer that a workspace is ${status}, while workers send`, async () => {
    const provider = new RecordingProvider();
    const release = Promise.withResolvers<void>();
    provider.answer = async () => {
      await release.promise;
      return { kind: 'accepted', providerMessageId: 'id', response: '250 ok' };
    };
    await queued(t.db, workspaceId, 'transactional', people(1_000));
    const workers = [aWorker(t.db, provider), aWorker(t.db, provider)];
    await Promise.all(workers.map((worker) => worker.start()));
    try {
      await provider.received(5);
      let answered = false;
      const setting = set(status).then((done) => {
        answered = true;
        return done;
      });
      await until('the gate', async () => ((await listUnsettledGates(t.db)).length > 0 ? true : undefined));
      assert.equal(answered, false, 'the answer waits for what is being handed over');
      release.resolve();
      assert.equal((await setting).stillLeaving, 0);
      const begun = provider.calls.length;
      const after = await queued(t.db, other, 'transactional', people(30, 'after'));
      await until('mail of the other workspace', async () => {
        const sent = provider.calls.filter(({ message }) =>
          message.envelope.to.some((one) => one.startsWith('after-')),
        );
        return sent.length === after.length ? true : undefined;
      });
      assert.equal(provider.calls.length - begun, after.length);
      assert.ok(begun < 1_000, `${begun} of 1,000 had begun`);
    } finally {
      release.resolve();
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });
}

test('a process that was killed before it settled a gate is replaced by the service', async () => {
  await queued(t.db, workspaceId, 'transactional', people(3));
  await setGate(t.db, { workspaceId, state: 'blocked' });
  for (const gate of await listUnsettledGates(t.db)) await settleGate(t.db, gate);
  assert.deepEqual(await statusesOf(), ['cancelled']);
  assert.deepEqual(await listUnsettledGates(t.db), []);
});

test('the home workspace cannot be blocked', async () => {
  await sql`update workspaces set is_home = true where id = ${workspaceId}`.execute(t.db);
  const ids = await queued(t.db, workspaceId, 'transactional', people(1));
  await assert.rejects(set('blocked'), { name: 'conflict_error' });
  assert.deepEqual(await claim(), ids);
});

test('with nothing paused, a worker delivers as before', async () => {
  await queued(t.db, workspaceId, 'transactional', people(5));
  const provider = new RecordingProvider();
  await deliver(aWorker(t.db, provider), 5);
  assert.deepEqual(await statusesOf(), ['sent']);
});
