import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { type Reread, rereadJson, type Waiting } from '#platform/work/wall-times-service.ts';

/** See `WaitingRecords.lock`. A draft waits for nothing: it is looked at when it is sent. */
export async function lockOldWallTimes(tx: Db, { rules, limit }: { rules: string; limit: number }): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    -- every workspace: the rules of zones are the same for all
    select b.workspace_id as "workspaceId", b.id, b.scheduled_for as "scheduledFor", b.timezone,
           b.wall_time as "wallTime", coalesce(nullif(b.name, ''), b.subject) as "targetName"
      from broadcasts b
     where b.status = 'scheduled' and b.scheduled_for > clock_timestamp()
       and (b.wall_time ->> 'rules') collate "C" < ${rules}
     order by b.scheduled_for limit ${limit}
       for update skip locked`.execute(tx);
  return rows;
}

/**
 * Of broadcasts that the transaction holds. One at local times whose audience was looked at already is looked at again
 * at once: by the new rules, the first of its local times may be earlier than the next look. Before the first look
 * there is nothing to compute again: its time is that of the furthest zone, by no rules.
 */
export async function updateWallTimes(tx: Db, read: readonly Reread[]): Promise<void> {
  await sql`
    update broadcasts b
       set scheduled_for = v.scheduled_for, schedule_note = v.schedule_note, wall_time = v.wall_time,
           starts_at = case when b.starts_at < clock_timestamp() + interval '1 hour'
                            then least(b.starts_at, clock_timestamp()) else b.starts_at end,
           updated_at = case when b.scheduled_for = v.scheduled_for then b.updated_at else clock_timestamp() end
      from jsonb_to_recordset(${rereadJson(read)}::jsonb)
        as v (workspace_id uuid, id uuid, scheduled_for timestamptz, schedule_note text, wall_time jsonb)
     where b.workspace_id = v.workspace_id and b.id = v.id`.execute(tx);
}
