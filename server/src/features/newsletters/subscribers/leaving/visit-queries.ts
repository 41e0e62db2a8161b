import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { subscriberColumns } from '../queries.ts';
import type { Subscriber } from '../subscriber.ts';

/** The email in which a subscriber got an issue or a broadcast. Undefined: they did not, or it has been removed. */
export async function findEmailOfIssue(
  db: Db,
  workspaceId: string,
  asked: { newsletterId: string; issueId: string; subscriberId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select e.id from emails e
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${workspaceId} and e.subscriber_id = ${asked.subscriberId}
       and r.newsletter_id = ${asked.newsletterId} and ${asked.issueId}::uuid in (r.issue_id, r.broadcast_id)
     limit 1`.execute(db);
  return rows[0]?.id;
}

export interface LeftByVisit extends Subscriber {
  emailId: string;
}

/**
 * Those who left by exactly these visits to the link of these emails, and have not shown since that they meant it; with
 * `lock` in one order, for update.
 */
export async function listLeftByVisit(
  tx: Db,
  visits: readonly { workspaceId: string; emailId: string; at: Date }[],
  { lock }: { lock: boolean },
): Promise<LeftByVisit[]> {
  const input = JSON.stringify(
    visits.map(({ workspaceId, emailId, at }) => ({ workspace_id: workspaceId, email_id: emailId, at })),
  );
  const { rows } = await sql<LeftByVisit>`
    select ${subscriberColumns}, e.id as "emailId"
      from jsonb_to_recordset(${input}::jsonb) as i (workspace_id uuid, email_id uuid, at timestamptz)
      join emails e on e.workspace_id = i.workspace_id and e.id = i.email_id
      join subscribers s on s.workspace_id = e.workspace_id and s.id = e.subscriber_id
                        and s.status = 'unsubscribed' and s.unsubscribed_by_visit and s.unsubscribed_at = i.at
     order by s.workspace_id, s.id ${lock ? sql`for update of s` : sql``}`.execute(tx);
  return rows;
}
