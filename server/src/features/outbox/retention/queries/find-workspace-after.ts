import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The next workspace that has mail. A deleted workspace may still have some. */
export async function findWorkspaceAfter(db: Db, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    -- every workspace: a step along the primary keys finds the next one
    select least(
      (select workspace_id from send_requests where workspace_id > ${after} order by workspace_id, id limit 1),
      (select workspace_id from emails where workspace_id > ${after} order by workspace_id, id limit 1),
      (select workspace_id from batches where workspace_id > ${after} order by workspace_id, id limit 1)
    ) as "workspaceId"`.execute(db);
  return rows[0]?.workspaceId ?? undefined;
}
