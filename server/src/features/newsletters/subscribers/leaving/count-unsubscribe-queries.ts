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

/** The send of another mailing to the newsletter, which this subscriber got. Undefined: they did not. */
export async function findSendOfMailing(
  db: Db,
  workspaceId: string,
  asked: { newsletterId: string; mailingId: string; subscriberId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ sendId: string }>`
    select r.id as "sendId" from emails e
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${workspaceId} and e.subscriber_id = ${asked.subscriberId}
       and r.newsletter_id = ${asked.newsletterId} and r.broadcast_id = ${asked.mailingId}
     limit 1`.execute(db);
  return rows[0]?.sendId;
}

/** Undefined: there is no such issue in the workspace. */
export async function findNewsletterOfIssue(db: Db, workspaceId: string, issueId: string): Promise<string | undefined> {
  const { rows } = await sql<{ newsletterId: string }>`
    select i.newsletter_id as "newsletterId" from issues i
     where i.workspace_id = ${workspaceId} and i.id = ${issueId}`.execute(db);
  return rows[0]?.newsletterId;
}
