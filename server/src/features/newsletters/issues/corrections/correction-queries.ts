import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Issue } from '../issue.ts';
import type { Correction } from './correction.ts';

type OfIssue = Pick<Issue, 'workspaceId' | 'id'>;

/** undefined: it corrects nothing. */
export async function findCorrection(db: Db, { workspaceId, id }: OfIssue): Promise<Correction | undefined> {
  const { rows } = await sql<Correction>`
    select c.corrects_id as "correctsId", c.corrects_send_id as "sendId", c.content_version as "contentVersion"
      from issue_corrections c where c.workspace_id = ${workspaceId} and c.issue_id = ${id}`.execute(db);
  return rows[0];
}

export async function insertCorrection(tx: Db, { workspaceId, id }: OfIssue, of: Correction): Promise<void> {
  await sql`
    insert into issue_corrections (workspace_id, issue_id, corrects_id, corrects_send_id, content_version)
    values (${workspaceId}, ${id}, ${of.correctsId}, ${of.sendId}, ${of.contentVersion})`.execute(tx);
}
