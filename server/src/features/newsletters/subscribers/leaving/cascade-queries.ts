import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { UnsubscribeReason } from '../../announcements.ts';
import { subscriberColumns } from '../queries.ts';
import type { Subscriber } from '../subscriber.ts';

export interface SuppressedAddress {
  workspaceId: string;
  email: string;
  reason: UnsubscribeReason;
  /** Whose bounce or complaint it was. */
  sourceEmailId: string | null;
}

export interface CascadedRow extends Subscriber {
  previousStatus: 'pending' | 'active';
  reason: UnsubscribeReason;
  /** The issue that bounced or was complained about, when it was one of this newsletter. */
  issueId: string | null;
  newsletterName: string;
  newsletterSlug: string;
}

/**
 * Takes these addresses off every list of their workspaces, whatever had not left it. One statement, rows locked in one
 * order. There is nothing to undo about it. Returned are the rows of newsletters that still exist.
 */
export async function unsubscribeAddresses(tx: Db, addresses: readonly SuppressedAddress[]): Promise<CascadedRow[]> {
  const input = JSON.stringify(
    addresses.map((one) => ({
      workspace_id: one.workspaceId,
      email: one.email,
      reason: one.reason,
      source_email_id: one.sourceEmailId,
    })),
  );
  const { rows } = await sql<CascadedRow>`
    with asked as materialized (
      select i.*, r.issue_id, r.newsletter_id as of_newsletter
        from jsonb_to_recordset(${input}::jsonb) as i (workspace_id uuid, email text, reason text, source_email_id uuid)
        left join emails e on e.workspace_id = i.workspace_id and e.id = i.source_email_id
        left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id and r.issue_id is not null
    ), before as materialized (
      select s.workspace_id, s.id, s.status, a.reason,
             case when a.of_newsletter = s.newsletter_id then a.issue_id end as issue_id
        from asked a
        join subscribers s on s.workspace_id = a.workspace_id and s.email = a.email and s.status in ('pending', 'active')
       order by s.workspace_id, s.id for update of s
    ), changed as (
      update subscribers s
         set status = 'unsubscribed', generation = s.generation + 1, unsubscribed_at = now(), status_before = null,
             unsubscribed_issue_id = b.issue_id, updated_at = now(),
             metadata = s.metadata || jsonb_build_object('unsubscribe_reason', b.reason)
        from before b where s.workspace_id = b.workspace_id and s.id = b.id
      returning s.*, b.status as previous_status, b.reason, b.issue_id
    )
    select ${subscriberColumns}, s.previous_status as "previousStatus", s.reason, s.issue_id as "issueId",
           n.name as "newsletterName", n.slug as "newsletterSlug"
      from changed s join newsletters n on n.workspace_id = s.workspace_id and n.id = s.newsletter_id`.execute(tx);
  return rows;
}
