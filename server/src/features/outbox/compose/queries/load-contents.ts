import { sql } from 'kysely';
import type { Attachment } from '#mail/attachments/attachment-rules.ts';
import type { StoredMailbox } from '#mail/addresses/stored-mailbox.ts';
import type { Db } from '#platform/db/database.ts';
import type { PersonalContent } from '../personal-content.ts';

/** The parts of a content that can be large. */
export interface ContentBodies {
  html: string | null;
  text: string | null;
  /** A message that leaves as it is. */
  mime: Buffer | null;
}

/** The stored content of a send. Its bodies are null for a large one, which is read by itself. */
export interface ContentRow extends ContentBodies {
  workspaceId: string;
  id: string;
  fromAddress: string;
  fromName: string | null;
  fromDomain: string;
  replyTo: StoredMailbox[];
  subject: string;
  /** The Message-ID of a message that leaves as it is. null: we compose the message. */
  messageId: string | null;
  headers: Record<string, string>;
  inReplyTo: string | null;
  trackOpens: boolean;
  trackClicks: boolean;
  /** null: all recipients get the same. */
  personal: PersonalContent | null;
  /** Of all bodies and files. */
  bytes: number;
  isLarge: boolean;
}

/**
 * The contents of a page of emails. A row larger than `largeFrom` comes without its bodies, so that a page of
 * two hundred sends cannot fill the memory; octet_length of a stored value does not read it.
 */
export async function loadContents(
  db: Db,
  wanted: readonly { workspaceId: string; contentId: string }[],
  largeFrom: number,
): Promise<ContentRow[]> {
  const { rows } = await sql<ContentRow>`
    select c.workspace_id as "workspaceId", c.id, c.from_address as "fromAddress", c.from_name as "fromName",
           c.from_domain as "fromDomain", c.reply_to as "replyTo", c.subject,
           case when size.bytes < ${largeFrom}::bigint then c.html end as html,
           case when size.bytes < ${largeFrom}::bigint then c.text end as text,
           case when size.bytes < ${largeFrom}::bigint then c.mime end as mime, c.message_id as "messageId",
           c.headers, c.in_reply_to as "inReplyTo", c.track_opens as "trackOpens", c.track_clicks as "trackClicks", c.personal,
           size.bytes, size.bytes >= ${largeFrom}::bigint as "isLarge"
      from unnest(${wanted.map((key) => key.workspaceId)}::uuid[], ${wanted.map((key) => key.contentId)}::uuid[])
             as w (workspace_id, id)
      join contents c on c.workspace_id = w.workspace_id and c.id = w.id
     cross join lateral (
       select coalesce(octet_length(c.html), 0) + coalesce(octet_length(c.text), 0) + coalesce(octet_length(c.mime), 0)
            -- A send with files always counts as large: reading them is a second statement.
            + coalesce((select sum(octet_length(a.body)) + ${largeFrom}::bigint from attachments a
                         where a.workspace_id = c.workspace_id and a.content_id = c.id), 0) as bytes
     ) as size`.execute(db);
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
}

/** The bodies and files of one large content. */
export async function loadLargeContent(
  db: Db,
  workspaceId: string,
  contentId: string,
): Promise<ContentBodies & { attachments: Attachment[] }> {
  const bodies = await sql<ContentBodies>`
    select html, text, mime from contents where workspace_id = ${workspaceId} and id = ${contentId}`.execute(db);
  const files = await sql<Attachment>`
    select filename, content_type as "contentType", cid as "contentId", disposition, body from attachments
     where workspace_id = ${workspaceId} and content_id = ${contentId} order by position`.execute(db);
  const [row] = bodies.rows;
  if (row === undefined) throw new Error('the content of a claimed email is missing');
  return { ...row, attachments: files.rows };
}
