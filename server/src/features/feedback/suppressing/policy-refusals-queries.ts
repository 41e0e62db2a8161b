import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

/** Which mail a receiving domain refuses. */
export interface RefusedPair {
  workspaceId: string;
  senderDomain: string;
  recipientDomain: string;
}

/** The mail of a day between two domains: refused, and delivered since the first refusal. */
export interface Refusals extends RefusedPair {
  refused: number;
  delivered: number;
  /** Of the receiving server: one of its newest answers. */
  words: string;
}

export interface RefusalNews {
  workspaceId: string;
  emailId: string;
  recipientDomain: string;
  /** null: delivered. */
  words: string | null;
}

/**
 * Adds refusals and deliveries to the counts of today, and returns those counts whose owners have not been told today.
 * Deliveries are counted where a refusal of today is: there are rows for domains that refuse, not for all.
 */
export async function addToRefusals(db: Db, news: readonly RefusalNews[]): Promise<Refusals[]> {
  const { rows } = await sql<Refusals & { told: boolean }>`
    with told as (
      select * from unnest(${news.map((one) => one.workspaceId)}::uuid[], ${news.map((one) => one.emailId)}::uuid[],
                           ${news.map((one) => one.recipientDomain)}::text[], ${news.map((one) => one.words)}::text[])
        as n (workspace_id, email_id, recipient_domain, words)
    ), news as (
      select e.workspace_id, c.from_domain as sender_domain, n.recipient_domain,
             count(distinct e.id) filter (where n.words is not null) as refused,
             count(distinct e.id) filter (where n.words is null) as delivered, max(n.words) as words
        from told n
        join emails e on e.workspace_id = n.workspace_id and e.id = n.email_id
        join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
       where not e.sandbox
         and (n.words is not null or exists (
               select from policy_refusals p
                where p.workspace_id = n.workspace_id and p.recipient_domain = n.recipient_domain
                  and p.day = (now() at time zone 'UTC')::date))
       group by 1, 2, 3
    )
    insert into policy_refusals as p (workspace_id, sender_domain, recipient_domain, day, refused, delivered, words)
    select n.workspace_id, n.sender_domain, n.recipient_domain, (now() at time zone 'UTC')::date, n.refused,
           n.delivered, coalesce(n.words, '')
      from news n
     where n.refused > 0 or exists (
             select from policy_refusals o
              where o.workspace_id = n.workspace_id and o.sender_domain = n.sender_domain
                and o.recipient_domain = n.recipient_domain and o.day = (now() at time zone 'UTC')::date)
     order by 1, 2, 3
    on conflict (workspace_id, sender_domain, recipient_domain) do update
       set day = excluded.day,
           refused = excluded.refused + case when p.day = excluded.day then p.refused else 0 end,
           delivered = excluded.delivered + case when p.day = excluded.day then p.delivered else 0 end,
           words = case when excluded.words = '' then p.words else excluded.words end
    returning p.workspace_id as "workspaceId", p.sender_domain as "senderDomain",
              p.recipient_domain as "recipientDomain", p.refused, p.delivered, p.words,
              p.told_on is not distinct from p.day as told`.execute(db);
  return rows.filter(({ told }) => !told);
}

/** Whether it falls to the caller to tell the owners: once a day for a pair. */
export async function claimTelling(db: Db, pair: RefusedPair): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update policy_refusals set told_on = day
     where workspace_id = ${pair.workspaceId} and sender_domain = ${pair.senderDomain}
       and recipient_domain = ${pair.recipientDomain} and told_on is distinct from day`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Removes a page of the refusals of long ago; returns how many it found. A pair that is counted again stays. */
export function deleteOldRefusals(db: Db, olderThanDays: number, limit: number): Promise<number> {
  const isOld = sql`day < (now() at time zone 'UTC')::date - ${olderThanDays}::int`;
  return removePage(
    db,
    sql`
      -- every workspace: what is old is old everywhere
      select workspace_id, sender_domain, recipient_domain from policy_refusals where ${isOld} limit ${limit}`,
    sql`
      delete from policy_refusals
       where (workspace_id, sender_domain, recipient_domain) in (
               select workspace_id, sender_domain, recipient_domain from page) and ${isOld}`,
  );
}
