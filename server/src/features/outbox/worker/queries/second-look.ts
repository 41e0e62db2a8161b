import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { claimedRows, stopsClaimed } from '../../queries/stops-claimed.ts';
import type { ClaimedEmail } from './claim-emails.ts';

/**
 * Finds those of the claimed emails that must not leave any more: something that the claim looks at stops them by now,
 * or their lease has ended. Changes nothing. Returns their ids.
 */
export async function findStopped(db: Db, emails: readonly ClaimedEmail[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${keepPlan}
    select e.id
      from ${claimedRows(emails)} as a
      join emails e on e.workspace_id = a.workspace_id and e.id = a.id
      left join contents t on t.workspace_id = e.workspace_id and t.id = e.content_id
      left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
      left join domains d on d.workspace_id = e.workspace_id and d.id = t.domain_id
     where e.lease_token is distinct from a.token or e.lease_until <= now() or ${stopsClaimed}`.execute(db);
  return rows.map((row) => row.id);
}
