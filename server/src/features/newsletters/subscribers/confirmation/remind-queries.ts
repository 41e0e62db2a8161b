import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Up to `limit` pending subscribers who were asked to confirm at most once, and not in the last days; oldest first.
 * After it the next page begins.
 */
export async function listToRemind(
  db: Db,
  workspaceId: string,
  asked: { newsletterId: string; before: Date; after: { createdAt: Date; id: string } | null; limit: number },
): Promise<{ id: string; createdAt: Date }[]> {
  const after =
    asked.after === null ? sql`` : sql`and (s.created_at, s.id) > (${asked.after.createdAt}, ${asked.after.id}::uuid)`;
  const { rows } = await sql<{ id: string; createdAt: Date }>`
    select s.id, s.created_at as "createdAt" from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} and s.status = 'pending'
       and s.created_at < ${asked.before} and s.confirmation_count < 2
       and (s.confirmation_sent_at is null or s.confirmation_sent_at < ${asked.before}) ${after}
     order by s.created_at, s.id limit ${asked.limit}`.execute(db);
  return rows;
}
