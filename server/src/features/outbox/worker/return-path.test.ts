import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { accept, aSend, aWorker, aWorkspace, deliver, RecordingProvider } from '../test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const returnPath = (of: { workspaceId: string; emailId: string }): string => `${of.emailId}@bounces.example.com`;

test('mail goes out under a return path of its own, grouped mail too, and its From stays as it was', async () => {
  const ws = await aWorkspace(t.db);
  const provider = new RecordingProvider();
  const grouped = { to: [parseMailbox('a@example.com')], cc: [parseMailbox('b@example.com')], bcc: [] };
  const sends = [aSend(['ada@example.com', 'bob@example.com']), aSend([], { grouped })];
  for (const send of sends) await accept(t.db, ws, send);
  await deliver(aWorker(t.db, provider, { returnPath }), 3);
  assert.equal(provider.calls.length, 3);
  for (const { message } of provider.calls) {
    assert.equal(message.envelope.from, `${message.emailId}@bounces.example.com`);
    assert.match(message.mime.toString(), /^From: Acme <hello@acme\.test>\r$/m);
    assert.doesNotMatch(message.mime.toString(), /bounces\.example\.com/);
  }
});

test('captured mail has the sender as its return path', async () => {
  const ws = await aWorkspace(t.db);
  const [provider, sandbox] = [new RecordingProvider(), new RecordingProvider()];
  await accept(t.db, ws, aSend(['ada@example.com'], { sandbox: true }));
  await deliver(aWorker(t.db, provider, { providers: { live: provider, sandbox }, returnPath }), 1);
  assert.deepEqual(provider.calls, []);
  assert.deepEqual(
    sandbox.calls.map(({ message }) => message.envelope.from),
    ['hello@acme.test'],
  );
});
