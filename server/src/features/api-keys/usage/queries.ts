import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tier } from '#platform/utc-windows.ts';

export interface WindowTake {
  tier: Tier;
  windowStart: Date;
  cap: number;
}

/**
 * Takes `count` places in each window, or raises PH429 with the name of the first full one and so undoes the statement
 * it stands in. The condition is checked against the newest row under its lock, so parallel requests cannot both take
 * the last place. Rows are locked in the order given, the same everywhere, so that reservations do not deadlock.
 */
export function takeFromWindows(
  workspaceId: string,
  apiKeyId: string,
  takes: readonly WindowTake[],
  count: number,
): RawBuilder<unknown> {
  const windows = sql.join(
    takes.map((take) => sql`(${take.tier}::text, ${take.windowStart}::timestamptz, ${take.cap}::integer)`),
  );
  return sql`
    insert into key_usage (workspace_id, api_key_id, tier, window_start, used, cap)
    select ${workspaceId}::uuid, ${apiKeyId}::uuid, asked.tier, asked.window_start, ${count}::integer, asked.cap
      from (values ${windows}) as asked (tier, window_start, cap)
     where ph_require(${count}::integer <= asked.cap, 'PH429', asked.tier)
    on conflict (workspace_id, api_key_id, tier, window_start) do update
       set used = key_usage.used + excluded.used, cap = excluded.cap
     where ph_require(key_usage.used + excluded.used <= excluded.cap, 'PH429', excluded.tier)`;
}

export async function listUsage(
  db: Db,
  workspaceId: string,
  apiKeyId: string,
  windows: readonly { tier: Tier; windowStart: Date }[],
): Promise<{ tier: Tier; used: number }[]> {
  const { rows } = await sql<{ tier: Tier; used: number }>`
    select u.tier, u.used
      from unnest(${windows.map((window) => window.tier)}::text[],
                  ${windows.map((window) => window.windowStart)}::timestamptz[]) as asked (tier, window_start)
      join key_usage u on u.workspace_id = ${workspaceId} and u.api_key_id = ${apiKeyId} and u.tier = asked.tier
                      and u.window_start = asked.window_start`.execute(db);
  return rows;
}

/** Windows that are over, some at a time. The current month is the oldest one that is still read. */
export async function deleteOldUsage(db: Db, before: { hourly: Date; others: Date }, max: number): Promise<number> {
  const { rows } = await sql`
    -- every workspace: windows end for all of them alike
    delete from key_usage
     where ctid = any (array(
             select ctid from key_usage
              where (tier = 'hourly' and window_start < ${before.hourly}) or window_start < ${before.others}
              limit ${max} for update skip locked))
    returning tier`.execute(db);
  return rows.length;
}
