import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { isPaused } from '../../queries/what-stops.ts';
import type { ClaimedEmail } from './claim-emails.ts';

/**
 * Puts on record that the hand-off of these emails has begun: a crash from here on leaves an outcome that nobody knows.
 * Only what is still ours and may leave: not after its lease has run out, nor when it was cancelled or suppressed since
 * its claim (which takes it away), nor while its send is paused, but for a pause at a limit. Returns the claims that
 * are on record: an email may be here twice, under a lease that was lost and under the one that followed.
 */
export async function recordBegun(db: Db, emails: readonly ClaimedEmail[]): Promise<Set<ClaimedEmail>> {
  // In the order of their keys, like every other statement that writes several emails: no deadlocks.
  const sorted = [...emails].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { rows } = await sql<{ place: number }>`${keepPlan}
    update emails e set handoff_at = now() -- changes after this moment are not seen
      from unnest(${sorted.map((one) => one.workspaceId)}::uuid[], ${sorted.map((one) => one.id)}::uuid[],
                  ${sorted.map((one) => one.leaseToken)}::uuid[]) with ordinality as b (workspace_id, id, token, place)
     where e.workspace_id = b.workspace_id and e.id = b.id and e.lease_token = b.token
       and e.status = 'sending' and e.lease_until > now()
       and not exists (select from send_requests r where r.workspace_id = e.workspace_id and r.id = e.send_id
                          and (${isPaused} or r.cancelled_at is not null))
    returning b.place::integer as place`.execute(db);
  return new Set(rows.flatMap(({ place }) => sorted[place - 1] ?? []));
}
