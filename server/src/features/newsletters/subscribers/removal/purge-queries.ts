import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { subscriberColumns } from '../queries.ts';
import type { Subscriber } from '../subscriber.ts';

export interface PurgePlace {
  createdAt: Date;
}

/**
 * Deletes up to `limit` pending subscribers whose days are over: of the newsletter, or the given ones where it has
 * none. Counted from the last time anything happened to them (their import too, whatever its file says of when they
 * came), so a link that was sent again goes on working. A person who still waits for the email of their import has
 * not been asked.
 */
export async function deleteUnconfirmed(
  tx: Db,
  asked: { now: Date; days: number; after: PurgePlace | null; limit: number; askingImports: readonly string[] },
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    -- every workspace: who never confirmed is forgotten everywhere
    with due as materialized (
      select s.workspace_id, s.id
        from subscribers s
        join newsletters n on n.workspace_id = s.workspace_id and n.id = s.newsletter_id
       where s.status = 'pending' and s.created_at < ${asked.now}::timestamptz - interval '1 day'
         and (${asked.after?.createdAt ?? null}::timestamptz is null or s.created_at >= ${asked.after?.createdAt ?? null})
         and coalesce(n.pending_purge_days, ${asked.days}::integer) > 0
         and s.updated_at < ${asked.now}::timestamptz - make_interval(days => coalesce(n.pending_purge_days, ${asked.days}::integer))
         and not (s.confirmation_count = 0 and coalesce(s.import_id = any (${[...asked.askingImports]}::uuid[]), false))
       order by s.created_at limit ${asked.limit} for update of s skip locked
    )
    delete from subscribers s using due d where s.workspace_id = d.workspace_id and s.id = d.id
    returning ${subscriberColumns}`.execute(tx);
  return rows;
}
