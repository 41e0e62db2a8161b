import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { accepted } from '../../../test/harness/accepted-send.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { purgeWorkspace, removePurged } from './purge-workspace.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function aQueuedEmail(workspaceId: string): Promise<void> {
  await accepted(t.db, workspaceId, ['ada@example.com']);
  const send = newId();
  await sql`insert into send_links (workspace_id, send_id, links) values (${workspaceId}, ${send}, '[]')`.execute(t.db);
  await sql`insert into link_redirects (workspace_id, send_id, link, target)
    values (${workspaceId}, ${send}, 'https://a.test', 'https://b.test')`.execute(t.db);
  await sql`insert into replaced_contents (workspace_id, send_id, content_version, content_id)
    values (${workspaceId}, ${send}, 1, ${send})`.execute(t.db);
  await sql`insert into link_counts (workspace_id, send_id, link, clicks)
    values (${workspaceId}, ${send}, 1, 1)`.execute(t.db);
  await sql`insert into send_courses (workspace_id, send_id, quarter, opened)
    values (${workspaceId}, ${send}, '2026-01-01', 1)`.execute(t.db);
  await sql`insert into email_counts (workspace_id, quarter, domain_id, source, newsletter_id, sent)
    values (${workspaceId}, '2026-01-01', ${send}, 'api', ${send}, 1)`.execute(t.db);
  await sql`insert into idempotency_keys (workspace_id, route, key, fingerprint)
    values (${workspaceId}, 'SMTP message', ${send}, '')`.execute(t.db);
  await sql`update email_counts set in_eighths = true where workspace_id = ${workspaceId}`.execute(t.db);
}

const rowsOf = async (workspaceId: string): Promise<Record<string, number>> => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from emails where workspace_id = ${workspaceId}) as emails,
      (select count(*) from emails where workspace_id = ${workspaceId} and status = 'queued') as queued,
      (select count(*) from email_events where workspace_id = ${workspaceId}) as events,
      (select count(*) from contents where workspace_id = ${workspaceId}) as contents,
      (select count(*) from idempotency_keys where workspace_id = ${workspaceId}) as answers,
      (select count(*) from replaced_contents where workspace_id = ${workspaceId}) +
      (select count(*) from link_redirects where workspace_id = ${workspaceId}) +
      (select count(*) from send_links where workspace_id = ${workspaceId})
        + (select count(*) from link_counts where workspace_id = ${workspaceId}) as links,
      (select count(*) from send_courses where workspace_id = ${workspaceId}) as courses,
      (select count(*) from email_counts where workspace_id = ${workspaceId})
        + (select count(*) from email_counts_by_eighth where workspace_id = ${workspaceId}) as counts,
      (select count(*) from send_requests where workspace_id = ${workspaceId}) as sends`.execute(t.db);
  return rows[0] ?? {};
};

test('deleting a workspace stops its queued mail at once and removes its rows afterwards, and nobody else’s', async () => {
  const [gone, stays] = [newId(), newId()];
  for (let n = 0; n < 3; n += 1) await aQueuedEmail(gone);
  await aQueuedEmail(stays);
  const before = await rowsOf(stays);

  await inTransaction(t.db, (tx) => purgeWorkspace(tx, gone));
  assert.deepEqual((await rowsOf(gone))['queued'], 0);
  assert.deepEqual((await rowsOf(gone))['emails'], 3);

  await removePurged({ db: t.db });
  const none = { emails: 0, queued: 0, events: 0, contents: 0, answers: 0, links: 0, counts: 0, courses: 0, sends: 0 };
  assert.deepEqual(await rowsOf(gone), none);
  assert.deepEqual(await rowsOf(stays), before);
  const { rows } = await sql`select 1 from purges`.execute(t.db);
  assert.equal(rows.length, 0);
});

test('mail that waits is stopped page by page, in the queue, for another attempt and in a paused send', async () => {
  const [gone, stays] = [newId(), newId()];
  for (let n = 0; n < 7; n += 1) await aQueuedEmail(gone);
  await aQueuedEmail(stays);
  await sql`
    update emails e set status = case when p.place <= 3 then 'deferred' when p.place = 4 then 'pending' else status end
      from (select id, row_number() over (order by id) as place from emails where workspace_id = ${gone}) p
     where e.workspace_id = ${gone} and e.id = p.id`.execute(t.db);
  await inTransaction(t.db, (tx) => purgeWorkspace(tx, gone, 2));
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::integer as n from emails where workspace_id = ${gone} group by 1`.execute(t.db);
  assert.deepEqual(rows, [{ status: 'cancelled', n: 7 }]);
  assert.deepEqual((await rowsOf(stays))['queued'], 1);
  await removePurged({ db: t.db });
});

test('rows of features above are removed page by page, too', async () => {
  const workspaceId = newId();
  await inTransaction(t.db, (tx) => purgeWorkspace(tx, workspaceId));
  const left = [1_000, 1_000, 7];
  const asked: string[] = [];
  const removed = await removePurged({
    db: t.db,
    alsoPurge: [
      async (_db, of) => {
        asked.push(of);
        return left.shift() ?? 0;
      },
    ],
  });
  assert.deepEqual([removed, asked], [2_007, [workspaceId, workspaceId, workspaceId]]);
});

test('a purge that is rolled back stops nothing', async () => {
  const workspaceId = newId();
  await aQueuedEmail(workspaceId);
  const failed = inTransaction(t.db, async (tx) => {
    await purgeWorkspace(tx, workspaceId);
    throw new Error('the deletion did not go through');
  });
  await assert.rejects(failed);
  assert.deepEqual((await rowsOf(workspaceId))['queued'], 1);
  assert.equal(await removePurged({ db: t.db }), 0);
});
