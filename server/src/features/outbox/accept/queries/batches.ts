import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export async function insertBatch(
  db: Db,
  workspaceId: string,
  batch: { id: string; apiKeyId: string | null },
): Promise<void> {
  await sql`insert into batches (workspace_id, id, api_key_id)
    values (${workspaceId}, ${batch.id}, ${batch.apiKeyId})`.execute(db);
}
