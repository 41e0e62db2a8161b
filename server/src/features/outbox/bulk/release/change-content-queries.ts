import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { PersonalContent } from '../../compose/personal-content.ts';
import type { SendKey } from '../bulk-send.ts';

/** Waits for a page of it that is being frozen or released. */
export async function lockPaused(tx: Db, { workspaceId, sendId }: SendKey): Promise<boolean> {
  const { rows } = await sql`
    select id from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId} and bulk_state is not null and paused_at is not null
       and cancelled_at is null for update`.execute(tx);
  return rows.length > 0;
}

/** The version that who has not been sent it yet gets. null: there is no such send. */
export async function findContentVersion(db: Db, { workspaceId, sendId }: SendKey): Promise<number | null> {
  const { rows } = await sql<{ contentVersion: number }>`
    select content_version as "contentVersion" from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId}`.execute(db);
  return rows[0]?.contentVersion ?? null;
}

interface Texts {
  subject: string;
  html: string | null;
  text: string | null;
  personal: PersonalContent;
}

/** A content of a send, by its number. */
export interface ContentVersion {
  contentVersion: number;
  contentId: string;
}

/** The content before is kept: emails that left have it. */
export async function replaceContent(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  { subject, html, text, personal }: Texts,
): Promise<{ before: ContentVersion; after: ContentVersion }> {
  const contentId = newId();
  const { rows } = await sql<{ before: number; contentBefore: string }>`
    with before as materialized (
      select content_id, content_version from send_requests where workspace_id = ${workspaceId} and id = ${sendId}
    ), content as (
      insert into contents (workspace_id, id, from_address, from_name, from_domain, domain_id, reply_to, subject, html,
        text, headers, in_reply_to, tags, metadata, track_opens, track_clicks, personal)
      select c.workspace_id, ${contentId}, c.from_address, c.from_name, c.from_domain, c.domain_id, c.reply_to, ${subject},
             ${html}, ${text}, c.headers, c.in_reply_to, c.tags, c.metadata, c.track_opens, c.track_clicks,
             ${JSON.stringify(personal)}::jsonb
        from before b join contents c on c.workspace_id = ${workspaceId} and c.id = b.content_id
    ), replaced as (
      insert into replaced_contents (workspace_id, send_id, content_version, content_id)
      select ${workspaceId}, ${sendId}, content_version, content_id from before
    )
    update send_requests r set content_id = ${contentId}, content_version = b.content_version + 1
      from before b where r.workspace_id = ${workspaceId} and r.id = ${sendId}
    returning b.content_version as before, b.content_id as "contentBefore"`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('a send that is held has a row');
  return {
    before: { contentVersion: row.before, contentId: row.contentBefore },
    after: { contentVersion: row.before + 1, contentId },
  };
}

/** The content of a version that another one has replaced. undefined: there is no such version, or it is the newest. */
export async function findReplaced(
  db: Db,
  { workspaceId, sendId }: SendKey,
  contentVersion: number,
): Promise<(Texts & { contentId: string }) | undefined> {
  const { rows } = await sql<Texts & { contentId: string }>`
    select c.id as "contentId", c.subject, c.html, c.text, c.personal
      from replaced_contents p
      join contents c on c.workspace_id = p.workspace_id and c.id = p.content_id
     where p.workspace_id = ${workspaceId} and p.send_id = ${sendId} and p.content_version = ${contentVersion}`.execute(
    db,
  );
  return rows[0];
}
