import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aDomain, aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { Newsletter } from '../newsletter.ts';
import { selectNewsletter } from '../queries.ts';
import { confirmationSenderOf, senderOf } from './sender-of-newsletter.ts';

const cloud = { edition: 'cloud', senderDomains: ['house.example'] };
let t: TestDatabase;

before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function aStored(workspaceId: string, change: Partial<Newsletter> = {}): Promise<Newsletter> {
  const { id } = await aNewsletter(t.db, workspaceId, { fromEmail: 'news@acme.example' });
  const stored = await selectNewsletter(t.db, workspaceId, id);
  assert.ok(stored);
  return { ...stored, ...change };
}
const asking = (workspaceId: string, settings = cloud) => ({ db: t.db, workspaceId, settings });

test('the sender is the chosen address with the chosen name, else with the name of the newsletter', async () => {
  const workspaceId = await aWorkspace(t.db);
  const domainId = await aDomain(t.db, workspaceId, 'acme.example');
  const chosen = await aStored(workspaceId, { fromName: 'Ann, of "Acme"', replyTo: 'Desk <desk@other.example>' });
  const sender = await senderOf(asking(workspaceId), chosen);
  assert.deepEqual([sender?.from.name, sender?.from.address], ['Ann, of "Acme"', 'news@acme.example']);
  assert.deepEqual([sender?.domain.domainId, sender?.replyTo[0]?.address], [domainId, 'desk@other.example']);
  assert.equal((await senderOf(asking(workspaceId), { ...chosen, fromName: null }))?.from.name, 'Acme Weekly');
  const lure = { ...chosen, fromName: null, name: 'billing@bank.example' };
  assert.equal((await senderOf(asking(workspaceId), lure))?.from.name, null);
});

test('there is no sender without from_email or with a domain that may not send, and a paused workspace says so', async () => {
  const workspaceId = await aWorkspace(t.db);
  const newsletter = await aStored(workspaceId);
  assert.equal(await senderOf(asking(workspaceId), { ...newsletter, fromEmail: null }), null);
  assert.equal(await senderOf(asking(workspaceId), newsletter), null);
  assert.equal(await confirmationSenderOf(asking(workspaceId), newsletter), null);
  const paused = await aWorkspace(t.db, { status: 'paused' });
  await aDomain(t.db, paused, 'acme.example');
  assert.equal((await senderOf(asking(paused), await aStored(paused)))?.sendingStop, 'paused');
});

test('without from_email a confirmation comes from the oldest verified domain, the instance’s or the sandbox, in this order', async () => {
  const without = { fromEmail: null };
  const from = async (workspaceId: string, settings = cloud) =>
    (await confirmationSenderOf(asking(workspaceId, settings), await aStored(workspaceId, without)))?.from.address;
  const guest = await aWorkspace(t.db);
  assert.equal(await from(guest), undefined);
  const fresh = await aWorkspace(t.db);
  await aDomain(t.db, fresh, 'posthorn.test');
  assert.equal(await from(fresh), 'newsletter@posthorn.test');
  const hosted = await aWorkspace(t.db);
  await aDomain(t.db, hosted, 'posthorn.test');
  assert.equal(await from(hosted, { ...cloud, edition: 'self-hosted' }), 'newsletter@house.example');
  await aDomain(t.db, hosted, 'not-yet.example', { sendingEnabled: false });
  await aDomain(t.db, hosted, 'first.example');
  await aDomain(t.db, hosted, 'second.example');
  assert.equal(await from(hosted), 'newsletter@first.example');
});

test('a domain of another workspace is no sender', async () => {
  const [workspaceId, other] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  await aDomain(t.db, other, 'acme.example');
  assert.equal(await senderOf(asking(workspaceId), await aStored(workspaceId)), null);
  assert.equal(await confirmationSenderOf(asking(workspaceId), await aStored(workspaceId, { fromEmail: null })), null);
});
