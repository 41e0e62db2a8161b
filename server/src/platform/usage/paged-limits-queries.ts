import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { PagedLimit } from './paged-limit.ts';

/** By the clock of the database, at the start of the transaction. */
const startOf = (tier: RawBuilder<unknown>) =>
  sql`date_trunc(case ${tier} when 'daily' then 'day' else 'month' end, now(), 'UTC')`;

const asked = (limits: readonly PagedLimit[]) => sql`
  unnest(${limits.map((limit) => limit.subjectId)}::uuid[], ${limits.map((limit) => limit.tier)}::text[])
    as l (subject_id, tier)`;

/**
 * New windows are inserted and old ones locked by one statement in the order of the key. `ph_take_usage` follows the
 * same order window by window, so nobody waits for another in a circle.
 */
export async function lockWindows(
  tx: Db,
  workspaceId: string,
  limits: readonly PagedLimit[],
): Promise<{ subjectId: string; tier: string; used: number; resetAt: Date }[]> {
  const { rows } = await sql<{ subjectId: string; tier: string; used: number; resetAt: Date }>`
    insert into usage_windows as u (workspace_id, subject_id, tier, window_start, used)
    select ${workspaceId}, l.subject_id, l.tier, ${startOf(sql`l.tier`)}, 0 from ${asked(limits)}
     order by l.subject_id, l.tier
    on conflict (workspace_id, subject_id, tier, window_start) do update set used = u.used
    returning u.subject_id as "subjectId", u.tier, u.used,
           (u.window_start at time zone 'UTC' + case u.tier when 'daily' then interval '1 day' else interval '1 month' end)
             at time zone 'UTC' as "resetAt"`.execute(tx);
  return rows;
}

export async function addToWindows(
  tx: Db,
  workspaceId: string,
  limits: readonly PagedLimit[],
  count: number,
): Promise<void> {
  await sql`
    update usage_windows u set used = u.used + ${count} from ${asked(limits)}
     where u.workspace_id = ${workspaceId} and u.subject_id = l.subject_id and u.tier = l.tier
       and u.window_start = ${startOf(sql`u.tier`)}`.execute(tx);
}

/** Whether a limit, given by columns of a statement, has room at this moment; a cap of null always has. */
export const hasRoomNow = (of: {
  workspaceId: RawBuilder<unknown>;
  subjectId: RawBuilder<unknown>;
  tier: PagedLimit['tier'];
  cap: RawBuilder<unknown>;
}): RawBuilder<unknown> => sql`(${of.cap} is null or ${of.cap} > coalesce(
  (select u.used from usage_windows u where u.workspace_id = ${of.workspaceId} and u.subject_id = ${of.subjectId}
      and u.tier = ${sql.lit(of.tier)} and u.window_start = ${startOf(sql.lit(of.tier))}), 0))`;
