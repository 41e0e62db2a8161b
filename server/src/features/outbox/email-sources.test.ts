import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { NO_ORIGIN, shownOrigin } from '#mail/email-origin.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { originColumns } from './queries/origin-columns.ts';
import { SOURCE_NAMES } from '#mail/email-sources.ts';
import { accept, aSend, aWorkspace } from './test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('the list of sources names exactly those that the column allows', async () => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint
     where contypid = 'send_source'::regtype`.execute(t.db);
  const allowed = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'::text/g)].map((match) => match[1]);
  assert.deepEqual(SOURCE_NAMES.toSorted(), allowed.toSorted());
});

test('a send keeps everything that it was made for and from', async () => {
  const ws = await aWorkspace(t.db);
  const id = (n: number): string => `0197f3e0-0000-7000-8000-00000000000${n}`;
  const origin = Object.fromEntries(Object.keys(NO_ORIGIN).map((name, n) => [name, id(n)]));
  const { jobId } = await accept(t.db, ws, aSend(['ada@example.com'], { source: 'automation', origin }));
  const { rows } = await sql<typeof NO_ORIGIN & { source: string }>`
    select s.source, ${originColumns} from send_requests s
     where s.workspace_id = ${ws} and s.id = ${jobId}`.execute(t.db);
  assert.deepEqual(rows, [{ source: 'automation', ...origin }]);
});

test('a shown origin has a field for each of its parts', () => {
  assert.equal(Object.keys(shownOrigin(NO_ORIGIN)).length, Object.keys(NO_ORIGIN).length);
  assert.ok(Object.values(shownOrigin(NO_ORIGIN)).every((value) => value === null));
});
