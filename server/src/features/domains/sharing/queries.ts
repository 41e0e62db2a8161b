import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Links that were made until then are dead. */
export async function revokeShares(
  tx: Db,
  { workspaceId, id, at }: { workspaceId: string; id: string; at: Date },
): Promise<void> {
  await sql`
    update domains set shares_revoked_at = ${at}, updated_at = now()
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
