import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { hashOfAddress, type ConsentAction, type List } from './consent.ts';
import { forgetLapsedLists } from './deleted-lists.ts';
import { keepConsentsOfList } from './deleted-lists-queries.ts';
import { erasePeople } from './erase-people.ts';
import { listConsents, newestConsent } from './list-consents.ts';
import { deletePageOfConsents, listErasedAmong, listLeftAmong } from './queries.ts';
import { recordConsents } from './record-consents.ts';

const secrets = createSecrets('a secret for tests that is long enough');
const evidence = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0', url: 'https://acme.example/blog', formVersion: null };
const at = new Date('2026-11-20T10:00:00Z');
const EVERYTHING = { limit: 100, page: 1, offset: 0, after: null };

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const aList = async (): Promise<List> => ({ workspaceId: await aWorkspace(t.db), listId: newId() });

async function signUp(list: List, email: string) {
  const person = { ...list, id: newId(), email, source: 'footer' };
  await recordConsents(t.db, secrets, [{ person, action: 'signed_up', at, evidence, details: { via: 'public' } }]);
  return person;
}

test('an address that left has left until its person confirms again: neither a filled form nor an erasure is a consent', async () => {
  const list = await aList();
  const email = 'ada@example.com';
  const hash = hashOfAddress(secrets, email).toString('hex');
  const person = { ...list, id: newId(), email, source: 'footer' };
  const hasLeftAfter = async (action: ConsentAction): Promise<boolean> => {
    await recordConsents(t.db, secrets, [{ person, action, at, evidence, details: {} }]);
    return (await listLeftAmong(t.db, list, [hash])).length > 0;
  };
  assert.equal(await hasLeftAfter('confirmed'), false);
  for (const action of ['unsubscribed', 'signed_up', 'confirmation_sent', 'erased'] as const)
    assert.equal(await hasLeftAfter(action), true, action);
  assert.equal(await hasLeftAfter('confirmed'), false);
});

test('a consent can be neither changed nor deleted, only emptied of personal data', async () => {
  const list = await aList();
  await signUp(list, 'ada@example.com');
  const ws = list.workspaceId;
  for (const change of [
    sql`update consents set action = 'confirmed' where workspace_id = ${ws}`,
    sql`update consents set at = now() - interval '1 day' where workspace_id = ${ws}`,
    sql`update consents set email = 'eve@example.com' where workspace_id = ${ws}`,
    sql`update consents set ip = '192.0.2.1' where workspace_id = ${ws}`,
    sql`update consents set email_hash = '\\x00' where workspace_id = ${ws}`,
    sql`update consents set details = '{}' where workspace_id = ${ws}`,
    sql`delete from consents where workspace_id = ${ws}`,
  ]) {
    await assert.rejects(change.execute(t.db), /on record cannot be/);
  }
  await sql`update consents set email = null, ip = null, user_agent = null, url = null, source = null, details = null, subscriber_id = null
    where workspace_id = ${ws}`.execute(t.db);
  await assert.rejects(
    sql`update consents set email = 'eve@example.com' where workspace_id = ${ws}`.execute(t.db),
    /on record/,
  );
});

test('the records of a list that is gone are deleted by the page, and no other can be deleted beside them', async () => {
  const [gone, stays] = [await aList(), await aList()];
  for (const name of ['ada', 'bob', 'eve']) await signUp(gone, `${name}@example.com`);
  await signUp(stays, 'ada@example.com');
  const left = async (): Promise<number> => {
    const { rows } =
      await sql`select from consents where workspace_id in (${gone.workspaceId}, ${stays.workspaceId})`.execute(t.db);
    return rows.length;
  };
  assert.equal(await deletePageOfConsents(t.db, { ...gone, workspaceId: stays.workspaceId }, 10), 0);
  assert.equal(await deletePageOfConsents(t.db, gone, 2), 2);
  assert.equal(await left(), 2);
  // The name of the list that is gone does not last until the end of the transaction.
  const besides = inTransaction(t.db, async (tx) => {
    await deletePageOfConsents(tx, stays, 0);
    await sql`delete from consents where workspace_id = ${stays.workspaceId}`.execute(tx);
  });
  await assert.rejects(besides, /on record cannot be deleted/);
  assert.equal(await deletePageOfConsents(t.db, gone, 2), 1);
  assert.equal(await left(), 1);
});

test('the records of a deleted list are kept, whoever asks for their deletion, until their time has passed', async () => {
  const list = await aList();
  for (const name of ['ada', 'bob']) await signUp(list, `${name}@example.com`);
  await inTransaction(t.db, (tx) => keepConsentsOfList(tx, list, 'Weekly', at));
  const left = async (): Promise<[consents: number, lists: number]> => {
    const { rows } = await sql<{ consents: number; lists: number }>`
      select (select count(*) from consents where workspace_id = ${list.workspaceId}) as consents,
             (select count(*) from deleted_lists where workspace_id = ${list.workspaceId}) as lists`.execute(t.db);
    return [rows[0]?.consents ?? -1, rows[0]?.lists ?? -1];
  };
  // As a process of an older version does, which knows of no deleted lists.
  assert.equal(await deletePageOfConsents(t.db, list, 10), 0);
  assert.deepEqual(await left(), [2, 1]);
  await sql`update deleted_lists set deleted_at = now() - interval '31 days' where id = ${list.listId}`.execute(t.db);
  await inTransaction(t.db, async (tx) => {
    // As another process does that removes a page at the same time.
    await sql`select from consents where workspace_id = ${list.workspaceId} limit 1 for update`.execute(tx);
    await forgetLapsedLists(t.db, 30);
    assert.deepEqual(await left(), [1, 1], 'what that process does not finish is found again');
  });
  await forgetLapsedLists(t.db, 30);
  assert.deepEqual(await left(), [0, 0]);
});

test('of an erased person nothing stays but what happened when and a hash, on this list and no other', async () => {
  const [list, other] = [await aList(), await aList()];
  const ada = await signUp(list, 'ada@example.com');
  const bob = await signUp(list, 'bob@example.com');
  const elsewhere = await signUp({ ...other, workspaceId: list.workspaceId }, 'ada@example.com');
  await inTransaction(t.db, (tx) => erasePeople(tx, secrets, list, [ada], at));
  const ctx = { db: t.db, secrets };
  const { rows, total } = await listConsents(ctx, ada, EVERYTHING);
  const nothing = { email: null, ip: null, userAgent: null, url: null, source: null, details: null };
  assert.equal(total, 2);
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['erased', 'signed_up'],
  );
  for (const { email, ip, userAgent, url, source, details } of rows) {
    assert.deepEqual({ email, ip, userAgent, url, source, details }, nothing);
  }
  for (const one of [bob, elsewhere]) {
    assert.deepEqual((await newestConsent(ctx, one))?.details, { via: 'public' });
  }
  const { rows: hashes } = await sql<{ hash: string }>`
    select distinct encode(email_hash, 'hex') as hash from consents where workspace_id = ${list.workspaceId}`.execute(
    t.db,
  );
  const asked = hashes.map(({ hash }) => hash);
  assert.equal(asked.length, 2);
  assert.equal((await listErasedAmong(t.db, list, asked)).length, 1);
  assert.deepEqual(await listErasedAmong(t.db, { ...list, listId: elsewhere.listId }, asked), []);
});
