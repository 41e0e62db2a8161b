import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { aDomain, anInbound, aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { eraseInbound } from './erase-inbound.ts';
import { purgeInbound } from './retention.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const purge = async (days: number): Promise<void> => {
  while (await purgeInbound(t.db, days));
};
const left = async (workspaceId: string): Promise<string[]> => {
  const { rows } = await sql<{ subject: string }>`
    select subject from inbound_emails where workspace_id = ${workspaceId} order by subject`.execute(t.db);
  return rows.map(({ subject }) => subject);
};
const usage = async (workspaceId: string): Promise<object[]> => {
  const { rows } = await sql<object>`
    select emails, bytes::integer as bytes from inbound_usage where workspace_id = ${workspaceId}`.execute(t.db);
  return rows;
};

async function withMail(...mails: { subject: string; days?: number; from?: string }[]) {
  const workspaceId = await aWorkspace(t.db);
  const domainId = await aDomain(t.db, workspaceId, `d${workspaceId}.example`);
  for (const { days = 0, ...mail } of mails) {
    const id = await anInbound(t.db, workspaceId, { domainId, ...mail });
    await sql`update inbound_emails set size = 10, received_at = now() - make_interval(days => ${days})
      where workspace_id = ${workspaceId} and id = ${id}`.execute(t.db);
  }
  await sql`insert into inbound_usage (workspace_id, domain_id, emails, bytes)
    values (${workspaceId}, ${domainId}, ${mails.length}, ${mails.length * 10})`.execute(t.db);
  return { workspaceId, domainId };
}

test('mail is removed after its days and its room is given back; with 0 it stays', async () => {
  const { workspaceId } = await withMail({ subject: 'old', days: 91 }, { subject: 'new', days: 89 });
  await purge(0);
  assert.deepEqual(await left(workspaceId), ['new', 'old']);
  await purge(90);
  assert.deepEqual([await left(workspaceId), await usage(workspaceId)], [['new'], [{ emails: 1, bytes: 10 }]]);
  const { rows } = await sql`select inbound_id from inbound_messages where workspace_id = ${workspaceId}`.execute(t.db);
  assert.equal(rows.length, 1);
});

test('mail goes with its domain, and with its workspace', async () => {
  const { workspaceId, domainId } = await withMail({ subject: 'a' }, { subject: 'b' });
  const other = await withMail({ subject: 'stays' });
  await sql`delete from domains where workspace_id = ${workspaceId} and id = ${domainId}`.execute(t.db);
  await purge(0);
  assert.deepEqual([await left(workspaceId), await usage(workspaceId)], [[], []]);
  assert.deepEqual(await left(other.workspaceId), ['stays']);
  await sql`delete from workspaces where id = ${other.workspaceId}`.execute(t.db);
  await purge(0);
  assert.deepEqual([await left(other.workspaceId), await usage(other.workspaceId)], [[], []]);
});

test('an erased person takes the mail that they wrote with them, in their workspace only', async () => {
  const mails = [
    { subject: 'theirs', from: 'ada@example.com' },
    { subject: 'of another', from: 'bob@example.com' },
  ];
  const [here, there] = [await withMail(...mails), await withMail(...mails)];
  for (const { from } of mails) {
    const id = await anInbound(t.db, here.workspaceId, { domainId: here.domainId, from, subject: `unread of ${from}` });
    await sql`update inbound_emails set read_at = null, from_email = null, size = 0,
                     envelope_from = ${from.replace('a', 'A')}
               where workspace_id = ${here.workspaceId} and id = ${id}`.execute(t.db);
  }
  await sql`update inbound_usage set emails = 4 where workspace_id = ${here.workspaceId}`.execute(t.db);
  await inTransaction(t.db, (tx) => eraseInbound(tx, here.workspaceId, ['Ada@example.com']));
  assert.deepEqual(
    [await left(here.workspaceId), await usage(here.workspaceId)],
    [['of another', 'unread of bob@example.com'], [{ emails: 2, bytes: 10 }]],
  );
  assert.equal((await left(there.workspaceId)).length, 2);
});
