import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Issue } from './issue.ts';

const summaryColumns = sql`
  i.workspace_id as "workspaceId", i.id, i.newsletter_id as "newsletterId", i.slug, i.subject, i.preheader, i.status,
  i.scheduled_for as "scheduledFor", i.timezone, i.schedule_note as "scheduleNote", i.started_at as "startedAt",
  i.sent_at as "sentAt", i.cancelled_at as "cancelledAt", i.failed_at as "failedAt", i.error, i.error_code as "errorCode",
  i.sent_by as "sentBy", i.total_recipients as "totalRecipients", i.send_id as "sendId", i.created_at as "createdAt",
  i.updated_at as "updatedAt"`;

const columns = sql`${summaryColumns}, i.html_body as "htmlBody", i.text_body as "textBody"`;

/** The issue of this newsletter with this id. */
export async function findIssue(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  id: string,
): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    select ${columns} from issues i
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.newsletter_id = ${newsletterId}`.execute(db);
  return rows[0];
}

/** The same, held until the transaction ends: what every move begins with, so that of two at once one comes second. */
export async function lockIssue(
  tx: Db,
  workspaceId: string,
  newsletterId: string,
  id: string,
): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    select ${columns} from issues i
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.newsletter_id = ${newsletterId} for update`.execute(
    tx,
  );
  return rows[0];
}
