import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppression } from '#features/suppressions';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import { inTransaction } from '#platform/db/database.ts';
import { Moment } from '#platform/moments.ts';
import type { Gate, OutgoingMessage, Verdict } from '#providers/email-provider.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { setGate } from '../gates/queries.ts';
import { cancelSend } from '../pause/cancel-send.ts';
import { pauseSend } from '../pause/pause-send.ts';
import { accept, aSend, aWorker, aWorkspace, people, queued, RecordingProvider, stateOf } from '../test-kit.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, email_attempts, send_requests, contents, email_events, suppressions cascade`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
});

/** A worker whose claimed emails wait until they are let go, on a clock that can be set forward. */
function aHeldWorker(provider: RecordingProvider) {
  const arrived = new Moment<number>();
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const held = { waiting: 0, forwardMs: 0 };
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + held.forwardMs };
  const worker = aWorker(t.db, provider, {
    clock,
    loadDkimKey: async () => {
      held.waiting += 1;
      arrived.occur(held.waiting);
      await gate;
      return null;
    },
  });
  return {
    worker,
    async claimed(count: number): Promise<void> {
      while (held.waiting < count) await arrived.next();
    },
    letGoAfter(ms: number): void {
      held.forwardMs += ms;
      open();
    },
  };
}

async function settled(ids: readonly string[]): Promise<string[]> {
  for (;;) {
    const states = await Promise.all(ids.map((id) => stateOf(t.db, workspaceId, id)));
    const statuses = states.map((state) => state.status);
    if (!statuses.some((status) => status === 'sending' || status === 'queued')) return statuses;
    await new Promise(setImmediate);
  }
}

