/**
 * The moves of an issue that has been let go: each says in its `where` which state it leads from, so that of any number
 * of processes that try it one does it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SentBy } from '#platform/http/context.ts';
import type { Issue } from '../issue.ts';
import { columns } from '../queries.ts';

interface IssueKey {
  workspaceId: string;
  id: string;
}

type Fragment = RawBuilder<unknown>;

/** Undefined: the issue is not (any more) as `where` says. */
async function move(tx: Db, workspaceId: string, set: Fragment, where: Fragment): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set ${set}, updated_at = now()
     where i.workspace_id = ${workspaceId} and ${where}
    returning ${columns}`.execute(tx);
  return rows[0];
}

const isOpen = (id: string): Fragment => sql`i.id = ${id} and i.status in ('draft', 'scheduled')`;
const isBeingSent = (sendId: string): Fragment => sql`i.send_id = ${sendId} and i.status = 'sending'`;
const startedBy = (sentBy: SentBy): Fragment => sql`started_at = now(), sent_by = ${JSON.stringify(sentBy)}::jsonb`;
/** An issue that was being sent is finished when nothing of it is pending any more. */
const startsToFinish = sql`awaits_finish = i.status = 'sending'`;
const failedWith = ({ code, message }: Fault): Fragment =>
  sql`status = 'failed', failed_at = now(), error = ${message}, error_code = ${code}, ${startsToFinish}`;

interface Fault {
  code: string;
  message: string;
}

/** From draft or scheduled. */
export const markIssueSending = (tx: Db, { workspaceId, id }: IssueKey, sentBy: SentBy) =>
  move(tx, workspaceId, sql`status = 'sending', ${startedBy(sentBy)}`, isOpen(id));

/** From draft or scheduled when nobody is on the list: there is nothing to send, and it is done. */
export const markReleasedToNobody = (tx: Db, { workspaceId, id }: IssueKey, sentBy: SentBy) =>
  move(
    tx,
    workspaceId,
    sql`status = 'sent', sent_at = now(), total_recipients = 0, awaits_finish = true, ${startedBy(sentBy)}`,
    isOpen(id),
  );

/** From sending to `sent`, when its send is released; undefined when it was cancelled or has failed before. */
export const markIssueReleased = (tx: Db, workspaceId: string, sendId: string, total: number) =>
  move(
    tx,
    workspaceId,
    sql`status = 'sent', sent_at = now(), total_recipients = ${total}, ${startsToFinish}`,
    isBeingSent(sendId),
  );

/** From sending, when its send cannot go on. */
export const markSendFailed = (tx: Db, workspaceId: string, sendId: string, fault: Fault) =>
  move(tx, workspaceId, failedWith(fault), isBeingSent(sendId));

/**
 * From scheduled, when what it needs is not there at its time; undefined when it was changed since it was read (it may
 * be all right now), or sent, or cancelled.
 */
export const markDueFailed = (tx: Db, { workspaceId, id, updatedAt }: IssueKey & { updatedAt: Date }, fault: Fault) =>
  move(
    tx,
    workspaceId,
    failedWith(fault),
    sql`i.id = ${id} and i.status = 'scheduled' and i.scheduled_for <= clock_timestamp()
      and date_trunc('milliseconds', i.updated_at) = ${updatedAt}`,
  );

/** From the state it was seen in. */
export const markIssueCancelled = (tx: Db, { workspaceId, id }: IssueKey, from: 'scheduled' | 'sending') =>
  move(
    tx,
    workspaceId,
    sql`status = 'cancelled', cancelled_at = now(), ${startsToFinish}`,
    sql`i.id = ${id} and i.status = ${from}`,
  );

/** The bulk send of an issue, and how many it is expected to reach. */
export async function setSendOfIssue(tx: Db, issue: IssueKey, sendId: string, expected: number): Promise<void> {
  await sql`
    update issues set send_id = ${sendId}, total_recipients = ${expected}
     where workspace_id = ${issue.workspaceId} and id = ${issue.id}`.execute(tx);
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

/**
 * Scheduled issues whose time has come, those that wait longest first. `until`: the time that has passed for certain,
 * because the clock of the database may have been set forward.
 */
export async function listDueIssues(db: Db, { limit, until }: { limit: number; until: Date }): Promise<DueIssue[]> {
  const { rows } = await sql<DueIssue>`
    -- every workspace: one service looks for everybody. A workspace that is paused keeps what it has scheduled.
    select i.workspace_id as "workspaceId", i.id, i.newsletter_id as "newsletterId" from issues i
      join workspaces w on w.id = i.workspace_id and w.status = 'active'
     where i.status = 'scheduled' and i.scheduled_for <= least(statement_timestamp(), ${until})
     order by i.scheduled_for limit ${limit}`.execute(db);
  return rows;
}

/**
 * The issue, held, when it is still due, and how late it is; undefined when another process has it or has sent it, or
 * it is not due any more.
 */
export async function lockDueIssue(tx: Db, due: DueIssue): Promise<(Issue & { lateSeconds: number }) | undefined> {
  const held = await sql`
    select from newsletters where workspace_id = ${due.workspaceId} and id = ${due.newsletterId} for key share`.execute(
    tx,
  );
  if (held.rows.length === 0) return undefined;
  const { rows } = await sql<Issue & { lateSeconds: number }>`
    select ${columns}, extract(epoch from clock_timestamp() - i.scheduled_for)::double precision as "lateSeconds"
      from issues i
     where i.workspace_id = ${due.workspaceId} and i.id = ${due.id} and i.status = 'scheduled'
       and i.scheduled_for <= clock_timestamp()
       for update skip locked`.execute(tx);
  return rows[0];
}
