import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { anOutgoingMessage } from '../../../test/harness/outgoing-message.ts';
import { conformance } from '../email-provider.conformance.ts';
import type { EmailProvider, OutgoingMessage, Verdict } from '../email-provider.ts';
import { insertSimulatedEvents as insertEvents } from '../../../test/harness/simulated-events.ts';
import { createCaptureProvider } from './capture-provider.ts';

const log = createLog({ level: 'silent' });
const workspaceId = newId();
let database: TestDatabase;
let provider: EmailProvider;

before(async () => {
  database = await createTestDatabase();
  await sql`insert into workspaces (id, name, slug) values (${workspaceId}, 'Shop', 'shop')`.execute(database.db);
  provider = createCaptureProvider({ clock: systemClock, db: database.db, log, insertEvents });
  await provider.start();
});
after(async () => {
  await provider.stop();
  await database.close();
});

const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage =>
  anOutgoingMessage({ workspaceId, emailId: newId(), ...change });

conformance('capture', () => {
  const under = createCaptureProvider({ clock: systemClock, db: database.db, log, insertEvents });
  return Promise.resolve({
    provider: under,
    message,
    async received() {
      const { rows } = await sql<{ from: string; to: string[]; mime: Buffer }>`
        select envelope_from as "from", envelope_to as "to", ph_captured_mime(workspace_id, id, mime) as mime from captured_emails
         where workspace_id = ${workspaceId}`.execute(database.db);
      return rows;
    },
    stall: lockCaptures,
    close: () => Promise.resolve(),
  });
});

interface Told {
  type: string;
  recipient: string;
  at: Date;
  payload: Record<string, Record<string, unknown>>;
}

async function fateOf(...to: string[]): Promise<Told[]> {
  const emailId = newId();
  const envelope = { from: 'shop@example.com', to };
  const verdict = await provider.send(message({ emailId, envelope }), { deadlineMs: 5_000 });
  assert.equal(verdict.kind, 'accepted');
  const { rows } = await sql<Told>`
    select type, recipient, at, payload from provider_events
     where workspace_id = ${workspaceId} and email_id = ${emailId} order by at`.execute(database.db);
  return rows;
}
const simulator = (local: string): string => `${local}@simulator.amazonses.com`;
const typesOf = (told: Told[]): string[] => told.map((event) => event.type);

test('everybody gets their mail: success@, ooto@ and every other address are delivered', async () => {
  for (const to of [simulator('success'), simulator('ooto'), 'ada@example.net', 'bounce@example.net']) {
    const [event, ...more] = await fateOf(to);
    assert.partialDeepStrictEqual(event, {
      type: 'delivery',
      recipient: to,
      payload: { delivery: { recipients: [to] } },
    });
    assert.deepEqual(Object.keys(event?.payload['delivery'] ?? {}).sort(), [
      'processingTimeMillis',
      'recipients',
      'reportingMTA',
      'smtpResponse',
      'timestamp',
    ]);
    assert.equal(more.length, 0);
  }
});

test('bounce@ bounces for good, softbounce@ for now', async () => {
  const [hard] = await fateOf(simulator('bounce'));
  assert.partialDeepStrictEqual(hard, {
    type: 'bounce',
    payload: {
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          {
            emailAddress: simulator('bounce'),
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          },
        ],
        reportingMTA: 'dsn; capture.posthorn.test',
      },
    },
  });
  assert.equal(hard?.payload['bounce']?.['timestamp'], hard?.at.toISOString());
  const [soft, ...more] = await fateOf(simulator('softbounce'));
  assert.partialDeepStrictEqual(soft, { type: 'bounce', payload: { bounce: { bounceType: 'Transient' } } });
  assert.equal(more.length, 0);
});

test('suppressionlist@ bounces as suppressed by the account', async () => {
  const [event] = await fateOf(simulator('suppressionlist'));
  assert.partialDeepStrictEqual(event, {
    type: 'bounce',
    payload: { bounce: { bounceType: 'Permanent', bounceSubType: 'OnAccountSuppressionList' } },
  });
});

test('complaint@ is delivered and complains afterwards', async () => {
  const told = await fateOf(simulator('complaint'));
  assert.deepEqual(typesOf(told), ['delivery', 'complaint']);
  assert.partialDeepStrictEqual(told[1]?.payload, {
    complaint: { complainedRecipients: [{ emailAddress: simulator('complaint') }], complaintFeedbackType: 'abuse' },
  });
});

test('reject@ is accepted and rejected afterwards for bad content', async () => {
  const told = await fateOf(simulator('reject'));
  assert.deepEqual(typesOf(told), ['reject']);
  assert.deepEqual(told[0]?.payload, { reject: { reason: 'Bad content' } });
});

test('delay@ is delayed and delivered afterwards', async () => {
  const told = await fateOf(simulator('delay'));
  assert.deepEqual(typesOf(told), ['delivery_delay', 'delivery']);
  assert.partialDeepStrictEqual(told[0]?.payload, {
    deliveryDelay: { delayedRecipients: [{ emailAddress: simulator('delay') }] },
  });
  assert.ok((told[1]?.at.getTime() ?? 0) > (told[0]?.at.getTime() ?? 0));
});

