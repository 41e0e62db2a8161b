import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { anEmail, aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { propertyRuns } from '../../../test/harness/property-runs.ts';
import { applyProviderEvents } from './apply-provider-events.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

interface Given {
  id?: string;
  type: string;
  at?: Date;
  payload?: Record<string, unknown>;
  recipient?: string;
}

async function tell(emailId: string, event: Given): Promise<string> {
  const id = event.id ?? newId();
  await sql`insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    values (${workspaceId}, ${id}, ${emailId}, ${event.type}, ${event.recipient ?? 'ada@example.com'},
      ${event.at ?? new Date(Date.now() - 1_000)}, ${JSON.stringify(event.payload ?? {})}::jsonb)`.execute(t.db);
  return id;
}

/** The provider says it again: the same event, not applied. */
const repeat = async (eventId: string): Promise<void> => {
  await sql`update provider_events set applied_at = null where workspace_id = ${workspaceId} and id = ${eventId}`.execute(
    t.db,
  );
};

async function stateOf(emailId: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select status, open_count, click_count, delivered_at, first_opened_at, last_event_at, unconfirmed_at from emails
     where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
  const events = await sql<{ id: string; type: string }>`
    select id, type from email_events where workspace_id = ${workspaceId} and email_id = ${emailId} order by id`.execute(
    t.db,
  );
  return { ...rows[0], events: events.rows };
}

/** A partial comparison would not do: it takes any list for an empty one. */
async function assertUntouched(emailId: string, status: string): Promise<void> {
  const state = await stateOf(emailId);
  assert.deepEqual({ status: state['status' as never], events: state.events }, { status, events: [] });
}

const suppressionsOf = async (email: string): Promise<string[]> => {
  const { rows } = await sql<{ reason: string }>`
    select reason from suppressions where workspace_id = ${workspaceId} and email = ${email}`.execute(t.db);
  return rows.map((row) => row.reason);
};

const permanent = { bounce: { bounceType: 'Permanent' } };
const transient = { bounce: { bounceType: 'Transient' } };
const sent = { status: 'sent', attempts: 1, sentAt: new Date() };

const table: { events: Given[]; status: string }[] = [
  { events: [{ type: 'send' }], status: 'sent' },
  { events: [{ type: 'delivery' }], status: 'delivered' },
  { events: [{ type: 'delivery_delay' }], status: 'delivery_delayed' },
  { events: [{ type: 'delivery_delay' }, { type: 'delivery' }], status: 'delivered' },
  { events: [{ type: 'delivery' }, { type: 'delivery_delay' }], status: 'delivered' },
  { events: [{ type: 'delivery' }, { type: 'bounce', payload: permanent }], status: 'bounced' },
  { events: [{ type: 'delivery' }, { type: 'bounce', payload: transient }], status: 'delivered' },
  { events: [{ type: 'bounce', payload: transient }], status: 'bounced' },
  { events: [{ type: 'bounce', payload: permanent }, { type: 'complaint' }], status: 'complained' },
  { events: [{ type: 'complaint' }, { type: 'delivery' }], status: 'complained' },
  {
    events: [{ type: 'reject', payload: { reject: { reason: 'Bad content' } } }, { type: 'delivery' }],
    status: 'failed',
  },
  { events: [{ type: 'open' }, { type: 'click' }], status: 'sent' },
];

for (const { events, status } of table) {
  test(`${events.map((event) => `${event.type}${event.payload === permanent ? ' (permanent)' : ''}`).join(', ')}: the email is ${status}`, async () => {
    const { emailId } = await anEmail(t.db, workspaceId, sent);
    for (const event of events) {
      await tell(emailId, event);
      await applyProviderEvents(t.db);
    }
    assert.equal((await stateOf(emailId))['status' as never], status);
  });
}

test('an email that the provider took and then rejected says why, whatever comes after it', async () => {
  const { emailId } = await anEmail(t.db, workspaceId, sent);
  const error = async () => {
    await applyProviderEvents(t.db);
    const { rows } = await sql<{ error: string | null }>`
      select error from emails where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
    return rows[0]?.error;
  };
  await tell(emailId, { type: 'delivery_delay' });
  assert.equal(await error(), null);
  await tell(emailId, { type: 'reject', payload: { reject: { reason: 'Bad content' } } });
  assert.equal(await error(), 'Bad content');
  await tell(emailId, { type: 'delivery' });
  assert.equal(await error(), 'Bad content');
});

const kinds: Given[] = [
  { type: 'send' },
  { type: 'delivery' },
  { type: 'delivery_delay' },
  { type: 'bounce', payload: permanent },
  { type: 'bounce', payload: transient },
  { type: 'complaint' },
  { type: 'reject', payload: { reject: { reason: 'Bad content' } } },
  { type: 'open' },
  { type: 'click' },
];

test('every event three times in random order ends as every event once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: kinds.length - 1 }), { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.nat({ max: 1_000 })),
      async (chosen, dice) => {
        const emails = [await anEmail(t.db, workspaceId, sent), await anEmail(t.db, workspaceId, sent)];
        const at = (index: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, index));
        const [once, often] = emails.map((one) => one.emailId);
        assert.ok(once && often);
        for (const [index, kind] of chosen.entries()) await tell(once, { ...kinds[kind]!, at: at(index) }); // an index of kinds
        await applyProviderEvents(t.db);

        const ids: string[] = [];
        const order = chosen
          .flatMap((kind, index) => [0, 1, 2].map(() => ({ kind, index, rank: dice.next().value ?? 0 })))
          .sort((a, b) => a.rank - b.rank);
        for (const { kind, index, rank } of order) {
          const known = ids[index];
          if (known === undefined) ids[index] = await tell(often, { ...kinds[kind]!, at: at(index) });
          else await repeat(known);
          if (rank % 2 === 0) await applyProviderEvents(t.db);
        }
        await applyProviderEvents(t.db);
        const types = (state: Awaited<ReturnType<typeof stateOf>>) => ({
          ...state,
          events: state.events.map((e) => e.type).sort(),
        });
        assert.deepEqual(types(await stateOf(often)), types(await stateOf(once)));
      },
    ),
    { numRuns: propertyRuns({ test: 7, prove: 30 }) },
  );
});

test('a permanent bounce and a complaint suppress the address; transient and undetermined bounces never do', async () => {
  const cases = [
    { event: { type: 'bounce', payload: permanent }, reasons: ['hard_bounce'] },
    { event: { type: 'complaint' }, reasons: ['complaint'] },
    { event: { type: 'bounce', payload: transient }, reasons: [] },
    { event: { type: 'bounce', payload: { bounce: { bounceType: 'Undetermined' } } }, reasons: [] },
    { event: { type: 'delivery_delay' }, reasons: [] },
  ];
  for (const [index, { event, reasons }] of cases.entries()) {
    const address = `Someone${index}@Example.com`;
    const { emailId } = await anEmail(t.db, workspaceId, { ...sent, recipient: address });
    await tell(emailId, { ...event, recipient: address });
    await applyProviderEvents(t.db);
    assert.deepEqual(await suppressionsOf(address.toLowerCase()), reasons, event.type);
  }
});

test('a recipient that is no address suppresses nobody and holds nothing up', async () => {
  const { emailId } = await anEmail(t.db, workspaceId, sent);
  await tell(emailId, { type: 'complaint', recipient: 'İ@Example.com' });
  await tell(emailId, { type: 'bounce', payload: permanent, recipient: 'unknown' });
  await applyProviderEvents(t.db);
  assert.partialDeepStrictEqual(await stateOf(emailId), { status: 'complained' });
});

test('an event settles an unconfirmed email, and takes a second copy that waits out of the queue', async () => {
  const unconfirmed = await anEmail(t.db, workspaceId, { status: 'unconfirmed', attempts: 1, handoffAt: new Date() });
  const waiting = await anEmail(t.db, workspaceId, { status: 'queued', attempts: 1 });
  await tell(unconfirmed.emailId, { type: 'send' });
  await tell(waiting.emailId, { type: 'delivery' });
  await applyProviderEvents(t.db);
  assert.partialDeepStrictEqual(await stateOf(unconfirmed.emailId), { status: 'sent', unconfirmed_at: null });
  assert.partialDeepStrictEqual(await stateOf(waiting.emailId), { status: 'delivered' });
});

test('an event waits while its email is being handed over, and when nothing was ever handed over', async () => {
  const sending = await anEmail(t.db, workspaceId, { status: 'sending', attempts: 0, handoffAt: new Date() });
  const fresh = await anEmail(t.db, workspaceId, { status: 'queued' });
  await tell(sending.emailId, { type: 'delivery' });
  await tell(fresh.emailId, { type: 'complaint' });
  await applyProviderEvents(t.db);
  await assertUntouched(sending.emailId, 'sending');
  await assertUntouched(fresh.emailId, 'queued');
  await sql`update emails set status = 'sent' where workspace_id = ${workspaceId} and id = ${sending.emailId}`.execute(
    t.db,
  );
  await applyProviderEvents(t.db);
  assert.partialDeepStrictEqual(await stateOf(sending.emailId), { status: 'delivered' });
});

test('an event of another workspace with this id changes nothing', async () => {
  const { emailId } = await anEmail(t.db, workspaceId, sent);
  const other = await aWorkspace(t.db);
  await sql`insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    values (${other}, ${newId()}, ${emailId}, 'complaint', 'ada@example.com', now(), '{}')`.execute(t.db);
  await applyProviderEvents(t.db);
  await assertUntouched(emailId, 'sent');
});

test('an email is never delivered before it was sent, nor sent before its hand-off', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second));
  const cases = [
    { handedOff: at(10), sent: at(14), delivered: at(12), shown: at(12) },
    { handedOff: at(10), sent: at(11), delivered: at(12), shown: at(11) },
    { handedOff: at(10), sent: at(11), delivered: at(5), shown: at(10) },
    { handedOff: null, sent: null, delivered: at(5), shown: at(5) },
  ];
  for (const { handedOff, sent: sentAt, delivered, shown } of cases) {
    const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', attempts: 1, sentAt, handoffAt: handedOff });
    await tell(emailId, { type: 'delivery', at: delivered });
    await applyProviderEvents(t.db);
    const { rows } = await sql<{ at: Date }>`
      select sent_at as at from emails where workspace_id = ${workspaceId} and id = ${emailId}`.execute(t.db);
    assert.deepEqual(rows[0]?.at, shown);
  }
});

test('an event that is not due yet waits', async () => {
  const { emailId } = await anEmail(t.db, workspaceId, sent);
  await tell(emailId, { type: 'delivery', at: new Date(Date.now() + 60_000) });
  await applyProviderEvents(t.db);
  await assertUntouched(emailId, 'sent');
});

test('two processes that apply the events of one email at once count each once', async () => {
  const { emailId } = await anEmail(t.db, workspaceId, sent);
  for (let n = 0; n < 40; n += 1) await tell(emailId, { type: n % 2 === 0 ? 'open' : 'click' });
  let waiting = 1;
  while (waiting > 0) {
    await Promise.all([applyProviderEvents(t.db), applyProviderEvents(t.db), applyProviderEvents(t.db)]);
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from provider_events where workspace_id = ${workspaceId} and email_id = ${emailId}
         and applied_at is null`.execute(t.db);
    waiting = rows[0]?.n ?? 0;
  }
  assert.partialDeepStrictEqual(await stateOf(emailId), { open_count: 20, click_count: 20 });
});
