import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Why emails that the provider took did not arrive, in its words: what the other side said to a bounce, else its
 * kind; or why it was rejected. By email id; a permanent bounce weighs more than another. Reads the events of these
 * emails.
 */
export async function reasonsOf(
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ emailId: string; reason: string | null }>`
    select distinct on (v.email_id) v.email_id as "emailId",
           case v.type when 'reject' then coalesce(v.event_data #>> '{reject,message}', v.event_data #>> '{reject,reason}')
             else coalesce(v.event_data #>> '{bounce,bouncedRecipients,0,diagnosticCode}',
                           concat_ws(', ', v.event_data #>> '{bounce,bounceType}', v.event_data #>> '{bounce,bounceSubType}'))
           end as reason
      from email_events v
     where v.workspace_id = ${workspaceId} and v.email_id = any (${[...emailIds]}::uuid[])
       and v.type in ('bounce', 'reject')
     order by v.email_id, (v.event_data #>> '{bounce,bounceType}' = 'Permanent') desc nulls last, v.at desc`.execute(
    db,
  );
  return new Map(rows.flatMap(({ emailId, reason }) => (reason ? [[emailId, reason] as const] : [])));
}
