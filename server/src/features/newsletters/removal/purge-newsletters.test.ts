import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { purgeNewsletters } from './purge-newsletters.ts';
import { deleteNewsletter, insertPurge, queuePurgesOfWorkspace } from '../queries.ts';

const clock = createTestClock();
let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

/** A newsletter with so many people, a record of consent for each, and an issue. */
async function aFull(workspaceId: string, people: number): Promise<string> {
  const { id } = await aNewsletter(t.db, workspaceId);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${workspaceId}, ph_uuidv7(), ${id}, n || '@example.com', 'active' from generate_series(1, ${people}) n`.execute(
    t.db,
  );
  await sql`insert into consents (workspace_id, id, newsletter_id, email_hash, action)
    select ${workspaceId}, ph_uuidv7(), ${id}, '\\x00', 'signed_up' from generate_series(1, ${people}) n`.execute(t.db);
  await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body)
    values (${workspaceId}, ${newId()}, ${id}, 'first', 'Hi', '<p>Hi</p>')`.execute(t.db);
  return id;
}

async function remove(workspaceId: string, id: string): Promise<void> {
  await insertPurge(t.db, workspaceId, id);
  await deleteNewsletter(t.db, workspaceId, id);
}

async function left(newsletterId: string): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from subscribers where newsletter_id = ${newsletterId}) as subscribers,
           (select count(*) from consents where newsletter_id = ${newsletterId}) as consents,
           (select count(*) from issues where newsletter_id = ${newsletterId}) as issues,
           (select count(*) from subscriber_counts where newsletter_id = ${newsletterId}) as counts,
           (select count(*) from subscriber_growth where newsletter_id = ${newsletterId}) as growth,
           (select count(*) from newsletter_purges where newsletter_id = ${newsletterId}) as purges`.execute(t.db);
  return rows[0] ?? {};
}
const nothing = { subscribers: 0, consents: 0, issues: 0, counts: 0, growth: 0 };
const grownOld = (id: string) =>
  sql`update newsletter_purges set created_at = now() - interval '1 hour' where newsletter_id = ${id}`.execute(t.db);

test('everything of a deleted newsletter goes, page by page, and nothing of another one', async () => {
  const workspaceId = await aWorkspace(t.db);
  const [gone, stays] = [await aFull(workspaceId, 4_500), await aFull(workspaceId, 10)];
  await remove(workspaceId, gone);
  assert.equal(await purgeNewsletters({ db: t.db, clock }, () => false), 0, 'it ends when it is told to');
  assert.ok((await purgeNewsletters({ db: t.db, clock })) > 9_000);
  assert.deepEqual(await left(gone), { ...nothing, purges: 1 });
  assert.deepEqual(await left(stays), { subscribers: 10, consents: 10, issues: 1, counts: 1, growth: 1, purges: 0 });
});

test('rows written late by a transaction that had read the newsletter are purged too; then the purge ends', async () => {
  const workspaceId = await aWorkspace(t.db);
  const id = await aFull(workspaceId, 1);
  await remove(workspaceId, id);
  await purgeNewsletters({ db: t.db, clock });
  const late = () =>
    sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    values (${workspaceId}, ${newId()}, ${id}, 'late@example.com', 'active')`.execute(t.db);
  await late();
  await purgeNewsletters({ db: t.db, clock });
  assert.deepEqual(await left(id), { ...nothing, purges: 1 });
  await late();
  await grownOld(id);
  await purgeNewsletters({ db: t.db, clock });
  assert.deepEqual(await left(id), { ...nothing, purges: 1 }, 'not while there was anything');
  await purgeNewsletters({ db: t.db, clock });
  assert.deepEqual(await left(id), { ...nothing, purges: 0 });
});

test('newsletters of a deleted workspace go as well', async () => {
  const workspaceId = await aWorkspace(t.db);
  const ids = [await aFull(workspaceId, 3), await aFull(workspaceId, 3)];
  await queuePurgesOfWorkspace(t.db, workspaceId);
  await sql`delete from workspaces where id = ${workspaceId}`.execute(t.db);
  await purgeNewsletters({ db: t.db, clock });
  for (const id of ids) assert.deepEqual(await left(id), { ...nothing, purges: 1 });
});

test('four processes share the work, and nothing is left', async () => {
  const workspaceId = await aWorkspace(t.db);
  const id = await aFull(workspaceId, 20_000);
  await remove(workspaceId, id);
  await Promise.all(Array.from({ length: 4 }, () => purgeNewsletters({ db: t.db, clock })));
  await purgeNewsletters({ db: t.db, clock });
  assert.deepEqual(await left(id), { ...nothing, purges: 1 });
});
