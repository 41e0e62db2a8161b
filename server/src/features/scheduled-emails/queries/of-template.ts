import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Emails that wait and are made of a template, the newest first, at most a hundred. */
export async function listScheduledOfTemplate(
  db: Db,
  workspaceId: string,
  templateId: string,
): Promise<{ id: string; scheduledFor: Date }[]> {
  const { rows } = await sql<{ id: string; scheduledFor: Date }>`
    select id, scheduled_for as "scheduledFor" from scheduled_emails
     where workspace_id = ${workspaceId} and template_id = ${templateId} and status = 'scheduled'
     order by id desc limit 100`.execute(db);
  return rows;
}
