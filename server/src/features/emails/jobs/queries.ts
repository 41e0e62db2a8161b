import { sql } from 'kysely';
import type { EmailStatus, PAUSE_CODES } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';

export interface SendRequestRow {
  id: string;
  source: string;
  newsletterId: string | null;
  issueId: string | null;
  batchId: string | null;
  batchIndex: number | null;
  cancelledAt: Date | null;
  pausedAt: Date | null;
  pauseReason: string | null;
  pauseCode: (typeof PAUSE_CODES)[number] | null;
  resumesAt: Date | null;
  /** Of a bulk send; null for every other. */
  bulkState: string | null;
  startedAt: Date | null;
  settledAt: Date | null;
  createdAt: Date;
  fromDomain: string;
  subject: string;
  givenMessageId: string | null;
}

const requestColumns = sql`s.id, s.source, s.newsletter_id as "newsletterId", s.issue_id as "issueId",
  s.batch_id as "batchId", s.batch_index as "batchIndex", s.cancelled_at as "cancelledAt",
  s.paused_at as "pausedAt", s.pause_reason as "pauseReason", s.pause_code as "pauseCode", s.resumes_at as "resumesAt", s.bulk_state as "bulkState",
  case when s.bulk_state is not null then coalesce(s.started_at, s.released_at) end as "startedAt", s.settled_at as "settledAt",
  s.created_at as "createdAt", c.from_domain as "fromDomain", c.subject, c.message_id as "givenMessageId"`;

export async function findSendRequest(db: Db, workspaceId: string, id: string): Promise<SendRequestRow | undefined> {
  const { rows } = await sql<SendRequestRow>`
    select ${requestColumns}
      from send_requests s
      join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id
     where s.workspace_id = ${workspaceId} and s.id = ${id}`.execute(db);
  return rows[0];
}

export async function findBatch(db: Db, workspaceId: string, id: string): Promise<{ createdAt: Date } | undefined> {
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at as "createdAt" from batches where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
  return rows[0];
}

export async function listRequestsOfBatch(db: Db, workspaceId: string, batchId: string): Promise<SendRequestRow[]> {
  const { rows } = await sql<SendRequestRow>`
    select ${requestColumns}
      from send_requests s
      join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id
     where s.workspace_id = ${workspaceId} and s.batch_id = ${batchId}
     order by s.batch_index`.execute(db);
  return rows;
}

export interface StatusCountRow {
  sendId: string;
  status: EmailStatus;
  count: number;
  firstAttemptAt: Date | null;
  /** The latest instant at which one of these left us or was given up. */
  lastChangeAt: Date | null;
}

/** At most 1,000 emails a request, found by their index. */
export async function countByStatus(
  db: Db,
  workspaceId: string,
  sendIds: readonly string[],
): Promise<StatusCountRow[]> {
  const { rows } = await sql<StatusCountRow>`
    select send_id as "sendId", status, count(*) as count, min(first_attempt_at) as "firstAttemptAt",
           max(coalesce(sent_at, first_attempt_at, created_at)) as "lastChangeAt"
      from emails
     where workspace_id = ${workspaceId} and send_id = any(${sendIds}::uuid[])
     group by send_id, status`.execute(db);
  return rows;
}

/** The first address of each of these sends, by its id. Reads the emails of one batch, by their index. */
export async function firstRecipients(
  db: Db,
  workspaceId: string,
  sendIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ sendId: string; to: string }>`
    select distinct on (send_id) send_id as "sendId", coalesce(recipient_typed, recipient) as "to"
      from emails
     where workspace_id = ${workspaceId} and send_id = any(${sendIds}::uuid[])
     order by send_id, id`.execute(db);
  return new Map(rows.map(({ sendId, to }) => [sendId, to]));
}

export interface JobEmailRow {
  id: string;
  to: string;
  status: EmailStatus;
  lastEventAt: Date | null;
  error: string | null;
}

export async function pageOfJobEmails(
  db: Db,
  workspaceId: string,
  sendId: string,
  page: { statuses: readonly string[] | null; limit: number; offset: number },
): Promise<JobEmailRow[]> {
  const { rows } = await sql<JobEmailRow>`
    select id, coalesce(recipient_typed, recipient) as "to", status, last_event_at as "lastEventAt", error
      from emails
     where workspace_id = ${workspaceId} and send_id = ${sendId}
       and (${page.statuses}::text[] is null or status = any(${page.statuses}::text[]))
     order by id
     limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}
