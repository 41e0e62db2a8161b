import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawContent } from '#features/outbox';
import { accepted } from '../../../../test/harness/accepted-send.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { aRawMessage } from '../../../../test/harness/raw-messages.ts';
import { matchEmail } from './match-email.ts';

const ID = '<4711@client.acme.test>';
const answer = { inReplyTo: ID, references: [], mailboxHash: null, fromEmail: 'bob@example.com' };
let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

/** The emails of a message that a program handed in: their ids, in the order of their recipients. */
async function relayed(workspaceId: string, to: readonly string[]): Promise<string[]> {
  const content = rawContent(await aRawMessage(), { domain: { domain: 'posthorn.test', domainId: null } });
  const { emails } = await accepted(t.db, workspaceId, to, { source: 'relay', content });
  return to.map((address) => emails.find(({ recipient }) => recipient === address)?.id ?? '');
}

test('an answer to mail of a program is matched by the Message-ID that was sent, with the email of its author', async () => {
  const workspaceId = await aWorkspace(t.db);
  const ids = await relayed(workspaceId, ['ada@example.com', 'bob@example.com']);
  const matched = await matchEmail(t.db, workspaceId, answer);
  assert.deepEqual(matched, { emailId: ids[1], matchedBy: 'in_reply_to' });
  const references = { ...answer, inReplyTo: '<other@example.com>', references: [ID, '<other@example.com>'] };
  assert.deepEqual(await matchEmail(t.db, workspaceId, references), { emailId: ids[1], matchedBy: 'references' });
  const stranger = await matchEmail(t.db, workspaceId, { ...answer, fromEmail: 'carl@example.com' });
  assert.ok(stranger !== undefined && ids.includes(stranger.emailId), 'an alias of a recipient may answer');
  assert.equal(await matchEmail(t.db, workspaceId, { ...answer, inReplyTo: '<4712@client.acme.test>' }), undefined);
  assert.equal(await matchEmail(t.db, await aWorkspace(t.db), answer), undefined, 'of another workspace');
});
