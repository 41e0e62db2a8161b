import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** An answer to the email that was sent belongs to the thread. */
export async function insertReply(
  tx: Db,
  reply: { workspaceId: string; emailId: string; inboundId: string; threadId: string },
): Promise<void> {
  await sql`
    insert into inbound_replies (workspace_id, email_id, inbound_id, thread_id)
    values (${reply.workspaceId}, ${reply.emailId}, ${reply.inboundId}, ${reply.threadId})`.execute(tx);
}
