import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** A newsletter that is gone and whose rows are still there. */
export interface NewsletterPurge {
  workspaceId: string;
  newsletterId: string;
  createdAt: Date;
}

/** The rows that are due, oldest first. */
export async function listPurges(db: Db, limit: number): Promise<NewsletterPurge[]> {
  const { rows } = await sql<NewsletterPurge>`
    -- every workspace: a deleted one has nobody else to remove its rows
    select workspace_id as "workspaceId", newsletter_id as "newsletterId", created_at as "createdAt"
      from newsletter_purges order by created_at limit ${limit}`.execute(db);
  return rows;
}

/** The purge is over; not while rows are left, which are then another process's that has not committed yet. */
export async function deletePurge(db: Db, { workspaceId, newsletterId }: NewsletterPurge): Promise<void> {
  await sql`
    delete from newsletter_purges p
     where p.workspace_id = ${workspaceId} and p.newsletter_id = ${newsletterId}
       and not exists (select from subscribers s
                        where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId})
       and not exists (select from issues i
                        where i.workspace_id = ${workspaceId} and i.newsletter_id = ${newsletterId})`.execute(db);
}

type PurgedTable = 'subscribers' | 'issues' | 'subscriber_counts' | 'subscriber_growth';

/** Rows that another process is removing are skipped, so that any number of them share the work. */
export async function deletePage(
  db: Db,
  table: PurgedTable,
  { workspaceId, newsletterId }: NewsletterPurge,
  limit: number,
): Promise<number> {
  const result = await sql`
    with page as materialized (
      select workspace_id, id from ${sql.table(table)}
       where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}
       limit ${limit} for update skip locked
    )
    delete from ${sql.table(table)} s using page p where s.workspace_id = p.workspace_id and s.id = p.id`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
