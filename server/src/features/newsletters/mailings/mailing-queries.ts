/** Fragments and reads for mail to a newsletter that is no issue, for the statements of the feature that sends it. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';

/** The active subscribers of a newsletter: recipient_id, email. Pending ones have not confirmed, and get nothing. */
export const activeSubscribers = (workspaceId: string, newsletterId: string): RawBuilder<unknown> => sql`
  select s.id as recipient_id, s.email from subscribers s
   where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.status = 'active'`;

/** With those who left: recipient_id, email, has_left. */
export const subscribersAndFormer = (workspaceId: string, newsletterId: string): RawBuilder<unknown> => sql`
  select s.id as recipient_id, s.email, s.status = 'unsubscribed' as has_left from subscribers s
   where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.status in ('active', 'unsubscribed')`;

/**
 * A page of recipients for the engine, in its order. `chosen` selects recipient and recipient_id of those who were
 * chosen; a subscriber who is not active any more is passed over.
 */
export const recipientsOfSubscribers = (workspaceId: string, chosen: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select k.recipient, s.name as recipient_name, k.recipient_id, s.id is null as passed_over
    from (${chosen}) k
    left join subscribers s on s.workspace_id = ${workspaceId} and s.id = k.recipient_id and s.status = 'active'
   order by k.recipient`;

/** A subscriber as their mail names them. */
export interface MailedSubscriber {
  workspaceId: string;
  id: string;
  newsletterId: string;
  newsletterName: string;
  name: string | null;
  metadata: Record<string, unknown>;
}

/** The subscribers among these who are active, in one statement. */
export async function listMailedSubscribers(
  db: Db,
  keys: readonly { workspaceId: string; subscriberId: string }[],
): Promise<MailedSubscriber[]> {
  const { rows } = await sql<MailedSubscriber>`${keepPlan}
    select s.workspace_id as "workspaceId", s.id, s.newsletter_id as "newsletterId", n.name as "newsletterName", s.name,
           s.metadata
      from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.subscriberId)}::uuid[])
             as k (workspace_id, subscriber_id)
      join subscribers s on s.workspace_id = k.workspace_id and s.id = k.subscriber_id and s.status = 'active'
      join newsletters n on n.workspace_id = s.workspace_id and n.id = s.newsletter_id`.execute(db);
  return rows;
}
