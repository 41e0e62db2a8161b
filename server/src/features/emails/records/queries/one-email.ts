import { sql } from 'kysely';
import type { PersonalContent } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import type { EmailRow } from '../email-record.ts';
import { emailColumns } from './page-of-emails.ts';

/** An email with what only its own page shows. */
export interface OneEmailRow extends EmailRow {
  contentId: string;
  audienceKind: string | null;
  subscriberId: string | null;
  /** null: all recipients get the same. */
  personal: PersonalContent | null;
  attempts: number;
  firstAttemptAt: Date | null;
  notBefore: Date | null;
  unconfirmedAt: Date | null;
  inReplyTo: string | null;
  html: string | null;
  text: string | null;
  headers: Record<string, string>;
  trackOpens: boolean;
  trackClicks: boolean;
}

/** An email of a bulk send that waits leaves with the content that its send has then: it is shown with that of now. */
const nextTables = sql`
  emails e
  left join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
  join contents c on c.workspace_id = e.workspace_id and c.id =
    case when s.bulk_state is not null and e.status in ('pending', 'queued', 'deferred') then s.content_id
         else e.content_id end`;

export async function findEmail(db: Db, workspaceId: string, id: string): Promise<OneEmailRow | undefined> {
  const { rows } = await sql<OneEmailRow>`
    select ${emailColumns}, c.id as "contentId", s.audience_kind as "audienceKind", e.subscriber_id as "subscriberId", c.personal, e.attempts, e.first_attempt_at as "firstAttemptAt",
           nullif(e.not_before, 'infinity') as "notBefore", e.unconfirmed_at as "unconfirmedAt", c.in_reply_to as "inReplyTo", c.html,
           c.text, c.headers, c.track_opens as "trackOpens", c.track_clicks as "trackClicks"
      from ${nextTables}
     where e.workspace_id = ${workspaceId} and e.id = ${id}`.execute(db);
  return rows[0];
}

/** Of one email in one answer. */
export const EVENTS_MAX = 1_000;

export interface EventRow {
  id: string;
  sequence: number | null;
  type: string;
  recipient: string;
  at: Date;
  data: Record<string, unknown>;
}

/** Oldest first; one more than an answer has when there are more. */
export async function listEvents(db: Db, workspaceId: string, emailId: string): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select id, sequence, type, recipient, at, event_data as data
      from email_events
     where workspace_id = ${workspaceId} and email_id = ${emailId}
     order by at, sequence, id
     limit ${EVENTS_MAX + 1}`.execute(db);
  return rows;
}

export interface AttemptRow {
  attempt: number;
  startedAt: Date | null;
  endedAt: Date;
  outcome: string;
  response: string | null;
}

export async function listAttempts(db: Db, workspaceId: string, emailId: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select attempt, started_at as "startedAt", ended_at as "endedAt", outcome, response
      from email_attempts
     where workspace_id = ${workspaceId} and email_id = ${emailId}
     order by ended_at, id
     limit 200`.execute(db);
  return rows;
}

/** The bytes of a message that somebody else composed. undefined: we compose it, or it was erased. */
export async function loadRawMessage(db: Db, workspaceId: string, contentId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ mime: Buffer }>`
    select mime from contents
     where workspace_id = ${workspaceId} and id = ${contentId} and mime <> ''`.execute(db);
  return rows[0]?.mime;
}

export interface AttachmentRow {
  id: string;
  filename: string;
  contentType: string;
  contentId: string | null;
  disposition: 'attachment' | 'inline';
  size: number;
}

export async function listAttachments(db: Db, workspaceId: string, contentId: string): Promise<AttachmentRow[]> {
  const { rows } = await sql<AttachmentRow>`
    select id, filename, content_type as "contentType", cid as "contentId", disposition, octet_length(body) as size
      from attachments
     where workspace_id = ${workspaceId} and content_id = ${contentId}
     order by position`.execute(db);
  return rows;
}

/** One file of an email: at most 25 MB, the limit of all files of a send. */
export async function loadAttachment(
  db: Db,
  workspaceId: string,
  { contentId, id }: { contentId: string; id: string },
): Promise<{ filename: string; body: Buffer } | undefined> {
  const { rows } = await sql<{ filename: string; body: Buffer }>`
    select filename, body from attachments
     where workspace_id = ${workspaceId} and content_id = ${contentId} and id = ${id}`.execute(db);
  return rows[0];
}

/** With the files themselves: only for sending them again. */
export async function loadAttachments(
  db: Db,
  workspaceId: string,
  contentId: string,
): Promise<(Omit<AttachmentRow, 'id' | 'size'> & { body: Buffer })[]> {
  const { rows } = await sql<Omit<AttachmentRow, 'id' | 'size'> & { body: Buffer }>`
    select filename, content_type as "contentType", cid as "contentId", disposition, body
      from attachments
     where workspace_id = ${workspaceId} and content_id = ${contentId}
     order by position`.execute(db);
  return rows;
}
