import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { aWorkspace } from '../../test-kit.ts';
import type { SendKey } from '../bulk-send.ts';
import { pageOfRecipients } from './recipients.ts';
import { aFrozenSend } from '../test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const bounce = (bounceType: string, diagnosticCode?: string) => ({
  bounce: {
    bounceType,
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: 'x@example.com', diagnosticCode }],
  },
});

/** The list's entry for one recipient with this state and these events, oldest first. */
async function said(
  status: string,
  events: readonly [type: string, data: object][],
  error: string | null = null,
): Promise<string | null | undefined> {
  const workspaceId = await aWorkspace(t.db);
  const key: SendKey = await aFrozenSend(t.db, workspaceId, 1);
  const [row] = await pageOfRecipients(t.db, key, { limit: 1 });
  assert.ok(row);
  await sql`update emails set status = ${status}, error = ${error}
    where workspace_id = ${workspaceId} and id = ${row.emailId}`.execute(t.db);
  for (const [n, [type, data]] of events.entries()) {
    await sql`insert into email_events (workspace_id, id, email_id, type, at, recipient, event_data)
      values (${workspaceId}, ${newId()}, ${row.emailId}, ${type}, ${new Date(Date.now() + n * 1_000)}, ${row.email},
        ${JSON.stringify(data)}::jsonb)`.execute(t.db);
  }
  return (await pageOfRecipients(t.db, key, { limit: 1 }))[0]?.error;
}

test('a recipient whose email came back or was rejected is listed with what the provider said of it', async () => {
  const unknown = 'smtp; 550 5.1.1 user unknown';
  assert.equal(await said('bounced', [['bounce', bounce('Permanent', unknown)]]), unknown);
  assert.equal(await said('bounced', [['bounce', bounce('Undetermined')]]), 'Undetermined, General');
  assert.equal(await said('failed', [['reject', { reject: { reason: 'Bad content' } }]]), 'Bad content');
});

test('a permanent bounce says more than others, and what the engine knows more than events', async () => {
  const both: [string, object][] = [
    ['bounce', bounce('Permanent', 'gone')],
    ['bounce', bounce('Transient', 'full')],
  ];
  assert.equal(await said('bounced', both), 'gone');
  assert.equal(await said('failed', [['reject', { reject: { reason: 'Bad content' } }]], '550 no'), '550 no');
});

test('a recipient of the email has no reason, whatever happened on the way', async () => {
  assert.equal(await said('delivered', [['bounce', bounce('Transient', 'full')]]), null);
  assert.equal(await said('bounced', []), null);
});