test('labels and letter case do not matter: Bounce+x@SIMULATOR bounces', async () => {
  const [event] = await fateOf('Bounce+x@Simulator.AmazonSES.com');
  assert.partialDeepStrictEqual(event, { type: 'bounce', recipient: 'Bounce+x@Simulator.AmazonSES.com' });
});

test('each recipient of a grouped message has a fate of their own', async () => {
  const told = await fateOf('ada@example.net', simulator('bounce'));
  assert.deepEqual(told.map((event) => `${event.type} ${event.recipient}`).sort(), [
    `bounce ${simulator('bounce')}`,
    'delivery ada@example.net',
  ]);
});

test('everything about a message is kept: ids, envelope, subject, size, whether it is the system’s own', async () => {
  const sent = message({ subject: 'Reset \0 your \ud800 password', system: true });
  await provider.send(sent, { deadlineMs: 5_000 });
  const { rows } = await sql<Record<string, unknown>>`
    select workspace_id, message_id, envelope_from, envelope_to, subject, mime, size, is_system from captured_emails
     where workspace_id = ${workspaceId} and email_id = ${sent.emailId}`.execute(database.db);
  assert.deepEqual(rows, [
    {
      workspace_id: workspaceId,
      message_id: sent.messageId,
      envelope_from: 'shop@example.com',
      envelope_to: ['ada@example.net'],
      subject: 'Reset  your \ufffd password',
      mime: sent.mime,
      size: sent.mime.length,
      is_system: true,
    },
  ]);
});

test('messages that come while the database is busy share one commit', async () => {
  const letGo = await lockCaptures();
  const sent = Array.from({ length: 102 }, () => message());
  const sending = sent.map((one) => provider.send(one, { deadlineMs: 10_000 }));
  await letGo();
  assert.deepEqual(new Set((await Promise.all(sending)).map(kindOf)), new Set(['accepted']));
  assert.equal(await commitsFor(sent), 3, 'two that began at once, and one for the rest');
});

test('large messages do not pile up in one statement', async () => {
  const letGo = await lockCaptures();
  const sent = Array.from({ length: 5 }, () => message({ mime: Buffer.alloc(3 * 1024 * 1024, 'a') }));
  const sending = sent.map((one) => provider.send(one, { deadlineMs: 10_000 }));
  await letGo();
  assert.deepEqual(new Set((await Promise.all(sending)).map(kindOf)), new Set(['accepted']));
  assert.equal(await commitsFor(sent), 5);
});

test('a message that cannot be stored is refused alone: its neighbours are kept', async () => {
  const letGo = await lockCaptures();
  const first = [message(), message()].map((one) => provider.send(one, { deadlineMs: 5_000 }));
  const batch = [message(), message({ workspaceId: newId() }), message()];
  const sending = batch.map((one) => provider.send(one, { deadlineMs: 5_000 }));
  await letGo();
  await Promise.all(first);
  assert.deepEqual((await Promise.all(sending)).map(kindOf), ['accepted', 'refused', 'accepted']);
});

test('stop answers what has not begun at once, and waits for what has', async () => {
  const stopping = createCaptureProvider({ clock: systemClock, db: database.db, log, insertEvents });
  await stopping.start();
  const letGo = await lockCaptures();
  const begun = [message(), message()].map((one) => stopping.send(one, { deadlineMs: 10_000 }));
  const waiting = stopping.send(message(), { deadlineMs: 10_000 });
  let stopped = false;
  const stop = stopping.stop().then(() => {
    stopped = true;
  });
  assert.partialDeepStrictEqual(await waiting, { kind: 'temporary', response: 'the provider is stopped' });
  assert.equal(stopped, false);
  await letGo();
  assert.deepEqual((await Promise.all(begun)).map(kindOf), ['accepted', 'accepted']);
  await stop;
});

test('a database that is gone is temporary before the statement ran', async () => {
  const other = await createTestDatabase();
  const stranded = createCaptureProvider({ clock: systemClock, db: other.db, log, insertEvents });
  await stranded.start();
  await other.close();
  assert.equal(kindOf(await stranded.send(message(), { deadlineMs: 5_000 })), 'temporary');
  await stranded.stop();
});

test('a statement that PostgreSQL ended is temporary: it says that it was rolled back', async () => {
  const letGo = await lockCaptures();
  const sending = provider.send(message(), { deadlineMs: 5_000 });
  await waitingForLock();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
  assert.equal(kindOf(await sending), 'temporary');
  await letGo();
});

const kindOf = (verdict: Verdict): string => verdict.kind;

/** Rows that one transaction wrote carry its number. */
async function commitsFor(sent: OutgoingMessage[]): Promise<number> {
  const { rows } = await sql<{ commits: number }>`
    select count(distinct xmin::text)::integer as commits from captured_emails
     where workspace_id = ${workspaceId} and email_id = any(${sent.map((one) => one.emailId)}::uuid[])`.execute(
    database.db,
  );
  return rows[0]?.commits ?? 0;
}

async function lockCaptures(): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = inTransaction(database.db, async (tx) => {
    await sql`lock table captured_emails in exclusive mode`.execute(tx);
    locked.resolve();
    await gate.promise;
  });
  await locked.promise;
  return async () => {
    gate.resolve();
    await holding;
  };
}

async function waitingForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::integer as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
    if ((rows[0]?.waiting ?? 0) > 0) return;
  }
}
