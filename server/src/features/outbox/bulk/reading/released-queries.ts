import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SendKey } from '../bulk-send.ts';

/** A page of the people whose emails of a bulk send were released, in the order of the emails. */
export async function pageOfReleased(
  db: Db,
  { workspaceId, sendId }: SendKey,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ emailId: string; email: string }[]> {
  const { rows } = await sql<{ emailId: string; email: string }>`
    select e.id as "emailId", e.recipient as email from emails e
     where e.workspace_id = ${workspaceId} and e.send_id = ${sendId}
       and (${after}::uuid is null or e.id > ${after}::uuid)
       and e.status not in ('pending', 'suppressed', 'cancelled', 'failed')
     order by e.id limit ${limit}`.execute(db);
  return rows;
}
