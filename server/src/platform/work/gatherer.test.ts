import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { gatherer } from './gatherer.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
  await sql`create table gathered (name text primary key, number int not null check (number > 0))`.execute(t.db);
});
after(() => t.close());

interface Thing {
  name: string;
  number: number;
}

/** A gatherer into the table, and the pages that it has stored; the first ones wait for `held`. */
function gathering(pageMax: number, held?: Promise<unknown>, heldPages = 1) {
  const pages: string[][] = [];
  const store = async (db: Db, page: readonly Thing[]): Promise<string[]> => {
    pages.push(page.map(({ name }) => name));
    if (pages.length <= heldPages) await held;
    const { rows } = await sql<{ name: string }>`
      insert into gathered (name, number)
      select * from unnest(${page.map(({ name }) => name)}::text[], ${page.map(({ number }) => number)}::int[])
      returning name`.execute(db);
    return rows.map(({ name }) => `${name} is stored`);
  };
  return { pages, store: gatherer({ pageMax, store }) };
}

const names = async (like: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from gathered where name like ${like} order by name`.execute(t.db);
  return rows.map(({ name }) => name);
};

const comeTogether = (store: ReturnType<typeof gathering>['store'], items: readonly string[]): Promise<string>[] =>
  items.map((name) => store(t.db, { name, number: 1 }));

test('items that come together share a statement, a few that come meanwhile the next one, and each gets its own result', async () => {
  const held = Promise.withResolvers<void>();
  const { pages, store } = gathering(10, held.promise);
  const first = comeTogether(store, ['a1', 'a2']);
  await new Promise(setImmediate);
  const later = comeTogether(store, ['a3', 'a4', 'a5']);
  await new Promise(setImmediate);
  assert.deepEqual(pages, [['a1', 'a2']], 'three do not make a second statement worth its cost');
  held.resolve();
  assert.deepEqual(
    await Promise.all([...first, ...later]),
    ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => `${name} is stored`),
  );
  assert.deepEqual(pages, [
    ['a1', 'a2'],
    ['a3', 'a4', 'a5'],
  ]);
});

test('a second statement begins beside the first once as many wait as the first holds, and never a third', async () => {
  const held = Promise.withResolvers<void>();
  const { pages, store } = gathering(10, held.promise, 2);
  const first = comeTogether(store, ['h1', 'h2', 'h3', 'h4', 'h5']);
  await new Promise(setImmediate);
  const waiting = comeTogether(store, ['h6', 'h7', 'h8', 'h9']);
  await new Promise(setImmediate);
  assert.equal(pages.length, 1, 'one less than the first holds');
  waiting.push(...comeTogether(store, ['i1']));
  await until('the second statement', async () => pages[1]);
  assert.deepEqual(pages[1], ['h6', 'h7', 'h8', 'h9', 'i1']);
  const more = comeTogether(
    store,
    Array.from({ length: 10 }, (_, n) => `j${n}`),
  );
  await new Promise(setImmediate);
  assert.equal(pages.length, 2, 'a third would wait for the same processor');
  held.resolve();
  assert.equal((await Promise.all([...first, ...waiting, ...more])).length, 20);
  assert.equal(pages.length, 3);
});

test('a statement takes no more than its page holds', async () => {
  const { pages, store } = gathering(3);
  await Promise.all(comeTogether(store, ['k1', 'k2', 'k3', 'k4', 'k5']));
  assert.deepEqual(pages, [
    ['k1', 'k2', 'k3'],
    ['k4', 'k5'],
  ]);
});

test('the one that the database refuses fails alone', async () => {
  const { store } = gathering(10);
  const outcomes = await Promise.allSettled([1, 0, 2].map((number) => store(t.db, { name: `b${number}`, number })));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(await names('b%'), ['b1', 'b2']);
});

test('when the database cannot be reached, everybody hears it and nothing is tried one by one', async () => {
  const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  let tries = 0;
  const store = gatherer<string, string>({
    pageMax: 10,
    async store() {
      tries += 1;
      throw gone;
    },
  });
  const outcomes = await Promise.allSettled(['c1', 'c2'].map((name) => store(t.db, name)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason === gone),
    [true, true],
  );
  assert.equal(tries, 1);
});

test('inside a transaction it is stored by itself, and goes with the transaction', async () => {
  const { pages, store } = gathering(10);
  await assert.rejects(
    inTransaction(t.db, async (tx) => {
      assert.deepEqual(
        await Promise.all([store(tx, { name: 'd1', number: 1 }), store(tx, { name: 'd2', number: 1 })]),
        ['d1 is stored', 'd2 is stored'],
      );
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  assert.deepEqual(pages, [['d1'], ['d2']]);
  assert.deepEqual(await names('d%'), []);
});

test('a page that is not answered for each of its callers fails instead of leaving one waiting', async () => {
  const store = gatherer<string, string>({ pageMax: 10, store: async () => [] });
  await assert.rejects(store(t.db, 'e1'), /not everybody got an answer/);
});
