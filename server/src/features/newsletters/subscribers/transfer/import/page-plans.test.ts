import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listErasedAmong, listLeftAmong } from '#features/consents';
import { inTransaction } from '#platform/db/database.ts';
import { aNewsletter, aWorkspace } from '../../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../../test/harness/database.ts';
import { until } from '../../../../../../test/harness/until.ts';
import { withRowReads } from '../../../../../../test/harness/row-reads.ts';
import { refreshStatistics } from '#platform/db/statistics-queries.ts';
import { lockSubscribersAmong } from './page-queries.ts';

/** A list that has just come: nobody has analysed the tables yet. */
const ROWS = 20_000;
const ASKED = 500;
/** To plan, the server may read the ends of an index. */
const FOR_THE_PLAN = 10;

let t: TestDatabase;
let given: { workspaceId: string; newsletterId: string };

before(async () => {
  t = await createTestDatabase();
  const workspaceId = await aWorkspace(t.db);
  given = { workspaceId, newsletterId: (await aNewsletter(t.db, workspaceId)).id };
  await inTransaction(t.db, async (tx) => {
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
      select ${workspaceId}, ph_uuidv7(), ${given.newsletterId}, 'u' || n || '@example.com', 'active'
        from generate_series(1, ${ROWS}::integer) as n`.execute(tx);
    await sql`select pg_stat_force_next_flush()`.execute(tx); // what has changed is told to others with the commit
  });
  await sql`insert into consents (workspace_id, id, newsletter_id, email_hash, action)
    select ${workspaceId}, ph_uuidv7(), ${given.newsletterId}, sha256(convert_to('u' || n, 'utf8')),
           case n when 7 then 'erased' when 8 then 'unsubscribed' else 'imported' end
      from generate_series(1, ${ROWS}::integer) as n`.execute(t.db);
});
after(() => t.close());

// It does not wait for the server, which may be counting the table just then by itself.
const isCounted = (table: 'subscribers' | 'consents'): Promise<unknown> =>
  until('the table is counted', async () => {
    await refreshStatistics(t.db, table);
    const { rows } = await sql`select from pg_stats where tablename = ${table} limit 1`.execute(t.db);
    return rows[0];
  });

test('an import looks up existing subscribers by address, however new the list is', async () => {
  await isCounted('subscribers');
  const emails = Array.from({ length: ASKED }, (_, n) => `u${ROWS - ASKED / 2 + n}@example.com`).sort();
  const { found, reads } = await withRowReads(t.db, ['subscribers'], (tx) => lockSubscribersAmong(tx, given, emails));
  assert.equal(found.length, ASKED / 2 + 1);
  assert.deepEqual(
    found.map(({ email }) => email),
    emails.filter((email) => found.some((one) => one.email === email)),
  );
  assert.ok(reads <= ASKED + FOR_THE_PLAN, `${reads} rows were read`);
});

const hashesOf = async (count: number): Promise<string[]> => {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256(convert_to('u' || n, 'utf8')), 'hex') as hash from generate_series(1, ${count}::integer) as n`.execute(
    t.db,
  );
  return rows.map(({ hash }) => hash);
};

test('erased people are found in the index of erasures, not among all consents', async () => {
  const hashes = await hashesOf(ASKED);
  const { found, reads } = await withRowReads(t.db, ['consents'], (tx) =>
    listErasedAmong(tx, { ...given, listId: given.newsletterId }, hashes),
  );
  assert.deepEqual(found, [hashes[6]]);
  assert.ok(reads <= FOR_THE_PLAN, `${reads} rows were read`);
});

test('people who left are found by their address, however new the list is', async () => {
  await isCounted('consents');
  const hashes = await hashesOf(ASKED);
  const { found, reads } = await withRowReads(t.db, ['consents'], (tx) =>
    listLeftAmong(tx, { ...given, listId: given.newsletterId }, hashes),
  );
  assert.deepEqual(found, [hashes[7]]);
  assert.ok(reads <= ASKED + FOR_THE_PLAN, `${reads} rows were read`);
});
