import { sql } from 'kysely';
import type { Audience } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';

export interface RecipientRow {
  workspaceId: string;
  emailId: string;
  subscriberId: string;
  /** The address of the email: the subscriber may have another one since it was frozen. */
  email: string;
  subscriberName: string | null;
  metadata: Record<string, unknown>;
  newsletterId: string;
  name: string;
  slug: string;
  description: string | null;
  postalAddress: string | null;
  archiveEnabled: boolean;
  issueId: string;
  issueSlug: string;
  /** With the preheader, of the version that the email leaves with. */
  subject: string;
  preheader: string | null;
}

/** The subscribers, newsletters and issues behind a page of emails; those that are gone are absent. */
export async function loadRecipientRows(
  db: Db,
  emails: Parameters<Audience['loadRecipients']>[0],
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`${keepPlan}
    select w.workspace_id as "workspaceId", w.email_id as "emailId", s.id as "subscriberId", w.email,
           s.name as "subscriberName", s.metadata, n.id as "newsletterId", n.name, n.slug, n.description,
           n.postal_address as "postalAddress", n.archive_enabled as "archiveEnabled", i.id as "issueId",
           i.slug as "issueSlug", coalesce(v.subject, i.subject) as subject,
           case when v.content_id is null then i.preheader else v.preheader end as preheader
      from unnest(${emails.map((one) => one.workspaceId)}::uuid[], ${emails.map((one) => one.emailId)}::uuid[],
                  ${emails.map((one) => one.sendId)}::uuid[], ${emails.map((one) => one.subscriberId)}::uuid[],
                  ${emails.map((one) => one.recipient)}::text[], ${emails.map((one) => one.contentId)}::uuid[])
             as w (workspace_id, email_id, send_id, subscriber_id, email, content_id)
      join send_requests r on r.workspace_id = w.workspace_id and r.id = w.send_id
      join subscribers s on s.workspace_id = w.workspace_id and s.id = w.subscriber_id
      join newsletters n on n.workspace_id = w.workspace_id and n.id = r.newsletter_id
      join issues i on i.workspace_id = w.workspace_id and i.id = r.issue_id
      left join issue_versions v on v.workspace_id = i.workspace_id and v.issue_id = i.id
        and v.content_id = w.content_id`.execute(db);
  return rows;
}
