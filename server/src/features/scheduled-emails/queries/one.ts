import { sql } from 'kysely';
import type { Attachment } from '#mail/attachments/attachment-rules.ts';
import type { Db } from '#platform/db/database.ts';
import { wallTimeJson } from '#platform/time/wall-time.ts';
import type { By, ScheduledEmail } from '../scheduled-email.ts';
import type { ScheduleTime } from '../schedule-time.ts';
import type { StoredSend } from '../stored-send.ts';
import { columns } from './columns.ts';

export interface NewScheduledEmail extends ScheduleTime, StoredSend {
  workspaceId: string;
  id: string;
  maxDelaySeconds: number | null;
  fromDomain: string;
  newsletterId: string | null;
  search: string;
  isTest: boolean;
  createdBy: By;
  apiKeyId: string | null;
  requestId: string | null;
  batch: { id: string; index: number } | null;
}

/** Returns the time of the database at which it was made. */
export async function insertScheduledEmail(tx: Db, given: NewScheduledEmail): Promise<ScheduledEmail> {
  const { rows } = await sql<ScheduledEmail>`
    insert into scheduled_emails as s (workspace_id, id, scheduled_for, timezone, schedule_note, wall_time, max_delay_seconds,
      from_domain, newsletter_id, body, html, text, search, is_test, created_by, api_key_id, request_id, batch_id,
      batch_index, created_at, updated_at)
    select ${given.workspaceId}, ${given.id}, ${given.scheduledFor}, ${given.timezone}, ${given.scheduleNote},
      ${wallTimeJson(given.wallTime)}::jsonb,
      ${given.maxDelaySeconds}, ${given.fromDomain}, ${given.newsletterId}, ${JSON.stringify(given.body)}::jsonb,
      ${given.html}, ${given.text}, ${given.search}, ${given.isTest}, ${JSON.stringify(given.createdBy)}::jsonb,
      ${given.apiKeyId}, ${given.requestId}, ${given.batch?.id ?? null}, ${given.batch?.index ?? null}, t.now, t.now
      from (select clock_timestamp() as now) t
    returning ${columns}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('a scheduled email was inserted and is not there');
  return row;
}

export async function findScheduledEmail(db: Db, workspaceId: string, id: string): Promise<ScheduledEmail | undefined> {
  const { rows } = await sql<ScheduledEmail>`
    select ${columns} from scheduled_emails s where s.workspace_id = ${workspaceId} and s.id = ${id}`.execute(db);
  return rows[0];
}

/** The same, held until the transaction ends: of a change and the start of sending, one comes first. */
export async function lockScheduledEmail(tx: Db, workspaceId: string, id: string): Promise<ScheduledEmail | undefined> {
  const { rows } = await sql<ScheduledEmail>`
    select ${columns} from scheduled_emails s
     where s.workspace_id = ${workspaceId} and s.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Each file is a binary parameter: in an array its bytes would be hexadecimal text. */
export async function insertFiles(
  tx: Db,
  workspaceId: string,
  scheduledId: string,
  files: readonly Attachment[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(
    ({ filename, contentType, contentId, disposition, body }, position) =>
      sql`(${workspaceId}::uuid, ${scheduledId}::uuid, ${position}::smallint, ${filename}, ${contentType}, ${contentId}, ${disposition}, ${body}::bytea)`,
  );
  await sql`
    insert into scheduled_attachments (workspace_id, scheduled_id, position, filename, content_type, cid, disposition, body)
    values ${sql.join(rows)}`.execute(tx);
}

export async function loadFiles(db: Db, workspaceId: string, scheduledId: string): Promise<Attachment[]> {
  const { rows } = await sql<Attachment>`
    select filename, content_type as "contentType", cid as "contentId", disposition, body
      from scheduled_attachments where workspace_id = ${workspaceId} and scheduled_id = ${scheduledId}
     order by position`.execute(db);
  return rows;
}

export interface FileName {
  filename: string;
  contentType: string;
  size: number;
}

export async function listFileNames(db: Db, workspaceId: string, scheduledId: string): Promise<FileName[]> {
  const { rows } = await sql<FileName>`
    select filename, content_type as "contentType", octet_length(body) as size
      from scheduled_attachments where workspace_id = ${workspaceId} and scheduled_id = ${scheduledId}
     order by position`.execute(db);
  return rows;
}

export async function deleteFiles(tx: Db, workspaceId: string, scheduledId: string): Promise<void> {
  await sql`
    delete from scheduled_attachments
     where workspace_id = ${workspaceId} and scheduled_id = ${scheduledId}`.execute(tx);
}
