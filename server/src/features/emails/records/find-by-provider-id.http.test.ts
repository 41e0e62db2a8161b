import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

async function taken(workspaceId: string, providerMessageId: string): Promise<string> {
  const { emailId } = await anEmail(api.t.db, workspaceId, { status: 'sent' });
  await sql`update emails set provider_message_id = ${providerMessageId}
    where workspace_id = ${workspaceId} and id = ${emailId}`.execute(api.t.db);
  return emailId;
}

test('200 finds an email of this workspace by the id of its provider, also in the Message-ID of Amazon SES', async () => {
  const workspaceId = await aWorkspace(api.t.db);
  const token = await api.caller({ workspaceId });
  const id = await taken(workspaceId, '0100-a');
  await taken(workspaceId, '0100-b');
  await taken(await aWorkspace(api.t.db), '0100-a');
  const table: [string, string[]][] = [
    ['0100-a', [id]],
    ['%3C0100-a@eu-west-1.amazonses.com%3E', [id]],
    ['0100-a@email.amazonses.com&status=sent', [id]],
    ['0100-a&status=failed', []],
    ['0100', []],
    ['0100-a@example.com', []],
  ];
  for (const [query, expected] of table) {
    const { status, body } = await api.call({ method: 'GET', url: `/v1/emails?provider_message_id=${query}`, token });
    assert.equal(status, 200, query);
    assert.deepEqual(
      body.data.map((email: { id: string }) => email.id),
      expected,
      query,
    );
    assert.equal(body.total, expected.length, query);
  }
});
