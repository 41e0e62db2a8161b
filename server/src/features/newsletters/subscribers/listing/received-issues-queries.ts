import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { ReceivedIssue } from './received-issue.ts';

/** The issues that went to a subscriber, newest first, with what became of each. */
export async function pageReceivedIssues(
  db: Db,
  workspaceId: string,
  asked: { subscriberId: string; limit: number; offset: number; after: string | null },
): Promise<ReceivedIssue[]> {
  const { rows } = await sql<ReceivedIssue>`
    select e.id, e.id as "emailId", r.issue_id as "issueId", i.subject, e.status, e.error, e.sent_at as "sentAt",
           e.delivered_at as "deliveredAt", e.open_count as "openCount", e.click_count as "clickCount",
           e.last_event_at as "lastEventAt", e.created_at as "createdAt"
      from emails e
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id and r.issue_id is not null
      join issues i on i.workspace_id = r.workspace_id and i.id = r.issue_id
     where e.workspace_id = ${workspaceId} and e.subscriber_id = ${asked.subscriberId}
       and (${asked.after}::uuid is null or e.id < ${asked.after}::uuid)
     order by e.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countReceivedIssues(
  db: Db,
  workspaceId: string,
  subscriberId: string,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from emails e
        join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id and r.issue_id is not null
       where e.workspace_id = ${workspaceId} and e.subscriber_id = ${subscriberId} limit ${max}) as counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}
