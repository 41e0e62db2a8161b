import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { type Reread, rereadJson, type Waiting } from '#platform/work/wall-times-service.ts';

/** See `WaitingRecords.lock`. A draft waits for nothing: it is looked at when it is sent. */
export async function lockOldWallTimes(tx: Db, { rules, limit }: { rules: string; limit: number }): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    -- every workspace: the rules of zones are the same for all
    select i.workspace_id as "workspaceId", i.id, i.scheduled_for as "scheduledFor", i.timezone,
           i.wall_time as "wallTime", i.subject as "targetName"
      from issues i
     where i.status = 'scheduled' and i.scheduled_for > clock_timestamp()
       and (i.wall_time ->> 'rules') collate "C" < ${rules}
     order by i.scheduled_for limit ${limit}
       for update skip locked`.execute(tx);
  return rows;
}

/** Of issues that the transaction holds. */
export async function updateWallTimes(tx: Db, read: readonly Reread[]): Promise<void> {
  await sql`
    update issues i
       set scheduled_for = v.scheduled_for, schedule_note = v.schedule_note, wall_time = v.wall_time,
           updated_at = case when i.scheduled_for = v.scheduled_for then i.updated_at else clock_timestamp() end
      from jsonb_to_recordset(${rereadJson(read)}::jsonb)
        as v (workspace_id uuid, id uuid, scheduled_for timestamptz, schedule_note text, wall_time jsonb)
     where i.workspace_id = v.workspace_id and i.id = v.id`.execute(tx);
}
