import { type RawBuilder, sql } from 'kysely';
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
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
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
           words = case when excluded.words = '' then p.words else excluded.words end,
           to_tell = p.to_tell and p.day = excluded.day
    returning ${REFUSALS}, p.told_on is not distinct from p.day as told`.execute(db);
  return rows.filter(({ told }) => !told);
}

const REFUSALS = sql`p.workspace_id as "workspaceId", p.sender_domain as "senderDomain",
  p.recipient_domain as "recipientDomain", to_char(p.day, 'YYYY-MM-DD') as day, p.refused, p.delivered, p.words`;

/** The owners are to be told of these. */
export async function noteAlarms(tx: Db, alarms: readonly RefusedPair[]): Promise<void> {
  await sql`
    update policy_refusals p set to_tell = true
      from unnest(${alarms.map((one) => one.workspaceId)}::uuid[], ${alarms.map((one) => one.senderDomain)}::text[],
                  ${alarms.map((one) => one.recipientDomain)}::text[]) as a (workspace_id, sender_domain, recipient_domain)
     where p.workspace_id = a.workspace_id and p.sender_domain = a.sender_domain
       and p.recipient_domain = a.recipient_domain`.execute(tx);
}

/** Some of the refusals whose owners are to be told. */
export async function listAlarms(db: Db, limit: number): Promise<Refusals[]> {
  const { rows } = await sql<Refusals>`
    -- every workspace: any process tells of what another one has counted
    select ${REFUSALS} from policy_refusals p
     where p.to_tell order by p.workspace_id, p.sender_domain, p.recipient_domain limit ${limit}`.execute(db);
  return rows;
}

/** Whether it falls to the caller to tell the owners of this day: once for a pair. */
export const claimTelling = (tx: Db, alarm: Refusals): Promise<boolean> => takeAlarm(tx, alarm, sql`told_on = day, `);

/** Nobody can be told now. The next refusal of the day notes the pair again. */
export const forgetAlarm = (db: Db, alarm: Refusals): Promise<boolean> => takeAlarm(db, alarm, sql``);

async function takeAlarm(db: Db, alarm: Refusals, told: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update policy_refusals set ${told}to_tell = false
     where workspace_id = ${alarm.workspaceId} and sender_domain = ${alarm.senderDomain}
       and recipient_domain = ${alarm.recipientDomain} and day = ${alarm.day}::date and to_tell`.execute(db);
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
