import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { whatStops } from '../../queries/what-stops.ts';
import type { ClaimedEmail } from './claim-emails.ts';

/**
 * Finds those of the claimed emails that must not leave any more: something that the claim looks at stops them by now.
 * Changes nothing. Returns their ids.
 */
export async function findStopped(db: Db, emails: readonly ClaimedEmail[]): Promise<string[]> {
  const input = JSON.stringify(
    emails.map((email) => ({ workspace_id: email.workspaceId, id: email.id, left_out: email.leftOut ?? [] })),
  );
  const { rows } = await sql<{ id: string }>`${keepPlan}
    select e.id
      from jsonb_to_recordset(${input}::jsonb) as a (workspace_id uuid, id uuid, left_out jsonb)
      join emails e on e.workspace_id = a.workspace_id and e.id = a.id
      join contents t on t.workspace_id = e.workspace_id and t.id = e.content_id
      left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
      left join domains d on d.workspace_id = e.workspace_id and d.id = t.domain_id
     where ${whatStops} is not null
        or (e.grouped is not null and exists (
              select from jsonb_path_query(e.grouped, '$.*[*]') as g (entry)
                join suppressions s on s.workspace_id = e.workspace_id and s.email = lower(g.entry ->> 'address')
               where (s.expires_at is null or s.expires_at > now()) and not a.left_out ? s.email))`.execute(db);
  return rows.map((row) => row.id);
}
