import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The address of the newest email to a recipient who may be gone since; undefined: no email of them is kept. */
export async function findAddressOfRecipient(
  db: Db,
  workspaceId: string,
  recipientId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ recipient: string }>`
    select e.recipient from emails e
     where e.workspace_id = ${workspaceId} and e.subscriber_id = ${recipientId}
       and e.recipient not like 'erased-%@erased.invalid'
     order by e.id desc limit 1`.execute(db);
  return rows[0]?.recipient;
}
