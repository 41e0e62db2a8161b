import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { newId } from '#platform/ids.ts';
import { gatherSend } from './gather-sends.ts';
import type { SendToInsert } from './queries/accept-sends.ts';
import { aSend, aWorkspace } from '../test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

function given(workspaceId: string, to: string[], change: Partial<SendToInsert> = {}): SendToInsert {
  const send = aSend(to);
  const addresses = send.recipients;
  return {
    workspaceId,
    jobId: newId(),
    contentId: newId(),
    send,
    lane: 1,
    emailIds: addresses.map(() => newId()),
    eventIds: addresses.map(() => newId()),
    addresses,
    variantIds: [],
    ...change,
  };
}

interface Stored {
  id: string;
  workspaceId: string;
  turn: number;
  status: string;
  xid: string;
  event: string;
}
const stored = async (ids: readonly string[]): Promise<Stored[]> => {
  const { rows } = await sql<Stored>`
    select e.id, e.workspace_id as "workspaceId", e.turn, e.status, e.xmin::text as xid, v.type as event
      from emails e join email_events v on v.workspace_id = e.workspace_id and v.email_id = e.id
     where e.id = any(${ids}::uuid[]) order by e.id`.execute(t.db);
  return rows;
};

test('sends that come together share a commit, and each is stored whole', async () => {
  const ws = await aWorkspace(t.db);
  const sends = Array.from({ length: 20 }, (_, n) => given(ws, [`a${n}@example.com`, `b${n}@example.com`]));
  const inserted = await Promise.all(sends.map((send) => gatherSend(t.db, send)));
  assert.ok(inserted.every((one) => 'suppressed' in one && one.suppressed.size === 0));
  const rows = await stored(sends.flatMap((send) => send.emailIds));
  assert.equal(rows.length, 40);
  assert.equal(new Set(rows.map((row) => row.xid)).size, 1);
  assert.deepEqual([...new Set(rows.map((row) => row.event))], ['send']);
  // Each email of a workspace has a round of its own.
  assert.equal(new Set(rows.map((row) => row.turn)).size, 40);
});

test('workspaces that come together enter the queue side by side', async () => {
  const [a, b] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const sends = [given(a, ['1@a.test', '2@a.test']), given(b, ['1@b.test', '2@b.test']), given(a, ['3@a.test'])];
  await Promise.all(sends.map((send) => gatherSend(t.db, send)));
  const rows = await stored(sends.flatMap((send) => send.emailIds));
  const turnsOf = (ws: string): number[] =>
    rows
      .filter((row) => row.workspaceId === ws)
      .map((row) => row.turn)
      .toSorted((x, y) => x - y);
  const first = turnsOf(a)[0] ?? -1;
  assert.deepEqual(turnsOf(a), [first, first + 1, first + 2]);
  assert.deepEqual(turnsOf(b), [first, first + 1]);
});

test('a suppressed address among many sends is suppressed for its workspace alone', async () => {
  const [ws, other] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  await sql`insert into suppressions (workspace_id, id, email, reason) values (${ws}, ${newId()}, 'no@example.com', 'manual')`.execute(
    t.db,
  );
  const sends = [given(ws, ['yes@example.com', 'no@example.com']), given(other, ['no@example.com'])];
  const inserted = await Promise.all(sends.map((send) => gatherSend(t.db, send)));
  assert.deepEqual(
    inserted.map((one) => ('suppressed' in one ? [...one.suppressed] : one)),
    [[1], []],
  );
  const rows = await stored(sends.flatMap((send) => send.emailIds));
  assert.deepEqual(
    rows.filter((row) => row.status === 'suppressed').map((row) => row.event),
    ['reject'],
  );
});

test('one send that cannot be stored does not refuse those that came with it', async () => {
  const ws = await aWorkspace(t.db);
  const earlier = given(ws, ['earlier@example.com']);
  await gatherSend(t.db, earlier);
  const good = [given(ws, ['g1@example.com']), given(ws, ['g2@example.com'])];
  const bad = given(ws, ['bad@example.com'], { contentId: earlier.contentId });
  const [first, second, refused] = await Promise.allSettled([...good, bad].map((send) => gatherSend(t.db, send)));
  assert.equal(first?.status, 'fulfilled');
  assert.equal(second?.status, 'fulfilled');
  assert.equal(refused?.status, 'rejected');
  assert.equal((await stored(good.flatMap((send) => send.emailIds))).length, 2);
  assert.equal((await stored(bad.emailIds)).length, 0);
});
