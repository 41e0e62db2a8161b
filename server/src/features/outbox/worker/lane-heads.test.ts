import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { accepted } from '../../../../test/harness/accepted-send.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { LaneHeads } from './lane-heads.ts';
import { claimEmails } from './queries/claim-emails.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const clock = createTestClock({ held: true });
const log = createLog({ level: 'silent' });

const claim = (slots: number) => claimEmails(t.db, { slots, bulk: 0, leaseToken: newId(), leaseSeconds: 60 });

const turnsOf = async (recipient: string): Promise<number[]> => {
  const { rows } = await sql<{ turn: number }>`
    select turn from emails where workspace_id = ${workspaceId} and recipient = ${recipient}`.execute(t.db);
  return rows.map((row) => row.turn);
};

test('an email is accepted behind what has left, and one that comes below the head is still claimed first', async () => {
  const heads = new LaneHeads({ db: t.db, log, clock });
  await accepted(t.db, workspaceId, ['a@example.com', 'b@example.com', 'c@example.com']);
  const { emails } = await claim(10);
  assert.deepEqual(
    emails.map(({ turn }) => turn),
    [0, 1, 2],
  );
  await heads.claimed(emails);
  // The queue is empty: without the head its turns would begin anew.
  await accepted(t.db, workspaceId, ['next@example.com', 'late@example.com']);
  assert.deepEqual([await turnsOf('next@example.com'), await turnsOf('late@example.com')], [[2], [3]]);
  await sql`update emails set turn = 0 where workspace_id = ${workspaceId} and recipient = 'late@example.com'`.execute(
    t.db,
  );
  assert.deepEqual(
    (await claim(10)).emails.map((email) => email.recipient),
    ['late@example.com', 'next@example.com'],
  );
});

test('a head never goes back, and is told at most four times a second', async () => {
  const lane = 2;
  const headOf = async (): Promise<number> => {
    const { rows } = await sql<{ head: number }>`select ph_lane_head(${lane}::smallint) as head`.execute(t.db);
    return rows[0]?.head ?? -1;
  };
  const heads = new LaneHeads({ db: t.db, log, clock });
  await heads.claimed([{ lane, turn: 7 }]);
  await heads.claimed([{ lane, turn: 9 }]);
  assert.equal(await headOf(), 7, 'a quarter of a second is not over');
  clock.advance(250);
  await heads.claimed([]);
  assert.equal(await headOf(), 9);
  await new LaneHeads({ db: t.db, log, clock }).claimed([{ lane, turn: 3 }]);
  assert.equal(await headOf(), 9);
});
