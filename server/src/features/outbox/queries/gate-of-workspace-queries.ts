import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Since when the operator has paused the workspace; undefined: it may send. */
export async function findPausedGate(db: Db, workspaceId: string): Promise<{ since: Date } | undefined> {
  const { rows } = await sql<{ since: Date }>`
    select changed_at as since from sending_gates where workspace_id = ${workspaceId} and state = 'paused'`.execute(db);
  return rows[0];
}
