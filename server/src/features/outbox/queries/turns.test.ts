import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { releaseClaims } from '../worker/queries/leases.ts';
import { claimEmails } from '../worker/queries/claim-emails.ts';
import { accept, aSend, aSweeper, aWorkspace, people, queued } from '../test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ poolMax: 20 });
});
after(() => t.close());

/** The turns of the queued emails of a workspace, in order. */
async function turnsOf(workspaceId: string): Promise<number[]> {
  const { rows } = await sql<{ turn: number }>`
    select turn from emails where workspace_id = ${workspaceId} and status = 'queued' order by turn`.execute(t.db);
  return rows.map((row) => row.turn);
}

const inARow = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);

/** The most emails of the workspace that one turn has. */
const mostInATurn = (turns: readonly number[]): number => {
  const counts = new Map<number, number>();
  for (const turn of turns) counts.set(turn, (counts.get(turn) ?? 0) + 1);
  return Math.max(...counts.values());
};

interface Pending {
  commit(): Promise<void>;
  undo(): Promise<void>;
}

/** Accepts for so many recipients in a transaction that is not committed yet. */
async function acceptWithoutCommit(db: Db, workspaceId: string, recipients: number): Promise<Pending> {
  const accepted = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const done = inTransaction(db, async (tx) => {
    await accept(tx, workspaceId, aSend(people(recipients)));
    accepted.resolve();
    await end.promise;
  });
  done.catch(accepted.reject);
  await accepted.promise;
  return {
    commit: async () => {
      end.resolve();
      await done;
    },
    undo: async () => {
      end.reject(new Error('undone'));
      await assert.rejects(done, /undone/);
    },
  };
}

test('emails that are accepted while others of their workspace are not committed take the turns behind those', async () => {
  const ws = await aWorkspace(t.db);
  const [first = -1] = await firstTurn(ws);
  const pending: Pending[] = [];
  for (const recipients of [1, 1, 3, 32, 1, 2]) pending.push(await acceptWithoutCommit(t.db, ws, recipients));
  for (const one of pending.toReversed()) await one.commit();
  assert.deepEqual(await turnsOf(ws), inARow(first, 41));
});

/** Queues an email, so that the next turns are known. */
async function firstTurn(workspaceId: string): Promise<number[]> {
  await queued(t.db, workspaceId, 'transactional', people(1));
  return turnsOf(workspaceId);
}

test('large sends at the same moment share no turn with each other or with small ones', async () => {
  const ws = await aWorkspace(t.db);
  const pending: Pending[] = [];
  for (const recipients of [1, 300, 1, 33, 200, 5]) pending.push(await acceptWithoutCommit(t.db, ws, recipients));
  for (const one of pending) await one.commit();
  const turns = await turnsOf(ws);
  assert.equal(turns.length, 540);
  assert.equal(mostInATurn(turns), 1);
  // Between them a block of 64 turns may be left in part.
  assert.ok((turns.at(-1) ?? 0) - (turns[0] ?? 0) < 540 + 6 * 64);
});

test('a large send that meets no other one follows on its workspace without a gap', async () => {
  const ws = await aWorkspace(t.db);
  const [first = -1] = await firstTurn(ws);
  await accept(t.db, ws, aSend(people(100)));
  await accept(t.db, ws, aSend(people(1)));
  assert.deepEqual(await turnsOf(ws), inARow(first, 102));
});

test('emails of one workspace that come over sixteen connections at once have a turn each', async () => {
  const ws = await aWorkspace(t.db);
  const acceptSome = async (): Promise<void> => {
    for (let n = 0; n < 25; n += 1) await inTransaction(t.db, (tx) => accept(tx, ws, aSend(people(1 + (n % 3)))));
  };
  await Promise.all(Array.from({ length: 16 }, acceptSome));
  const turns = await turnsOf(ws);
  assert.equal(turns.length, 16 * 49);
  assert.equal(mostInATurn(turns), 1);
});

test('large and small sends that come over eight connections at once have a turn for each email', async () => {
  const ws = await aWorkspace(t.db);
  const acceptSome = async (connection: number): Promise<void> => {
    for (let n = 0; n < 6; n += 1)
      await inTransaction(t.db, (tx) => accept(tx, ws, aSend(people(n % 2 === 0 ? 5 : 60 + connection * 20))));
  };
  await Promise.all(Array.from({ length: 8 }, (_, connection) => acceptSome(connection)));
  const turns = await turnsOf(ws);
  assert.equal(turns.length, 3_240);
  assert.equal(mostInATurn(turns), 1);
});

test('an email that came back, was claimed and is given back keeps its turn among those that come back', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'system', people(3));
  const comesBack = (recipient: string) => sql`
    update emails set status = 'deferred', not_before = now() where workspace_id = ${ws} and recipient = ${recipient}`;
  const [first = '', second = ''] = people(3);
  await comesBack(first).execute(t.db);
  await aSweeper(t.db).runOnce();
  const leaseToken = newId();
  const { emails } = await claimEmails(t.db, { slots: 2, bulk: 0, leaseToken, leaseSeconds: 60 });
  assert.ok(emails.some(({ recipient }) => recipient === first));
  await releaseClaims(t.db, [leaseToken]);
  await comesBack(second).execute(t.db);
  await aSweeper(t.db).runOnce();
  const { rows } = await sql<{ recipient: string; turn: number }>`
    select recipient, turn from emails where workspace_id = ${ws} and not_before is not null order by turn`.execute(
    t.db,
  );
  assert.deepEqual(
    rows.map(({ recipient }) => recipient),
    [first, second],
  );
  assert.equal(mostInATurn(rows.map(({ turn }) => turn)), 1);
});

test('emails of one workspace that are not committed move nobody else back', async () => {
  const [a, b] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const [first = -1] = await firstTurn(a);
  const pending = [await acceptWithoutCommit(t.db, a, 5), await acceptWithoutCommit(t.db, a, 100)];
  await accept(t.db, b, aSend(people(2)));
  assert.deepEqual(await turnsOf(b), inARow((await lowestOfLane()) ?? first, 2));
  for (const one of pending) await one.commit();
});

async function lowestOfLane(): Promise<number | undefined> {
  const { rows } = await sql<{ turn: number }>`
    select min(turn) as turn from emails where status = 'queued' and lane = 1`.execute(t.db); // every workspace
  return rows[0]?.turn;
}

test('the turns of a transaction that is undone are free again', async () => {
  const ws = await aWorkspace(t.db);
  const [first = -1] = await firstTurn(ws);
  const undone = await acceptWithoutCommit(t.db, ws, 3);
  await undone.undo();
  await accept(t.db, ws, aSend(people(1)));
  assert.deepEqual(await turnsOf(ws), inARow(first, 2));
});

test('retries of a workspace share their turns with its other mail, and not with each other', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'transactional', people(1_600));
  const due = () =>
    sql`
    update emails set status = 'deferred', not_before = now() where workspace_id = ${ws}
       and id in (select id from emails where workspace_id = ${ws} and status = 'queued' and not_before is null
                   order by turn desc limit 400)`.execute(t.db);
  for (let round = 0; round < 3; round += 1) {
    await due();
    assert.equal(await aSweeper(t.db).runOnce(), 400);
  }
  const turns = await turnsOf(ws);
  assert.equal(turns.length, 1_600);
  assert.equal(mostInATurn(turns), 2);
});
