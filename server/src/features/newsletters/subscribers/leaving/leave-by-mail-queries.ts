import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export async function findNewsletterOfSubscriber(
  db: Db,
  workspaceId: string,
  subscriberId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ newsletterId: string }>`
    select newsletter_id as "newsletterId" from subscribers
     where workspace_id = ${workspaceId} and id = ${subscriberId}`.execute(db);
  return rows[0]?.newsletterId;
}
