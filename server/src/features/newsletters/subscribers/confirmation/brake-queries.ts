import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface FloodedNewsletter {
  workspaceId: string;
  newsletterId: string;
  name: string;
  /** Public ones in the last hour. */
  signUps: number;
  unconfirmed: number;
}

/**
 * Newsletters that are signed up for unusually fast. Subscribers who have waited less than an hour are few, and in an
 * index of their own: only newsletters with enough of them are looked at closer.
 */
export async function listFloods(
  db: Db,
  asked: { signUpsMin: number; timesMedian: number },
): Promise<FloodedNewsletter[]> {
  const { rows } = await sql<FloodedNewsletter>`
    -- every workspace: a flood can hit any of them
    with waiting as materialized (
      select s.workspace_id, s.newsletter_id, count(*) as unconfirmed
        from subscribers s
       where s.status = 'pending' and s.created_at > now() - interval '1 hour' and s.consent ->> 'signup_via' = 'public'
       group by s.workspace_id, s.newsletter_id having count(*) > ${asked.signUpsMin}::integer
    )
    select w.workspace_id as "workspaceId", w.newsletter_id as "newsletterId", n.name, h.n as "signUps", w.unconfirmed
      from waiting w
      join newsletters n on n.workspace_id = w.workspace_id and n.id = w.newsletter_id and n.confirmations_paused_at is null
     cross join lateral (
       select count(*) as n from subscribers s
        where s.workspace_id = w.workspace_id and s.newsletter_id = w.newsletter_id
          and s.created_at > now() - interval '1 hour' and s.consent ->> 'signup_via' = 'public'
     ) h
     cross join lateral (
       select percentile_cont(0.5) within group (order by coalesce(c.n, 0)) as median
         from generate_series(1, 168) as hour
         left join (
           select ceil(extract(epoch from now() - s.created_at) / 3600)::integer - 1 as hour, count(*) as n
             from subscribers s
            where s.workspace_id = w.workspace_id and s.newsletter_id = w.newsletter_id
              and s.created_at > now() - interval '169 hours' and s.created_at <= now() - interval '1 hour'
              and s.consent ->> 'signup_via' = 'public'
            group by 1
         ) c on c.hour = hour.hour
     ) usual
     where h.n > ${asked.timesMedian}::integer * usual.median and 2 * w.unconfirmed > h.n`.execute(db);
  return rows;
}

/** False: they rest already. */
export async function pauseConfirmations(tx: Db, workspaceId: string, newsletterId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update newsletters set confirmations_paused_at = now(), updated_at = now()
     where workspace_id = ${workspaceId} and id = ${newsletterId} and confirmations_paused_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0) === 1;
}