const sendOf = async (id: string | undefined): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select send_id as id from emails where workspace_id = ${workspaceId} and id = ${id}`.execute(t.db);
  return rows[0]?.id ?? '';
};

test('claimed emails that waited leave nothing to whom was suppressed, and nothing that was cancelled or paused', async () => {
  const provider = new RecordingProvider();
  const held = aHeldWorker(provider);
  const [suppressed = '', free = ''] = await queued(t.db, workspaceId, 'transactional', people(2, 'some'));
  const [cancelled = ''] = await queued(t.db, workspaceId, 'transactional', people(1, 'cancelled'));
  const [paused = ''] = await queued(t.db, workspaceId, 'bulk', people(1, 'paused'));
  await held.worker.start();
  await held.claimed(4);
  const { recipient } = (
    await sql<{ recipient: string }>`
      select recipient from emails where workspace_id = ${workspaceId} and id = ${suppressed}`.execute(t.db)
  ).rows[0] ?? { recipient: '' };
  await addSuppression({ db: t.db, workspaceId }, { identity: recipient, reason: 'complaint' });
  await cancelSend({ db: t.db, workspaceId }, await sendOf(cancelled));
  await pauseSend(t.db, workspaceId, await sendOf(paused), 'x');
  held.letGoAfter(5_000);
  const statuses = await settled([suppressed, free, cancelled, paused]);
  await held.worker.stop();
  assert.deepEqual(statuses, ['suppressed', 'sent', 'cancelled', 'pending']);
  assert.equal(provider.calls.length, 1);
  const events = (await stateOf(t.db, workspaceId, suppressed)).events.map((event) => event.type);
  assert.deepEqual(events, ['send', 'reject']);
});

test('a recipient suppressed after the claim is left out of a grouped message that waited', async () => {
  const provider = new RecordingProvider();
  const held = aHeldWorker(provider);
  const [a, b] = ['a@example.com', 'b@example.com'].map((address) => parseMailbox(address));
  assert.ok(a && b);
  const receipt = await accept(t.db, workspaceId, aSend([], { grouped: { to: [a], cc: [b], bcc: [] } }));
  const id = receipt.emails[0]?.id ?? '';
  await held.worker.start();
  await held.claimed(1);
  await addSuppression({ db: t.db, workspaceId }, { identity: 'b@example.com', reason: 'complaint' });
  held.letGoAfter(5_000);
  assert.deepEqual(await settled([id]), ['sent']);
  await held.worker.stop();
  assert.deepEqual(
    provider.calls.map((call) => call.message.envelope.to),
    [['a@example.com']],
  );
});

test('nothing more is asked of the database for what leaves at once, and one statement for all that waited or were suspended with their machine', async () => {
  const asked = { looks: 0 };
  const watching = t.db.withPlugin({
    transformQuery: ({ node }) => {
      const text = JSON.stringify(node);
      if (text.includes('left_out jsonb') && !text.includes('handoff_at')) asked.looks += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  /** Looks of ten emails between which and their claim so much time has passed on each clock. */
  const run = async (passed: { wallMs: number; monotonicMs: number }): Promise<number> => {
    asked.looks = 0;
    const provider = new RecordingProvider();
    const ids = await queued(
      t.db,
      workspaceId,
      'transactional',
      people(10, `run-${passed.wallMs}-${passed.monotonicMs}`),
    );
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const arrived = new Moment<number>();
    // They stand still: on a busy machine, what leaves at once may come to wait.
    let [waiting, monotonicMs, wallMs] = [0, 1_000, Date.now()];
    const worker = aWorker(watching, provider, {
      clock: { ...systemClock, monotonicMs: () => monotonicMs, now: () => new Date(wallMs) },
      loadDkimKey: async () => {
        waiting += 1;
        arrived.occur(waiting);
        if (passed.wallMs > 0) await gate;
        return null;
      },
    });
    await worker.start();
    while (waiting < 10) await arrived.next();
    monotonicMs += passed.monotonicMs;
    wallMs += passed.wallMs;
    open();
    assert.deepEqual(new Set(await settled(ids)), new Set(['sent']));
    await worker.stop();
    return asked.looks;
  };
  assert.equal(await run({ wallMs: 0, monotonicMs: 0 }), 0);
  // The monotonic clock of a machine that was suspended stood still.
  for (const passed of [
    { wallMs: 5_000, monotonicMs: 5_000 },
    { wallMs: 5_000, monotonicMs: 0 },
  ]) {
    const looks = await run(passed);
    assert.ok(looks >= 1 && looks <= 5, `${looks} statements`);
  }
});

/** Asks whether it may begin at once, and puts that on record when it is let go. */
class BetweenGates extends RecordingProvider {
  readonly began = new Moment();
  readonly #open = Promise.withResolvers<void>();

  letGo(): void {
    this.#open.resolve();
  }

  override send(message: OutgoingMessage, { gate }: { gate?: Gate } = {}): Promise<Verdict> {
    assert.ok(gate);
    const isOnRecord = async (): Promise<boolean> => {
      this.began.occur();
      await this.#open.promise;
      return gate.isOnRecord();
    };
    return super.send(message, { gate: { ...gate, isOnRecord } });
  }
}

/** At this rate the beginning is put on record by itself, and not with the claim. */
const UNHURRIED = { ratePerSecond: 1_000 };

test('an email that was accepted while its address was being suppressed does not begin after that', async () => {
  const provider = new BetweenGates();
  const worker = aWorker(t.db, provider, UNHURRIED);
  const began = provider.began.next();
  let id = '';
  await inTransaction(t.db, async (tx) => {
    await addSuppression({ db: tx, workspaceId }, { identity: 'ada@example.com', reason: 'complaint' });
    const receipt = await accept(t.db, workspaceId, aSend(['ada@example.com']));
    id = receipt.emails[0]?.id ?? '';
    await worker.start();
    await began;
  });
  provider.letGo();
  const statuses = await settled([id]);
  await worker.stop();
  assert.deepEqual(statuses, ['suppressed']);
  assert.equal(provider.calls.length, 0);
});

test('a member of a grouped message who is suppressed after the claim is left out, also when it waited for nothing', async () => {
  const provider = new BetweenGates();
  const worker = aWorker(t.db, provider, UNHURRIED);
  const [a, b] = ['a@example.com', 'b@example.com'].map((address) => parseMailbox(address));
  assert.ok(a && b);
  const receipt = await accept(t.db, workspaceId, aSend([], { grouped: { to: [a], cc: [b], bcc: [] } }));
  const began = provider.began.next();
  await worker.start();
  await began;
  await addSuppression({ db: t.db, workspaceId }, { identity: 'b@example.com', reason: 'complaint' });
  provider.letGo();
  const statuses = await settled([receipt.emails[0]?.id ?? '']);
  await worker.stop();
  assert.deepEqual(statuses, ['sent']);
  assert.deepEqual(
    provider.calls.map((call) => call.message.envelope.to),
    [['a@example.com']],
  );
});

test('an email of a workspace that the operator blocks after the claim does not begin', async () => {
  const provider = new BetweenGates();
  const worker = aWorker(t.db, provider, UNHURRIED);
  const [id = ''] = await queued(t.db, workspaceId, 'transactional', people(1));
  const began = provider.began.next();
  await worker.start();
  await began;
  await setGate(t.db, { workspaceId, state: 'blocked' });
  provider.letGo();
  const statuses = await settled([id]);
  await worker.stop();
  assert.deepEqual(statuses, ['cancelled']);
  assert.equal(provider.calls.length, 0);
});
