import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';

export interface FanOut {
  workspaceId: string;
  id: string;
  newsletterId: string;
  issueId: string;
  sendId: string;
  afterEmailId: string | null;
}

export async function insertFanOut(tx: Db, of: Omit<FanOut, 'id' | 'afterEmailId'>): Promise<void> {
  await sql`
    insert into automation_fan_outs (workspace_id, id, newsletter_id, issue_id, send_id)
    values (${of.workspaceId}, ${newId()}, ${of.newsletterId}, ${of.issueId}, ${of.sendId})`.execute(tx);
}

/** One that no other process works on, held until the transaction ends; the oldest first. */
export async function lockFanOut(tx: Db): Promise<FanOut | undefined> {
  const { rows } = await sql<FanOut>`
    -- every workspace: one service tells of everybody's issues.
    select f.workspace_id as "workspaceId", f.id, f.newsletter_id as "newsletterId", f.issue_id as "issueId",
           f.send_id as "sendId", f.after_email_id as "afterEmailId"
      from automation_fan_outs f order by f.id limit 1 for update skip locked`.execute(tx);
  return rows[0];
}

/** Where the next page begins; null: there is none. */
export async function moveFanOut(tx: Db, { workspaceId, id }: FanOut, afterEmailId: string | null): Promise<void> {
  await (afterEmailId === null
    ? sql`delete from automation_fan_outs where workspace_id = ${workspaceId} and id = ${id}`
    : sql`update automation_fan_outs set after_email_id = ${afterEmailId}
             where workspace_id = ${workspaceId} and id = ${id}`
  ).execute(tx);
}
