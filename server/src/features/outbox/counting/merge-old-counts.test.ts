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

test('a domain is forgotten when its emails are gone, and looked up again when it is mailed again', async () => {
  await sql`delete from rounds`.execute(t.db); // another hour
  const own = createTestClock({ at: new Date('2027-11-22T12:00:00Z') });
  await sql`insert into mailbox_domains (domain, provider, since, seen_on) values
    ('old.dev', 'google', '2026-01-01', '2027-08-05'), ('kept.dev', 'google', '2026-01-01', '2027-08-07')`.execute(
    t.db,
  );
  const known = async () =>
    (
      await sql<{ domain: string }>`select domain from mailbox_domains where domain in ('old.dev', 'kept.dev', 'gmx.de')
        order by 1`.execute(t.db)
    ).rows.map(({ domain }) => domain);
  assert.equal(await mergeOldCounts({ db: t.db, clock: own, settings: { retentionDays: 0 } }), 0);
  assert.deepEqual(await known(), ['gmx.de', 'kept.dev', 'old.dev'], 'without retention the emails are still here');
  await mergeOldCounts({ db: t.db, clock: own, settings: { retentionDays: 90 } });
  assert.deepEqual(await known(), ['gmx.de', 'kept.dev'], 'the well-known ones stay');
  await sql`select ph_see_mailbox_domains(array['old.dev', 'kept.dev'])`.execute(t.db);
  const { rows } = await sql`select domain, provider, seen_on = current_date as today from mailbox_domains
    where domain in ('old.dev', 'kept.dev') order by 1`.execute(t.db);
  assert.deepEqual(rows, [
    { domain: 'kept.dev', provider: 'google', today: false },
    { domain: 'old.dev', provider: 'other', today: true },
  ]);
  await sql`update mailbox_domains set seen_on = current_date - 8 where domain = 'kept.dev'`.execute(t.db);
  await sql`select ph_see_mailbox_domains(array['kept.dev'])`.execute(t.db);
  const { rows: seen } =
    await sql`select from mailbox_domains where domain = 'kept.dev' and seen_on = current_date`.execute(t.db);
  assert.equal(seen.length, 1);
});
