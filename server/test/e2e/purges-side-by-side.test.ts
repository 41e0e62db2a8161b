/**
 * A purge removes the rows of something that is deleted page by page, and then the note that they are to go. Two
 * processes may be at one page: the second must not take the page of the first for the end, because rows that are left
 * without a note stay for ever.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { purgeContacts, queueContactPurge } from '../../src/features/contacts/purge-contacts.ts';
import { purgeImages, queueImagePurge } from '../../src/features/images/purge-images.ts';
import { purgeInbound } from '../../src/features/inbound/retention.ts';
import { insertPurge } from '../../src/features/newsletters/queries.ts';
import { purgeNewsletters } from '../../src/features/newsletters/removal/purge-newsletters.ts';
import { anImage, anInbound, aNewsletter, aWorkspace } from '../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { createTestClock } from '../harness/test-clock.ts';
import { until } from '../harness/until.ts';

interface Purge {
  name: string;
  /** More rows than one page has. */
  fill(workspaceId: string): Promise<unknown>;
  /** One page; true: there may be more. */
  page(db: Db): Promise<boolean>;
  /** The rows that are left, as `n`. */
  left(workspaceId: string): RawBuilder<{ n: number }>;
}

const clock = createTestClock();
let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ poolMax: 4 });
});
after(() => t.close());

const PURGES: readonly Purge[] = [
  {
    name: 'contacts of a deleted workspace',
    async fill(workspaceId) {
      await sql`insert into contacts (workspace_id, id, email)
        select ${workspaceId}, ph_uuidv7(), n || '@example.com' from generate_series(1, 2001) n`.execute(t.db);
      await queueContactPurge(t.db, workspaceId);
    },
    page: purgeContacts,
    left: (workspaceId) => sql`select count(*)::integer as n from contacts where workspace_id = ${workspaceId}`,
  },
  {
    name: 'images of a deleted workspace',
    async fill(workspaceId) {
      for (let n = 0; n < 21; n += 1) await anImage(t.db, workspaceId, `${n}.png`);
      await queueImagePurge(t.db, workspaceId);
    },
    page: purgeImages,
    left: (workspaceId) => sql`select count(*)::integer as n from images where workspace_id = ${workspaceId}`,
  },
  {
    name: 'mail that a deleted domain received',
    async fill(workspaceId) {
      const domainId = newId();
      for (let n = 0; n < 21; n += 1) await anInbound(t.db, workspaceId, { domainId });
      await sql`insert into inbound_usage (workspace_id, domain_id, emails, bytes)
        values (${workspaceId}, ${domainId}, 21, 210)`.execute(t.db);
    },
    page: (db) => purgeInbound(db, 0),
    left: (workspaceId) => sql`select count(*)::integer as n from inbound_emails where workspace_id = ${workspaceId}`,
  },
  {
    name: 'people of a deleted newsletter',
    async fill(workspaceId) {
      const { id } = await aNewsletter(t.db, workspaceId);
      await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
        select ${workspaceId}, ph_uuidv7(), ${id}, n || '@example.com', 'active' from generate_series(1, 2001) n`.execute(
        t.db,
      );
      await insertPurge(t.db, workspaceId, id);
      await sql`update newsletter_purges set created_at = now() - interval '1 hour'
        where workspace_id = ${workspaceId}`.execute(t.db);
    },
    page: async (db) => (await purgeNewsletters({ db, clock })) > 0,
    left: (workspaceId) => sql`select count(*)::integer as n from subscribers where workspace_id = ${workspaceId}`,
  },
];

const someoneWaits = async (): Promise<true | undefined> => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
  return rows.length > 0 ? true : undefined;
};

/** A page of one process, and a whole purge of another one that begins when the page is removed and not committed. */
async function besideAPage({ page }: Purge, isKilled: boolean): Promise<void> {
  const killed = new Error('killed');
  let isOver = false;
  let other: Promise<void> | undefined;
  const first = inTransaction(t.db, async (tx) => {
    await page(tx);
    other = wholePurge(page).finally(() => (isOver = true));
    await until('the other process to wait, or to end', async () => (isOver ? true : await someoneWaits()));
    if (isKilled) throw killed;
  });
  await first.catch((error: unknown) => assert.equal(error, killed));
  await other;
}

async function wholePurge(page: Purge['page']): Promise<void> {
  while (await page(t.db));
}

for (const purge of PURGES) {
  for (const isKilled of [false, true]) {
    const end = isKilled ? 'is killed' : 'commits';
    test(`${purge.name} go to the last one when two processes are at one page and the first ${end}`, async () => {
      const workspaceId = await aWorkspace(t.db);
      await purge.fill(workspaceId);
      await besideAPage(purge, isKilled);
      await wholePurge(purge.page);
      const { rows } = await purge.left(workspaceId).execute(t.db);
      assert.equal(rows[0]?.n, 0);
    });
  }
}
