import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import { idBefore } from '../queries/id-before.ts';

/** How a bulk send fares so far. */
export interface BulkHealth {
  delivered: number;
  hardBounced: number;
  complained: number;
}

/** Adds what is new to the counts of the bulk sends it belongs to, and returns their counts. */
export async function addToBulkHealth(
  db: Db,
  news: readonly { workspaceId: string; emailId: string; kind: 'delivered' | 'hard_bounced' | 'complained' }[],
): Promise<(BulkHealth & { workspaceId: string; sendId: string })[]> {
  const { rows } = await sql<BulkHealth & { workspaceId: string; sendId: string }>`
    with news as (
      select e.workspace_id, e.send_id,
             count(distinct e.id) filter (where n.kind = 'delivered') as delivered,
             count(distinct e.id) filter (where n.kind = 'hard_bounced') as hard_bounced,
             count(distinct e.id) filter (where n.kind = 'complained') as complained
        from unnest(${news.map((one) => one.workspaceId)}::uuid[], ${news.map((one) => one.emailId)}::uuid[],
                    ${news.map((one) => one.kind)}::text[]) as n (workspace_id, email_id, kind)
        join emails e on e.workspace_id = n.workspace_id and e.id = n.email_id
       where e.lane = 2 and e.send_id is not null
       group by e.workspace_id, e.send_id
    )
    insert into bulk_health as h (workspace_id, send_id, delivered, hard_bounced, complained)
    select workspace_id, send_id, delivered, hard_bounced, complained from news order by workspace_id, send_id
    on conflict (workspace_id, send_id) do update
       set delivered = h.delivered + excluded.delivered, hard_bounced = h.hard_bounced + excluded.hard_bounced,
           complained = h.complained + excluded.complained
    returning workspace_id as "workspaceId", send_id as "sendId", delivered, hard_bounced as "hardBounced", complained`.execute(
    db,
  );
  return rows;
}

/** A bulk send that bounces or annoys too much, and why it is paused. */
export interface UnhealthyBulk {
  workspaceId: string;
  sendId: string;
  reason: string;
}

/** Notes that these sends are to be paused, in the transaction that counted. */
export async function noteUnhealthy(tx: Db, unhealthy: readonly UnhealthyBulk[]): Promise<void> {
  await sql`
    update bulk_health h set pause_reason = u.reason
      from unnest(${unhealthy.map((one) => one.workspaceId)}::uuid[], ${unhealthy.map((one) => one.sendId)}::uuid[],
                  ${unhealthy.map((one) => one.reason)}::text[]) as u (workspace_id, send_id, reason)
     where h.workspace_id = u.workspace_id and h.send_id = u.send_id`.execute(tx);
}

/** Some of the sends that are to be paused. */
export async function listUnhealthy(db: Db, limit: number): Promise<UnhealthyBulk[]> {
  const { rows } = await sql<UnhealthyBulk>`
    -- every workspace: any process pauses what another one has found
    select workspace_id as "workspaceId", send_id as "sendId", pause_reason as reason from bulk_health
     where pause_reason is not null order by workspace_id, send_id limit ${limit}`.execute(db);
  return rows;
}

/** The send was paused for this reason, or needs no pause. A later reason stays. */
export async function forgetReason(db: Db, { workspaceId, sendId, reason }: UnhealthyBulk): Promise<void> {
  await sql`
    update bulk_health set pause_reason = null
     where workspace_id = ${workspaceId} and send_id = ${sendId} and pause_reason = ${reason}`.execute(db);
}

export async function deleteBulkHealth(db: Db, workspaceId: string, sendId: string): Promise<void> {
  await sql`delete from bulk_health where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(db);
}

/** Removes a page of the health of sends that ended long ago: nobody reads it any more. Returns how many it found. */
export const deleteOldBulkHealth = (db: Db, olderThanDays: number, limit: number): Promise<number> =>
  removePage(
    db,
    sql`
      -- every workspace: what is old is old everywhere; ids begin with the time
      select workspace_id, send_id from bulk_health where send_id < ${idBefore(olderThanDays * 24)}
       order by send_id limit ${limit}`,
    sql`delete from bulk_health where (workspace_id, send_id) in (select workspace_id, send_id from page)`,
  );
