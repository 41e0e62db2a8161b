import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The mail that a send holds, for sentences about it. */
interface SendOrigin {
  /** Both are set for an issue of a newsletter. */
  newsletterId: string | null;
  issueId: string | null;
  subject: string;
  /** Its name, or else its address. */
  sender: string;
}

/** Undefined: there is no such send. */
export async function originOfSend(db: Db, workspaceId: string, sendId: string): Promise<SendOrigin | undefined> {
  const { rows } = await sql<SendOrigin>`
    select s.newsletter_id as "newsletterId", s.issue_id as "issueId", c.subject,
           coalesce(c.from_name, c.from_address) as sender
      from send_requests s
      join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id
     where s.workspace_id = ${workspaceId} and s.id = ${sendId}`.execute(db);
  return rows[0];
}
