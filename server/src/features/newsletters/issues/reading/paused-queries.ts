import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Whether a workspace is kept from sending. */
export async function isWorkspacePaused(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ paused: boolean }>`
    select status <> 'active' as paused from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0]?.paused ?? true;
}
