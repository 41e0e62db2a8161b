import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { idAfter, idFromBytes, idToBytes, isUuid, newId } from './ids.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('ids are UUIDs of version 7 that hold the time', () => {
  const begun = Date.now();
  const id = newId();
  assert.match(id, VERSION_7);
  assert.ok(isUuid(id));
  assert.ok(timeOf(id) >= begun && timeOf(id) <= Date.now() + 1);
});

test('an id and its 16 bytes are the same wherever they stand, and what is no id has none', () => {
  const id = newId();
  assert.equal(idToBytes(id).length, 16);
  assert.equal(idFromBytes(idToBytes(id)), id);
  assert.equal(idFromBytes(Buffer.concat([Buffer.from([0x11]), idToBytes(id), Buffer.from([0xff])]), 1), id);
  for (const text of ['', 'ada@example.com', id.slice(1), `${id}00`])
    assert.throws(() => idToBytes(text), /is no UUID/);
});

test('200,000 ids in a row are strictly increasing, as text and as bytes', () => {
  let last = newId();
  for (let made = 0; made < 200_000; made += 1) {
    const next = newId();
    assert.ok(next > last);
    last = next;
  }
});

test('a clock that stands still, overflows its millisecond or goes back does not turn the order around', () => {
  const start = Date.now() + 60_000;
  const ids = [
    ...Array.from({ length: 10_000 }, () => newId(start)),
    ...Array.from({ length: 100 }, () => newId(start - 5_000)),
    ...Array.from({ length: 100 }, (_, index) => newId(start + 1_000 + index)),
  ];
  for (const [index, id] of ids.entries()) {
    assert.match(id, VERSION_7);
    assert.ok(index === 0 || id > (ids[index - 1] ?? ''));
  }
  assert.equal(new Set(ids).size, ids.length);
});

test('the order of text is the order of PostgreSQL', async () => {
  const ids = Array.from({ length: 1_000 }, () => newId());
  const { rows } = await sql<{
    id: string;
  }>`select id from unnest(${[...ids].reverse()}::uuid[]) as id order by id`.execute(database.db);
  assert.deepEqual(
    rows.map((row) => row.id),
    ids,
  );
});

test('ids that SQL makes have the same form and time', async () => {
  const begun = Date.now();
  const { rows } = await sql<{ id: string }>`select ph_uuidv7() as id from generate_series(1, 1000)`.execute(
    database.db,
  );
  for (const { id } of rows) {
    assert.match(id, VERSION_7);
    assert.ok(timeOf(id) >= begun - 1_000 && timeOf(id) <= Date.now() + 1_000);
  }
  assert.equal(new Set(rows.map((row) => row.id)).size, 1_000);
});

test('only the form that we issue is an id', () => {
  const id = newId();
  for (const other of [
    id.toUpperCase(),
    `{${id}}`,
    id.replaceAll('-', ''),
    ` ${id}`,
    `${id}\n`,
    `${id}0`,
    '',
    'null',
    id.replace('-', '_'),
    'g'.repeat(36),
  ])
    assert.equal(other !== id && isUuid(other), false, JSON.stringify(other));
  assert.ok(isUuid('00000000-0000-0000-0000-000000000000'));
});

test('the id after an id is the least one above it', () => {
  assert.equal(idAfter('0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'), '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a12');
  assert.equal(idAfter('0197f3d2-6c1e-7a50-9b1f-ffffffffffff'), '0197f3d2-6c1e-7a50-9b20-000000000000');
});
