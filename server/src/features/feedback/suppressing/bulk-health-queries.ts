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

export async function deleteBulkHealth(db: Db, workspaceId: string, sendId: string): Promise<void> {
  await sql`delete from bulk_health where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(db);
}

/** Removes a page of the health of sends that ended long ago: nobody reads it any more. Returns how many it found. */
export const deleteOldBulkHealth = (db: Db, olderThanDays: number, limit: number): Promise<number> =>
  removePage(
    db,
    sql`
      -- every workspace: what is old is old everywhere; ids begin with the time
      select workspace_id, send_id from bulk_health where send_id < ${idBefore(olderThanDays * 24)} limit ${limit}`,
    sql`delete from bulk_health where (workspace_id, send_id) in (select workspace_id, send_id from page)`,
  );
