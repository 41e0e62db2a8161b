import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** When the last event of an email of the workspace arrived; null: none in the last 30 days. */
export async function findLastEventAt(db: Db, workspaceId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select p.at from provider_events p where p.workspace_id = ${workspaceId}
     order by p.workspace_id desc, p.id desc limit 1`.execute(db);
  return rows[0]?.at ?? null;
}
