import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { publicActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { until } from '../../../../test/harness/until.ts';
import { runBulkJob } from '../bulk/run-bulk-job.ts';
import { insertContacts } from '../queries.ts';
import { listOptOuts } from '../opt-outs/opt-out-queries.ts';
import { optOutAddress } from './opt-out-address.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
});
after(() => app.close());

const log = createLog({ level: 'silent' });
const ctx = () => ({ ...app, actor: publicActor, ip: '', requestId: 'test', log });
const contactOf = async (name: string) => {
  const { status, body } = await app.request({ url: `/v1/contacts/${name}` });
  return { status, ...(body as { id: string; unsubscribed: boolean }) };
};

async function bulk(path: string, body?: object): Promise<string> {
  const answer = await app.request({ method: 'POST', url: `/v1/contacts/bulk${path}`, ...(body ? { body } : {}) });
  assert.equal(answer.status, 202, answer.text);
  while (await runBulkJob({ db: app.db, clock: app.clock, secrets: app.secrets, log }));
  return (answer.body as { id: string }).id;
}

test('the undo of a bulk deletion brings nobody back who left meanwhile, also when nobody knows the address', async () => {
  for (const isKnown of [true, false]) {
    const email = `${newId()}@example.com`;
    await app.request({ url: '/v1/contacts', body: { email } });
    const { id: contactId } = await contactOf(email);
    const filter = { match: 'all', conditions: [{ field: 'email', op: 'equals', value: email }] };
    const job = await bulk('', { filter, action: { type: 'delete' } });
    assert.equal((await contactOf(email)).status, 404);
    assert.equal(await optOutAddress(ctx(), { contactId, email: isKnown ? email : null }), isKnown);
    await bulk(`/${job}/undo`);
    assert.equal((await contactOf(email)).status, 404);
  }
});

test('an opt-out waits for a contact who is being added with the address at that moment', async () => {
  const email = `${newId()}@example.com`;
  const { workspaceId } = app;
  const now = new Date();
  const nobody = { firstName: null, lastName: null, name: null, properties: {}, timezone: null, language: null };
  const times = { unsubscribedAt: null, createdAt: now, updatedAt: now };
  let leaving: Promise<boolean> | undefined;
  await inTransaction(app.db, async (tx) => {
    assert.deepEqual(await listOptOuts(tx, workspaceId, []), []);
    leaving = optOutAddress(ctx(), { contactId: newId(), email });
    await until('the opt-out to wait', async () => {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (select from pg_locks where locktype = 'advisory' and not granted
                          and database = (select oid from pg_database where datname = current_database())) as waits`.execute(
        app.db,
      );
      return rows[0]?.waits === true ? true : undefined;
    });
    await insertContacts(tx, workspaceId, [{ ...nobody, ...times, workspaceId, id: newId(), email }]);
  });
  assert.equal(await leaving, true);
  assert.equal((await contactOf(email)).unsubscribed, true);
});
