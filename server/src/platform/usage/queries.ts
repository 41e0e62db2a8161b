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

/** Uses that no limit counts, by UTC days: they end with the other windows. */
const USES = 'uses';

/** Adds uses of subjects, in the order of their ids: so two processes wait for each other and do not block. */
export async function addUses(
  db: Db,
  workspaceId: string,
  uses: readonly { subjectId: string; day: Date; count: number }[],
): Promise<void> {
  await sql`
    insert into usage_windows as u (workspace_id, subject_id, tier, window_start, used)
    select ${workspaceId}, a.subject_id, ${USES}, a.day, a.count
      from unnest(${uses.map((one) => one.subjectId)}::uuid[], ${uses.map((one) => one.day)}::timestamptz[],
                  ${uses.map((one) => one.count)}::integer[]) as a (subject_id, day, count)
     order by a.subject_id, a.day
    on conflict (workspace_id, subject_id, tier, window_start) do update set used = u.used + excluded.used`.execute(db);
}

/** The days from here on with uses, oldest first. */
export async function listUses(
  db: Db,
  { workspaceId, subjectId }: { workspaceId: string; subjectId: string },
  since: Date,
): Promise<{ day: Date; count: number }[]> {
  const { rows } = await sql<{ day: Date; count: number }>`
    select window_start as day, used as count from usage_windows
     where workspace_id = ${workspaceId} and subject_id = ${subjectId} and tier = ${USES} and window_start >= ${since}
     order by window_start`.execute(db);
  return rows;
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
