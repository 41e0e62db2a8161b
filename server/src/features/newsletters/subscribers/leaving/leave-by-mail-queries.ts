import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export async function findNewsletterOfSubscriber(
  db: Db,
  workspaceId: string,
  subscriberId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ newsletterId: string }>`
    select newsletter_id as "newsletterId" from subscribers
     where workspace_id = ${workspaceId} and id = ${subscriberId}`.execute(db);
  return rows[0]?.newsletterId;
}

/** The newsletter and the address of the newest email to a subscriber who is gone; undefined: none is kept. */
export async function findFormerSubscriber(
  db: Db,
  workspaceId: string,
  subscriberId: string,
): Promise<{ newsletterId: string; email: string } | undefined> {
  const { rows } = await sql<{ newsletterId: string; email: string }>`
    select n.id as "newsletterId", e.recipient as email from emails e
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
      join newsletters n on n.workspace_id = r.workspace_id and n.id = r.newsletter_id
     where e.workspace_id = ${workspaceId} and e.subscriber_id = ${subscriberId}
       and e.recipient not like 'erased-%@erased.invalid'
     order by e.id desc limit 1`.execute(db);
  return rows[0];
}
