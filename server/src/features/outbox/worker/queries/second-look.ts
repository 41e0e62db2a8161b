import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { ClaimedEmail } from './claim-emails.ts';

/**
 * Which of these claimed emails must not leave as they are any more: what the claim looks at is true of them by now.
 * Changes nothing. Returns their ids.
 */
export async function findStopped(db: Db, emails: readonly ClaimedEmail[]): Promise<string[]> {
  const input = JSON.stringify(
    emails.map((email) => ({ workspace_id: email.workspaceId, id: email.id, left_out: email.leftOut ?? [] })),
  );
  const { rows } = await sql<{ id: string }>`
    select e.id
      from jsonb_to_recordset(${input}::jsonb) as a (workspace_id uuid, id uuid, left_out jsonb)
      join emails e on e.workspace_id = a.workspace_id and e.id = a.id
      join contents t on t.workspace_id = e.workspace_id and t.id = e.content_id
      left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
      left join domains d on d.workspace_id = e.workspace_id and d.id = t.domain_id
     where r.cancelled_at is not null or r.paused_at is not null or e.expires_at <= clock_timestamp()
        or (t.domain_id is not null and d.sending_enabled is not true)
        or (e.lane = 2 and e.subscriber_id is not null and not exists (
              select from subscribers u where u.workspace_id = e.workspace_id and u.id = e.subscriber_id
                 and u.status = 'active'))
        or (e.grouped is null and exists (
              select from suppressions s where s.workspace_id = e.workspace_id and s.email = e.recipient
                 and (s.expires_at is null or s.expires_at > now())))
        or (e.grouped is not null and exists (
              select from jsonb_path_query(e.grouped, '$.*[*]') as g (entry)
                join suppressions s on s.workspace_id = e.workspace_id and s.email = lower(g.entry ->> 'address')
               where (s.expires_at is null or s.expires_at > now()) and not a.left_out ? s.email))`.execute(db);
  return rows.map((row) => row.id);
}
