import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

/** Gives back the room of the messages in `gone` (workspace_id, domain_id, size). */
const freed = sql`
  update inbound_usage u set emails = u.emails - g.emails, bytes = u.bytes - g.bytes
    from (select workspace_id, domain_id, count(*)::integer as emails, sum(size)::bigint as bytes
            from gone group by 1, 2) g
   where u.workspace_id = g.workspace_id and u.domain_id = g.domain_id`;

/** Removes a page of the mail that is older than so many days. Returns how many it found, as `removePage`. */
export async function deleteOldInbound(db: Db, days: number, limit: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    -- every workspace: what is old is old everywhere
    with old as materialized (
      select i.workspace_id, i.id from inbound_emails i
       where i.received_at < now() - make_interval(days => ${days})
       order by i.received_at limit ${limit}
    ), gone as (
      delete from inbound_emails i using old o where i.workspace_id = o.workspace_id and i.id = o.id
      returning i.workspace_id, i.domain_id, i.size
    ), freed as (${freed})
    select count(*)::integer as found from old`.execute(db);
  return rows[0]?.found ?? 0;
}

/** A page of the mail of a domain that is gone. False: nothing is left behind. */
export async function deleteLeftBehind(db: Db, limit: number): Promise<boolean> {
  const { rows } = await sql<{ workspaceId: string; domainId: string }>`
    -- every workspace: also those that are deleted
    select u.workspace_id as "workspaceId", u.domain_id as "domainId" from inbound_usage u
     where not exists (select from domains d where d.workspace_id = u.workspace_id and d.id = u.domain_id)
     limit 1`.execute(db);
  const [left] = rows;
  if (left === undefined) return false;
  const found = await removePage(
    db,
    sql`
      select i.id from inbound_emails i
       where i.workspace_id = ${left.workspaceId} and i.domain_id = ${left.domainId} limit ${limit}`,
    sql`delete from inbound_emails where workspace_id = ${left.workspaceId} and id in (select id from page)`,
  );
  if (found > 0) return true;
  await sql`
    delete from inbound_usage
     where workspace_id = ${left.workspaceId} and domain_id = ${left.domainId}`.execute(db);
  return true;
}

/**
 * Removes what people with these addresses wrote. Of mail that nobody has read yet, or could, the envelope says who
 * that is. Returns the events that told of it.
 */
export async function deleteInboundFrom(
  tx: Db,
  workspaceId: string,
  addresses: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ eventId: string | null }>`
    with chosen as materialized (
      (select i.id from inbound_emails i
        where i.workspace_id = ${workspaceId} and i.from_email = any (${[...addresses]}::text[]) limit ${limit})
      union
      (select i.id from inbound_emails i
        where i.workspace_id = ${workspaceId} and i.from_email is null
          and lower(i.envelope_from) = any (${[...addresses]}::text[]) limit ${limit})
    ), gone as (
      delete from inbound_emails i using chosen c where i.workspace_id = ${workspaceId} and i.id = c.id
      returning i.workspace_id, i.domain_id, i.size, i.event_id
    ), freed as (${freed})
    select event_id as "eventId" from gone`.execute(tx);
  return rows.flatMap(({ eventId }) => eventId ?? []);
}
