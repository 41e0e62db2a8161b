import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { columnAssignments, columnNames, columnValues } from '#platform/db/record-columns.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { computed, kept, record, type Stored } from './record.ts';
import { Instant, nullable } from './wire-types.ts';

const settings = { name: Type.String(), from_email: nullable(Type.String()), origins: Type.Array(Type.String()) };
const fields = {
  workspace_id: kept<string>(),
  ...settings,
  count: computed(Type.Integer()),
  created_at: Instant,
};
const THING = record(fields);
type Thing = Stored<typeof fields>;

const thing: Thing = {
  workspaceId: 'w',
  name: 'N',
  fromEmail: null,
  origins: ['https://a.example', 'b"c'],
  createdAt: new Date('2026-11-20T10:00:00Z'),
};

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ migrated: false });
  await sql`create table things (workspace_id text, name text, from_email text, origins text[], created_at timestamptz)`.execute(
    t.db,
  );
});
after(() => t.close());

test('a record shows its fields in the order of the table, with what is computed and without what is kept', () => {
  const shown = THING.view(thing, { count: 2 });
  assert.deepEqual(Object.keys(shown), ['name', 'from_email', 'origins', 'count', 'created_at']);
  assert.deepEqual(Object.keys(THING.schema), Object.keys(shown));
  assert.deepEqual([shown.from_email, shown.count, shown.created_at], [null, 2, thing.createdAt]);
});

test('a computed value takes the place of a stored one', () => {
  assert.equal(THING.view(thing, { count: 2, name: 'Another' }).name, 'Another');
});

test('a record that is inserted, changed and selected by its table is the same again', async () => {
  const names = Object.keys(settings);
  await sql`insert into things (workspace_id, ${columnNames(names)}, created_at)
    values (${thing.workspaceId}, ${columnValues(names, thing)}, ${thing.createdAt})`.execute(t.db);
  const read = async () => (await sql<Thing>`select ${THING.columns('x')} from things x`.execute(t.db)).rows;
  assert.deepEqual(await read(), [thing]);
  const changed = { ...thing, fromEmail: 'a@b.example', origins: [] };
  await sql`update things set ${columnAssignments(names, changed)}`.execute(t.db);
  assert.deepEqual(await read(), [changed]);
});
