import { sql } from 'kysely';
import type { AskingImport } from '#features/transfers';
import type { Db } from '#platform/db/database.ts';

/** The next of its rows that are pending and were never asked. */
export async function listToAsk(
  db: Db,
  given: Pick<AskingImport, 'workspaceId' | 'id' | 'after'>,
  limit: number,
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from subscribers s
     where s.workspace_id = ${given.workspaceId} and s.import_id = ${given.id} and s.status = 'pending'
       and s.confirmation_count = 0
       and s.id > coalesce(${given.after}::uuid, '00000000-0000-0000-0000-000000000000')
     order by s.id limit ${limit}`.execute(db);
  return rows;
}
