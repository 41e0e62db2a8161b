import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { foldTally } from '#platform/tally/fold-tally.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { countsTally } from './email-counts-queries.ts';
import { mergeOldCounts } from './merge-old-counts.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const workspaceId = newId();
const clock = createTestClock({ at: new Date('2026-11-22T12:00:00Z') });

async function quarters(): Promise<unknown[]> {
  const { rows } = await sql<{ at: Date; source: string; sent: number }>`
    select quarter as at, source, sent from email_counts where workspace_id = ${workspaceId} order by 1, 2`.execute(
    t.db,
  );
  return rows.map(({ at, source, sent }) => [at.toISOString().slice(0, 16), source, sent]);
}

test('counts whose emails are gone become one row an hour with the same sum, and all others stay quarters', async () => {
  await sql`
    insert into email_counts (workspace_id, quarter, domain_id, source, newsletter_id, sent, folded)
    select ${workspaceId}, at::timestamptz, ${workspaceId}, source, ${workspaceId}, sent, true
      from (values ('2026-07-01T10:00Z', 'api', 1), ('2026-07-01T10:15Z', 'api', 2), ('2026-07-01T10:45Z', 'api', 4),
                   ('2026-07-01T10:30Z', 'issue', 8), ('2026-08-20T10:15Z', 'api', 16)) as v (at, source, sent)`.execute(
    t.db,
  );
  const before = await quarters();
  assert.equal(await mergeOldCounts({ db: t.db, clock, settings: { retentionDays: 0 } }), 0);
  assert.deepEqual(await quarters(), before, 'without retention the emails are still here');

  assert.equal(await mergeOldCounts({ db: t.db, clock, settings: { retentionDays: 90 } }), 3);
  await foldTally(t.db, countsTally);
  assert.deepEqual(await quarters(), [
    ['2026-07-01T10:00', 'api', 7],
    ['2026-07-01T10:00', 'issue', 8],
    ['2026-08-20T10:15', 'api', 16],
  ]);
});
