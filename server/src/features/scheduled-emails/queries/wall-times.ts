import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { type Reread, rereadJson, type Waiting } from '#platform/work/wall-times-service.ts';

/** See `WaitingRecords.lock`. */
export async function lockOldWallTimes(tx: Db, { rules, limit }: { rules: string; limit: number }): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    -- every workspace: the rules of zones are the same for all
    select s.workspace_id as "workspaceId", s.id, s.scheduled_for as "scheduledFor", s.timezone,
           s.wall_time as "wallTime"
      from scheduled_emails s
     where s.status = 'scheduled' and s.scheduled_for > clock_timestamp()
       and (s.wall_time ->> 'rules') collate "C" < ${rules}
     order by s.scheduled_for limit ${limit}
       for update skip locked`.execute(tx);
  return rows;
}

/** Of emails that the transaction holds. A new version is only one whose time has changed. */
export async function updateWallTimes(tx: Db, read: readonly Reread[]): Promise<void> {
  await sql`
    update scheduled_emails s
       set scheduled_for = v.scheduled_for, schedule_note = v.schedule_note, wall_time = v.wall_time,
           version = s.version + (s.scheduled_for <> v.scheduled_for)::integer,
           updated_at = case when s.scheduled_for = v.scheduled_for then s.updated_at else clock_timestamp() end
      from jsonb_to_recordset(${rereadJson(read)}::jsonb)
        as v (workspace_id uuid, id uuid, scheduled_for timestamptz, schedule_note text, wall_time jsonb)
     where s.workspace_id = v.workspace_id and s.id = v.id`.execute(tx);
}
