import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Broadcast } from '../broadcast.ts';
import type { Correction } from './correction.ts';

type OfBroadcast = Pick<Broadcast, 'workspaceId' | 'id'>;

/** undefined: it corrects nothing. */
export async function findCorrection(db: Db, { workspaceId, id }: OfBroadcast): Promise<Correction | undefined> {
  const { rows } = await sql<Correction>`
    select c.corrects_id as "correctsId", c.corrects_send_id as "sendId", c.content_version as "contentVersion"
      from broadcast_corrections c where c.workspace_id = ${workspaceId} and c.broadcast_id = ${id}`.execute(db);
  return rows[0];
}

export async function insertCorrection(tx: Db, { workspaceId, id }: OfBroadcast, of: Correction): Promise<void> {
  await sql`
    insert into broadcast_corrections (workspace_id, broadcast_id, corrects_id, corrects_send_id, content_version)
    values (${workspaceId}, ${id}, ${of.correctsId}, ${of.sendId}, ${of.contentVersion})`.execute(tx);
}
