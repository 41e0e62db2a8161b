import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { suppressionsAdded } from '#features/suppressions';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { newId } from '#platform/ids.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { applyProviderEvents } from '../apply-provider-events.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const START = Date.now() - 3_600_000;
const soft = (subType = 'MailboxFull', status = '4.2.2') => ({
  bounce: { bounceType: 'Transient', bounceSubType: subType, bouncedRecipients: [{ action: 'failed', status }] },
});
const hard = {
  bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1' }] },
};

interface Given {
  type?: string;
  minute?: number;
  payload?: object;
  workspace?: string;
  emailId?: string;
}

/** Tells one event about an email of its own. */
async function tell(recipient: string, given: Given = {}): Promise<{ eventId: string; emailId: string }> {
  const of = given.workspace ?? workspaceId;
  const emailId = given.emailId ?? (await anEmail(t.db, of, { recipient, status: 'sent', attempts: 1 })).emailId;
  const eventId = newId();
  await sql`insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload)
    values (${of}, ${eventId}, ${emailId}, ${given.type ?? 'bounce'}, ${recipient},
      ${new Date(START + (given.minute ?? 0) * 60_000)}, ${JSON.stringify(given.payload ?? soft())}::jsonb)`.execute(
    t.db,
  );
  return { eventId, emailId };
}

const apply = async (): Promise<void> => {
  while ((await applyProviderEvents(t.db)).applied > 0);
};

async function suppressionOf(email: string, of = workspaceId) {
  const { rows } = await sql<{ reason: string; source: string | null }>`
    select reason, source_email_id as source from suppressions where workspace_id = ${of} and email = ${email}`.execute(
    t.db,
  );
  return rows[0];
}

async function minutesKept(email: string): Promise<number[]> {
  const { rows } = await sql<{ times: Date[] }>`
    select times from soft_bounces where workspace_id = ${workspaceId} and email = ${email}`.execute(t.db);
  return (rows[0]?.times ?? []).map((at) => (at.getTime() - START) / 60_000);
}

async function bounceOf(eventId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ data: { bounce: Record<string, unknown> } }>`
    select event_data as data from email_events where workspace_id = ${workspaceId} and id = ${eventId}`.execute(t.db);
  return rows[0]?.data.bounce ?? {};
}

test('five transient bounces suppress an address as a soft bounce, four do not', async () => {
  const address = 'five@example.com';
  for (let minute = 0; minute < 4; minute += 1) await tell(address, { minute });
  await apply();
  assert.equal(await suppressionOf(address), undefined);
  const last = await tell('Five@Example.com', { minute: 4 });
  await apply();
  assert.deepEqual(await suppressionOf(address), { reason: 'soft_bounce', source: last.emailId });
  assert.equal((await bounceOf(last.eventId))['suppressed'], true);
});

test('a delivery between bounces begins the count anew, and one before them does not matter', async () => {
  const address = 'between@example.com';
  await tell(address, { type: 'delivery', payload: {}, minute: 0 });
  for (const minute of [1, 2, 3, 4]) await tell(address, { minute });
  await apply();
  await tell(address, { type: 'delivery', payload: {}, minute: 5 });
  await apply();
  for (const minute of [6, 7, 8, 9]) await tell(address, { minute });
  await apply();
  assert.equal(await suppressionOf(address), undefined);
  assert.deepEqual(await minutesKept(address), [9, 8, 7, 6]);
});

test('bounces about the message, by policy or by an automatic reply never count', async () => {
  const address = 'about-us@example.com';
  const payloads = ['MessageTooLarge', 'ContentRejected', 'AttachmentRejected', 'OutOfOffice'].map((sub) => soft(sub));
  for (const [minute, payload] of [...payloads, soft('General', '4.7.0'), ...payloads].entries()) {
    await tell(address, { minute, payload });
  }
  await apply();
  assert.equal(await suppressionOf(address), undefined);
  assert.deepEqual(await minutesKept(address), []);
});

