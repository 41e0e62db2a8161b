import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { inTransaction } from '#platform/db/database.ts';
import { accepted } from '../../../../test/harness/accepted-send.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { suppressWaitingEmails } from '../pause/queries/suppress-waiting.ts';
import { emailRecords } from './email-records.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase({ poolMax: 12 });
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const sequencesOf = async (emailId: string): Promise<(number | null)[]> => {
  const { rows } = await sql<{ sequence: number | null }>`
    select sequence from email_events where workspace_id = ${workspaceId} and email_id = ${emailId} order by sequence`.execute(
    t.db,
  );
  return rows.map((row) => row.sequence);
};

/** As whoever applies events of the provider does it: the email is locked, then the events are stored. */
async function tell(emailId: string, types: readonly string[], ids = types.map(() => newId())): Promise<void> {
  await inTransaction(t.db, async (tx) => {
    await sql`select from emails where workspace_id = ${workspaceId} and id = ${emailId} for update`.execute(tx);
    await emailRecords.insertTold(
      tx,
      types.map((type, n) => ({
        workspaceId,
        id: ids[n] ?? newId(),
        emailId,
        type,
        recipient: 'ada@example.com',
        at: new Date(),
        payload: {},
      })),
    );
  });
}

test('events that come at the same time have the numbers 1, 2, 3, each once', async () => {
  const emails = await Promise.all([0, 1].map(() => anEmail(t.db, workspaceId)));
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      tell(emails[n % 2]?.emailId ?? '', n % 3 === 0 ? ['open', 'click'] : ['open']),
    ),
  );
  for (const { emailId } of emails) {
    const numbers = await sequencesOf(emailId);
    assert.ok(numbers.length >= 26);
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => n + 1),
    );
  }
});

test('an event that is told again takes no number', async () => {
  const { emailId } = await anEmail(t.db, workspaceId);
  const id = newId();
  await tell(emailId, ['delivery'], [id]);
  await tell(emailId, ['delivery', 'open'], [id, newId()]);
  assert.deepEqual(await sequencesOf(emailId), [1, 2]);
});

test('the acceptance of an email is its first event, and what stops it the second', async () => {
  await accepted(t.db, workspaceId, ['stopped@example.com']);
  await suppressWaitingEmails(t.db, [{ workspaceId, identity: 'stopped@example.com' }], 10);
  const { rows } = await sql<{ type: string; sequence: number }>`
    select v.type, v.sequence from email_events v join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
     where e.workspace_id = ${workspaceId} and e.recipient = 'stopped@example.com' order by v.sequence`.execute(t.db);
  assert.deepEqual(rows, [
    { type: 'send', sequence: 1 },
    { type: 'reject', sequence: 2 },
  ]);
});

test('events from before there were numbers are counted by the first one after them', async () => {
  const { emailId } = await anEmail(t.db, workspaceId);
  await tell(emailId, ['delivery', 'open']);
  await sql`update email_events set sequence = null
    where workspace_id = ${workspaceId} and email_id = ${emailId}`.execute(t.db);
  await tell(emailId, ['click', 'open']);
  assert.deepEqual(await sequencesOf(emailId), [3, 4, null, null]);
});
