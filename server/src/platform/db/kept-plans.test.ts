import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createLog } from '../log.ts';
import { type Db, openDatabase } from './database.ts';
import { keepPlan } from './kept-plans.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function onNewConnection(work: (db: Db) => Promise<void>): Promise<void> {
  const log = createLog({ level: 'silent' });
  const own = openDatabase({ url: t.url, poolMax: 1, applicationName: 'plans', log, byIndex: true });
  await own.db.connection().execute(work);
  await own.close();
}

const double = async (db: Db, number: number): Promise<unknown> => {
  const { rows } = await sql<{ n: unknown }>`${keepPlan} select ${number}::integer * 2 as n`.execute(db);
  return rows[0]?.n;
};
const kept = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from pg_prepared_statements`.execute(db);
  return rows[0]?.n ?? 0;
};

test('the server keeps the plan of a marked statement, and of no other', async () => {
  await onNewConnection(async (db) => {
    await sql`deallocate all`.execute(db);
    await sql`select ${1}::integer`.execute(db);
    assert.equal(await kept(db), 0);
    assert.deepEqual([await double(db, 1), await double(db, 2)], [2, 4]);
    assert.equal(await kept(db), 1);
  });
});

test('a connection on which the plan is lost goes on without names', async () => {
  await onNewConnection(async (db) => {
    assert.equal(await double(db, 3), 6);
    await sql`deallocate all`.execute(db); // as behind a pooler that gives us another server connection
    assert.deepEqual([await double(db, 4), await double(db, 5)], [8, 10]);
    assert.equal(await kept(db), 0);
  });
});

test('a plan that a change of its table forbids is made anew', async () => {
  await sql`create table kept_plans_test (a integer)`.execute(t.db);
  await sql`insert into kept_plans_test values (1)`.execute(t.db);
  await onNewConnection(async (db) => {
    const all = async (): Promise<unknown> => (await sql`${keepPlan} select * from kept_plans_test`.execute(db)).rows;
    assert.deepEqual(await all(), [{ a: 1 }]);
    await sql`alter table kept_plans_test add column b integer`.execute(t.db);
    assert.deepEqual(await all(), [{ a: 1, b: null }]);
  });
});

test('inside a transaction the loss of a plan ends the transaction, and is told as what it is', async () => {
  await onNewConnection(async (db) => {
    await double(db, 6);
    await sql`deallocate all`.execute(db);
    await assert.rejects(
      db.transaction().execute((tx) => double(tx, 7)),
      { code: '26000' },
    );
    assert.equal(await double(db, 8), 16);
  });
});

test('a plan that is made while a table is empty serves when it has grown', async () => {
  await sql`create table kept_plans_grown (id integer primary key, n integer not null, wide char(900) not null default '')`.execute(
    t.db,
  );
  await onNewConnection(async (db) => {
    const add = async (ids: number[]): Promise<void> => {
      await sql`${keepPlan} update kept_plans_grown g set n = n + 1 from unnest(${ids}::integer[]) as i (id) where g.id = i.id`.execute(
        db,
      );
    };
    await sql`set plan_cache_mode = force_generic_plan`.execute(db); // as after a few calls of a larger statement
    await add([1, 2, 3]);
    const { rows: known } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement ~ 'kept_plans_grown'`.execute(db);
    assert.equal(known.length, 1);
    await sql`insert into kept_plans_grown select n, 0 from generate_series(1, 10000) as n`.execute(db);
    const plan = await sql`explain execute ${sql.ref(known[0]?.name ?? '')} ('{1,2,3}')`.execute(db);
    assert.doesNotMatch(JSON.stringify(plan.rows), /Seq Scan/);
  });
});