test('five bounces over two workspaces suppress in neither', async () => {
  const address = 'shared@example.com';
  const other = await aWorkspace(t.db);
  for (const minute of [0, 1, 2]) await tell(address, { minute });
  for (const minute of [3, 4]) await tell(address, { minute, workspace: other });
  await apply();
  assert.equal(await suppressionOf(address), undefined);
  assert.equal(await suppressionOf(address, other), undefined);
});

test('a bounce that adds a suppression says so, and one that finds it there does not', async () => {
  const address = 'gone@example.com';
  const first = await tell(address, { payload: hard, minute: 0 });
  await apply();
  const second = await tell(address, { payload: hard, minute: 1 });
  await apply();
  assert.equal((await suppressionOf(address))?.reason, 'hard_bounce');
  assert.equal((await bounceOf(first.eventId))['suppressed'], true);
  assert.equal('suppressed' in (await bounceOf(second.eventId)), false);
});

test('two bounces of one address in one round: one of them added the suppression', async () => {
  const address = 'twice@example.com';
  const told = [await tell(address, { payload: hard }), await tell(address, { payload: hard, minute: 1 })];
  await apply();
  const flags = await Promise.all(told.map(async ({ eventId }) => (await bounceOf(eventId))['suppressed']));
  assert.deepEqual(flags.filter((flag) => flag === true).length, 1);
});

test('a repeated event is not counted again', async () => {
  const address = 'repeat@example.com';
  const { eventId } = await tell(address);
  for (let time = 0; time < 6; time += 1) {
    await apply();
    await sql`update provider_events set applied_at = null where workspace_id = ${workspaceId} and id = ${eventId}`.execute(
      t.db,
    );
  }
  await apply();
  assert.deepEqual(await minutesKept(address), [0]);
  assert.equal(await suppressionOf(address), undefined);
});

test('a failing reaction undoes the suppression and leaves the event waiting', async () => {
  const address = 'reaction@example.com';
  let failing = true;
  addReactions(t.db, [
    reactionTo(suppressionsAdded, async (_tx, added) => {
      if (failing && added.some((one) => one.identity === address)) throw new Error('planted');
    }),
  ]);
  const { eventId } = await tell(address, { payload: hard });
  await assert.rejects(applyProviderEvents(t.db), /planted/);
  assert.equal(await suppressionOf(address), undefined);
  assert.deepEqual(await bounceOf(eventId), {});
  failing = false;
  await apply();
  assert.equal((await suppressionOf(address))?.reason, 'hard_bounce');
});

test('the count does not depend on the order in which bounces and deliveries are reported', async () => {
  const story = fc.array(fc.constantFrom('bounce', 'delivery'), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 1, max: 4 }),
      async (types, dice, rounds) => {
        const address = `${newId()}@example.com`;
        const happened = types.map((type, minute) => ({ type, minute }));
        const told = happened
          .map((one) => ({ one, at: dice.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        let worn = false;
        for (let from = 0; from < told.length; from += rounds) {
          for (const { type, minute } of told.slice(from, from + rounds)) {
            await tell(address, { type, minute, payload: type === 'bounce' ? soft() : {} });
          }
          await apply();
          const known = told.slice(0, from + rounds);
          worn ||= countedIn(known).length >= 5;
          assert.deepEqual(await minutesKept(address), countedIn(known).slice(0, 5));
          assert.equal((await suppressionOf(address))?.reason, worn ? 'soft_bounce' : undefined);
        }
      },
    ),
    { numRuns: propertyRuns({ test: 6, prove: 20 }) },
  );
});

/** Minutes of the bounces after the last delivery, newest first. */
function countedIn(known: readonly { type: string; minute: number }[]): number[] {
  const delivered = Math.max(-1, ...known.filter((one) => one.type === 'delivery').map((one) => one.minute));
  return known
    .filter((one) => one.type === 'bounce' && one.minute > delivered)
    .map((one) => one.minute)
    .sort((a, b) => b - a);
}
