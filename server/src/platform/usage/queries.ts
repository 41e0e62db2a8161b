import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tier } from '../utc-windows.ts';
import type { PageOfTakes, TakenPage } from './page-of-takes.ts';

const NOTHING_TAKEN: TakenPage = { counted: null, refusedPlaces: null, refusedBy: null };

/**
 * Takes the places of sends, each in all of its windows or in none. Rows are checked under their locks, so parallel
 * requests cannot both take the last place; the locks are held until the transaction ends.
 */
export async function takePlaces(db: Db, page: PageOfTakes): Promise<TakenPage> {
  const { rows } = await sql<TakenPage>`
    select counted, refused_places as "refusedPlaces", refused_by as "refusedBy"
      from ph_take_usage(${page.windows}::jsonb, ${page.takes}::integer[])`.execute(db);
  return rows[0] ?? NOTHING_TAKEN;
}

/** The usage of these windows; a window without a row is as it was when it began. */
export async function listUsage(
  db: Db,
  workspaceId: string,
  subjectId: string,
  windows: readonly { tier: Tier; windowStart: Date }[],
): Promise<{ tier: Tier; used: number }[]> {
  const { rows } = await sql<{ tier: Tier; used: number }>`
    select u.tier, u.used
      from unnest(${windows.map((window) => window.tier)}::text[],
                  ${windows.map((window) => window.windowStart)}::timestamptz[]) as asked (tier, window_start)
      join usage_windows u on u.workspace_id = ${workspaceId} and u.subject_id = ${subjectId} and u.tier = asked.tier
                          and u.window_start = asked.window_start`.execute(db);
  return rows;
}

/** A count that begins in the middle of its window: at least so much was used before. */
export async function raiseUsage(
  tx: Db,
  window: { workspaceId: string; subjectId: string; tier: Tier; windowStart: Date; used: number },
): Promise<void> {
  await sql`
    insert into usage_windows as u (workspace_id, subject_id, tier, window_start, used)
    values (${window.workspaceId}, ${window.subjectId}, ${window.tier}, ${window.windowStart}, ${window.used})
    on conflict (workspace_id, subject_id, tier, window_start) do update
       set used = greatest(u.used, excluded.used)`.execute(tx);
}

/** Windows that are over, some at a time. The current month is the oldest one that is still read. */
export async function deleteOldUsage(db: Db, before: { hourly: Date; others: Date }, max: number): Promise<number> {
  const { rows } = await sql`
    -- every workspace: windows end for all of them alike
    delete from usage_windows
     where ctid = any (array(
             select ctid from usage_windows
              where (tier = 'hourly' and window_start < ${before.hourly}) or window_start < ${before.others}
              limit ${max} for update skip locked))
    returning tier`.execute(db);
  return rows.length;
}
