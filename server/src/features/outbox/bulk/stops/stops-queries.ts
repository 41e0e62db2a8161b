import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface StoppedAudience {
  workspaceId: string;
  audienceId: string;
}

/** The next audience that has stops: one step of the primary key, however many stops each has. */
export async function selectStoppedAudience(
  db: Db,
  after: StoppedAudience | null,
): Promise<StoppedAudience | undefined> {
  const { rows } = await sql<StoppedAudience>`
    select workspace_id as "workspaceId", audience_id as "audienceId" from audience_stops
     where ${
       after === null
         ? sql`true`
         : sql`(workspace_id, audience_id) > (${after.workspaceId}::uuid, ${after.audienceId}::uuid)`
     } -- every workspace: a stop that nothing needs is nobody's
     order by workspace_id, audience_id limit 1`.execute(db);
  return rows[0];
}

/**
 * A page of stops that are older than the oldest send to the audience of which something waits, is in hand, is
 * unconfirmed or was refused (and so may be tried again). Older by an hour: a stop has the time at which its
 * transaction began, and none lasts that long. A cancelled send sends nothing more.
 */
export async function deletePageOfStops(
  db: Db,
  { workspaceId, audienceId }: StoppedAudience,
  limit: number,
): Promise<number> {
  const result = await sql`
    with oldest as materialized (
      select coalesce(min(r.created_at), now()) - interval '1 hour' as at from send_requests r
       where r.workspace_id = ${workspaceId} and r.audience_id = ${audienceId} and r.cancelled_at is null
         and (r.bulk_state in ('freezing', 'releasing') or (
           select sum(c.waiting + c.queued + c.sending + c.unconfirmed + c.refused) from send_counts c
            where c.workspace_id = r.workspace_id and c.send_id = r.id) > 0)
    ), page as materialized (
      select s.recipient_id from audience_stops s
       where s.workspace_id = ${workspaceId} and s.audience_id = ${audienceId}
         and s.stopped_at < (select at from oldest)
       limit ${limit} for update skip locked
    )
    delete from audience_stops s using page p
     where s.workspace_id = ${workspaceId} and s.audience_id = ${audienceId} and s.recipient_id = p.recipient_id`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0);
}
