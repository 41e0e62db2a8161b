import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from './newsletter.ts';

const columns = sql`
  n.workspace_id as "workspaceId", n.id, n.name, n.slug, n.description, n.from_email as "fromEmail",
  n.from_name as "fromName", n.reply_to as "replyTo", n.double_opt_in as "doubleOptIn", n.accent_color as "accentColor",
  n.logo_url as "logoUrl", n.postal_address as "postalAddress", n.timezone, n.language, n.track_opens as "trackOpens",
  n.track_clicks as "trackClicks", n.archive_enabled as "archiveEnabled",
  n.unsubscribe_confirm_page as "unsubscribeConfirmPage", n.signup_enabled as "signupEnabled",
  n.redirect_origins as "redirectOrigins", n.pending_purge_days as "pendingPurgeDays",
  n.confirmations_paused_at as "confirmationsPausedAt", n.created_at as "createdAt", n.updated_at as "updatedAt"`;

export async function selectNewsletter(db: Db, workspaceId: string, id: string): Promise<Newsletter | undefined> {
  const { rows } = await sql<Newsletter>`
    select ${columns} from newsletters n where n.workspace_id = ${workspaceId} and n.id = ${id}`.execute(db);
  return rows[0];
}

export async function selectNewsletterBySlug(db: Db, slug: string): Promise<Newsletter | undefined> {
  const { rows } = await sql<Newsletter>`
    select ${columns} from newsletter_slugs s
      join newsletters n on n.workspace_id = s.workspace_id and n.id = s.newsletter_id
     where s.slug = ${slug}`.execute(db);
  return rows[0];
}

/** Which of these ids are no newsletter of the workspace. */
export async function listMissingNewsletters(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select w.id from unnest(${[...ids]}::uuid[]) as w (id)
     where not exists (select from newsletters n where n.workspace_id = ${workspaceId} and n.id = w.id)`.execute(db);
  return rows.map((row) => row.id);
}

/** The newsletters of a workspace that is being deleted: their rows are removed later, page by page. */
export async function insertPurgesOfWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    insert into newsletter_purges (workspace_id, newsletter_id)
    select workspace_id, id from newsletters where workspace_id = ${workspaceId} on conflict do nothing`.execute(tx);
}
