import type { Db } from '#platform/db/database.ts';
import { sql } from 'kysely';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { claimedRows, stopsClaimed } from '../../queries/stops-claimed.ts';
import type { ClaimedEmail } from './claim-emails.ts';

/**
 * Puts on record that the hand-off of these emails has begun: a crash from here on leaves an outcome that nobody knows.
 * Only what is still ours and may leave: not after its lease has run out, nor when something stops it by now. A cancel
 * or a suppression since its claim takes it away; one that was being committed at its claim did not see it, and is seen
 * here. Returns the claims that are on record: an email may be here twice, under a lease that was lost and under the
 * one that followed.
 */
export async function recordBegun(db: Db, emails: readonly ClaimedEmail[]): Promise<Set<ClaimedEmail>> {
  // In the order of their keys, like every other statement that writes several emails: no deadlocks.
  const sorted = [...emails].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { rows } = await sql<{ place: number }>`${keepPlan}
    update emails e set handoff_at = now() -- changes after this moment are not seen
      from ${claimedRows(sorted)} as a
     where e.workspace_id = a.workspace_id and e.id = a.id and e.lease_token = a.token
       and e.status = 'sending' and e.lease_until > now()
       and not exists (
         select from (select) as one
           left join contents t on t.workspace_id = e.workspace_id and t.id = e.content_id
           left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
           left join domains d on d.workspace_id = e.workspace_id and d.id = t.domain_id
          where ${stopsClaimed})
    returning a.place`.execute(db);
  return new Set(rows.flatMap(({ place }) => sorted[place] ?? []));
}
