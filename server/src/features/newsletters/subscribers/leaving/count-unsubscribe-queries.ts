import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Undefined: not an issue of this newsletter, or never sent. */
export async function findSendOfIssue(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  issueId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ sendId: string | null }>`
    select i.send_id as "sendId" from issues i
     where i.workspace_id = ${workspaceId} and i.id = ${issueId} and i.newsletter_id = ${newsletterId}`.execute(db);
  return rows[0]?.sendId ?? undefined;
}

/** Undefined: there is no such issue in the workspace. */
export async function findNewsletterOfIssue(db: Db, workspaceId: string, issueId: string): Promise<string | undefined> {
  const { rows } = await sql<{ newsletterId: string }>`
    select i.newsletter_id as "newsletterId" from issues i
     where i.workspace_id = ${workspaceId} and i.id = ${issueId}`.execute(db);
  return rows[0]?.newsletterId;
}
