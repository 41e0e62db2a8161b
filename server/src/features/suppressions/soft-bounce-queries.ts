import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

/** The report of a round of provider events about one address that bounced temporarily, or got its mail. */
export interface SoftBounceNews {
  workspaceId: string;
  identity: string;
  /** When its transient bounces happened. */
  bouncedAt: readonly Date[];
  /** The newest delivery to the address that is known, of this round or an earlier one. */
  deliveredAt: Date | null;
}

/**
 * Makes rows for addresses that bounced for the first time, so that there is something to lock. Addresses of a
 * workspace that is gone are passed over; one that is there stays until the commit, so that its purge sees these rows.
 */
export async function insertMissingSoftBounces(db: Db, news: readonly SoftBounceNews[]): Promise<void> {
  const bounced = news.filter((one) => one.bouncedAt.length > 0);
  if (bounced.length === 0) return;
  await sql`
    insert into soft_bounces (workspace_id, email, times)
    select n.workspace_id, n.email, '{}'
      from unnest(${bounced.map((one) => one.workspaceId)}::uuid[], ${bounced.map((one) => one.identity)}::text[])
             as n (workspace_id, email)
      join workspaces w on w.id = n.workspace_id
     order by n.workspace_id, n.email
       for key share of w
    on conflict (workspace_id, email) do nothing`.execute(db);
}

/**
 * Adds transient bounces to what is known of their addresses, keeps the newest `kept` of each, and forgets those that
 * are older than a delivery. Returns how many bounces without a delivery since there are.
 */
export async function recordSoftBounces(
  db: Db,
  news: readonly SoftBounceNews[],
  kept: number,
): Promise<{ workspaceId: string; identity: string; count: number }[]> {
  const input = JSON.stringify(
    news.map((one) => ({
      workspace_id: one.workspaceId,
      email: one.identity,
      bounced_at: one.bouncedAt,
      delivered_at: one.deliveredAt,
    })),
  );
  const { rows } = await sql<{ workspaceId: string; identity: string; count: number }>`
    with news as materialized (
      select n.workspace_id, n.email, n.bounced_at, n.delivered_at
        from jsonb_to_recordset(${input}::jsonb) as n (workspace_id uuid, email text, bounced_at timestamptz[],
             delivered_at timestamptz)
    ), held as materialized (
      -- Locked in the order of the key: two processes with the same addresses wait for each other, and do not deadlock.
      select b.workspace_id, b.email, b.times
        from soft_bounces b join news n on n.workspace_id = b.workspace_id and n.email = b.email
       order by b.workspace_id, b.email for update of b
    ), counted as materialized (
      select n.workspace_id, n.email, h.email is not null as is_held, array(
          select t.at from unnest(coalesce(h.times, '{}') || n.bounced_at) as t (at)
           where n.delivered_at is null or t.at > n.delivered_at
           order by t.at desc limit ${kept}) as times
        from news n left join held h on h.workspace_id = n.workspace_id and h.email = n.email
    ), forgotten as (
      delete from soft_bounces b using counted c
       where b.workspace_id = c.workspace_id and b.email = c.email and c.times = '{}'
    ), kept as (
      insert into soft_bounces as b (workspace_id, email, times)
      select c.workspace_id, c.email, c.times from counted c join workspaces w on w.id = c.workspace_id
       where c.times <> '{}'
       order by c.workspace_id, c.email
         for key share of w
      on conflict (workspace_id, email) do update set times = excluded.times, updated_at = now()
    )
    select workspace_id as "workspaceId", email as identity, cardinality(times) as count from counted`.execute(db);
  return rows;
}

export async function deleteSoftBounces(db: Db, workspaceId: string, identities: readonly string[]): Promise<void> {
  await sql`
    delete from soft_bounces where workspace_id = ${workspaceId} and email = any (${[...identities]}::text[])`.execute(
    db,
  );
}

/** Removes a page of the addresses of a deleted workspace; returns how many it found. */
export const deletePageOfSoftBounces = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select email from soft_bounces where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from soft_bounces where workspace_id = ${workspaceId} and email in (select email from page)`,
  );
