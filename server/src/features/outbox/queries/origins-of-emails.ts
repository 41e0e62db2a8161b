import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

interface OriginOfEmail {
  emailId: string;
  source: string | null;
  newsletterId: string | null;
  automationRunId: string | null;
}

/** The origins of emails of any workspaces, by their ids, in one statement. An email whose send is gone has none. */
export async function originsOf(
  db: Db,
  emails: readonly { workspaceId: string; emailId: string }[],
): Promise<(emailId: string) => OriginOfEmail | undefined> {
  const { rows } = await sql<OriginOfEmail>`
    select e.id as "emailId", s.source, s.newsletter_id as "newsletterId", s.automation_run_id as "automationRunId"
      from (select distinct * from unnest(${emails.map((email) => email.workspaceId)}::uuid[],
                                          ${emails.map((email) => email.emailId)}::uuid[])) as t (workspace_id, id)
      join emails e on e.workspace_id = t.workspace_id and e.id = t.id
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id`.execute(db);
  const origins = new Map(rows.map((row) => [row.emailId, row]));
  return (emailId) => origins.get(emailId);
}
