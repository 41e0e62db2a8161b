import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { ToldEvent } from '../notifications/notification.ts';
import { findToldEmails, toldEmails } from './find-told-emails.ts';

let t: TestDatabase;
let workspaceId: string;
let emailId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
  emailId = (await anEmail(t.db, workspaceId, { status: 'sent' })).emailId;
  await sql`update emails set provider_message_id = 'number 0' where workspace_id = ${workspaceId}`.execute(t.db);
  await sql`insert into emails (workspace_id, id, content_id, recipient, lane, turn, status, provider_message_id)
    select workspace_id, ph_uuidv7(), content_id, recipient, lane, n, 'sent', 'number ' || n
      from emails, generate_series(1, 50000) as n where id = ${emailId}`.execute(t.db);
  await sql`analyze emails`.execute(t.db);
});
after(() => t.close());

const told = (event: Partial<ToldEvent>): ToldEvent => ({
  workspaceId: null,
  emailId: null,
  type: 'delivery',
  recipient: 'ada@example.com',
  at: new Date(),
  payload: {},
  semanticKey: null,
  providerMessageId: 'number 0',
  ...event,
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Node[];
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

test('an email is found by our tags, and without them by the number of its message', async () => {
  const events = [told({ workspaceId, emailId }), told({}), told({ providerMessageId: 'number nobody has' })];
  const found = await findToldEmails(t.db, events);
  assert.deepEqual(found.map((email) => [email.place, email.emailId]).sort(), [
    [0, emailId],
    [1, emailId],
  ]);
});

test('no notification makes us read all emails', async () => {
  const events = Array.from({ length: 250 }, (_, n) => told({ providerMessageId: `number ${n}` }));
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`explain (format json) ${toldEmails(events)}`.execute(
    t.db,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  assert.ok(plan);
  const whole = nodesOf(plan).filter((n) => n['Node Type'].includes('Seq Scan') && n['Relation Name'] === 'emails');
  assert.deepEqual(whole, []);
});
