/**
 * The moves of an issue that has been let go: each says in its `where` which state it leads from, so that of any number
 * of processes that try it one does it.
 */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Issue, SentBy } from '../issue.ts';
import { columns } from '../queries.ts';

interface IssueKey {
  workspaceId: string;
  id: string;
}

/** From draft or scheduled; undefined when it is neither any more. */
export async function markIssueSending(tx: Db, issue: IssueKey, sentBy: SentBy): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set status = 'sending', started_at = now(), sent_by = ${JSON.stringify(sentBy)}::jsonb, updated_at = now()
     where i.workspace_id = ${issue.workspaceId} and i.id = ${issue.id} and i.status in ('draft', 'scheduled')
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** The bulk send of an issue, and how many it is expected to reach. */
export async function setSendOfIssue(tx: Db, issue: IssueKey, sendId: string, expected: number): Promise<void> {
  await sql`
    update issues set send_id = ${sendId}, total_recipients = ${expected}
     where workspace_id = ${issue.workspaceId} and id = ${issue.id}`.execute(tx);
}

/** From sending, when everything of its send is released; undefined when it was cancelled or has failed before. */
export async function markIssueSent(
  tx: Db,
  workspaceId: string,
  sendId: string,
  total: number,
): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set status = 'sent', sent_at = now(), total_recipients = ${total}, updated_at = now()
     where i.workspace_id = ${workspaceId} and i.send_id = ${sendId} and i.status = 'sending'
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** From draft or scheduled when nobody is on the list: there is nothing to send, and it is done. */
export async function markSentToNobody(tx: Db, issue: IssueKey, sentBy: SentBy): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set status = 'sent', started_at = now(), sent_at = now(), total_recipients = 0,
           sent_by = ${JSON.stringify(sentBy)}::jsonb, updated_at = now()
     where i.workspace_id = ${issue.workspaceId} and i.id = ${issue.id} and i.status in ('draft', 'scheduled')
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** From sending, when its send cannot go on; undefined when it is not being sent. */
export async function markSendFailed(
  tx: Db,
  workspaceId: string,
  sendId: string,
  error: { code: string; message: string },
): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set status = 'failed', failed_at = now(), error = ${error.message}, error_code = ${error.code},
           updated_at = now()
     where i.workspace_id = ${workspaceId} and i.send_id = ${sendId} and i.status = 'sending'
    returning ${columns}`.execute(tx);
  return rows[0];
}

/**
 * From scheduled, when what it needs is not there at its time; undefined when it was changed since `seenAt` (it may be
 * all right now), or sent, or cancelled.
 */
export async function markDueFailed(
  tx: Db,
  issue: IssueKey & { updatedAt: Date },
  error: { code: string; message: string },
): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set status = 'failed', failed_at = now(), error = ${error.message}, error_code = ${error.code},
           updated_at = now()
     where i.workspace_id = ${issue.workspaceId} and i.id = ${issue.id} and i.status = 'scheduled'
       and i.scheduled_for <= clock_timestamp() and date_trunc('milliseconds', i.updated_at) = ${issue.updatedAt}
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** From the state it was seen in; undefined when it is in another by now. */
export async function markIssueCancelled(
  tx: Db,
  issue: IssueKey,
  from: 'scheduled' | 'sending',
): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set status = 'cancelled', cancelled_at = now(), updated_at = now()
     where i.workspace_id = ${issue.workspaceId} and i.id = ${issue.id} and i.status = ${from}
    returning ${columns}`.execute(tx);
  return rows[0];
}

export async function findIssueOfSend(db: Db, workspaceId: string, sendId: string): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    select ${columns} from issues i
     where i.workspace_id = ${workspaceId} and i.send_id = ${sendId}`.execute(db);
  return rows[0];
}

export interface DueIssue {
  workspaceId: string;
  id: string;
  newsletterId: string;
}

/** Scheduled issues whose time has come, those that wait longest first. */
export async function listDueIssues(db: Db, limit: number): Promise<DueIssue[]> {
  const { rows } = await sql<DueIssue>`
    -- every workspace: one service looks for everybody. A workspace that is paused keeps what it has scheduled.
    select i.workspace_id as "workspaceId", i.id, i.newsletter_id as "newsletterId" from issues i
      join workspaces w on w.id = i.workspace_id and w.status = 'active'
     where i.status = 'scheduled' and i.scheduled_for <= clock_timestamp()
     order by i.scheduled_for limit ${limit}`.execute(db);
  return rows;
}

/**
 * The issue, held, when it is still due; undefined when another process has it or has sent it, or it is not due any
 * more.
 */
export async function lockDueIssue(tx: Db, due: DueIssue): Promise<Issue | undefined> {
  const held = await sql`
    select from newsletters where workspace_id = ${due.workspaceId} and id = ${due.newsletterId} for key share`.execute(
    tx,
  );
  if (held.rows.length === 0) return undefined;
  const { rows } = await sql<Issue>`
    select ${columns} from issues i
     where i.workspace_id = ${due.workspaceId} and i.id = ${due.id} and i.status = 'scheduled'
       and i.scheduled_for <= clock_timestamp()
       for update skip locked`.execute(tx);
  return rows[0];
}

/** Whether a workspace is kept from sending. */
export async function isWorkspacePaused(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ paused: boolean }>`
    select status <> 'active' as paused from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0]?.paused ?? true;
}
