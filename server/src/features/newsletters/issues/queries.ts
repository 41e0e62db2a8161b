import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { wallTimeJson } from '#platform/time/wall-time.ts';
import { BODIES, EDITOR, ISSUE, type Issue, type IssueStatus, type IssueSummary } from './issue.ts';

const summaryColumns = ISSUE.columns('i');

const columnsInList = sql`${summaryColumns}, ${BODIES.columns('i')}`;

/** Of the row called `i`. */
export const columns = sql`${columnsInList}, ${EDITOR.columns('i')}`;

/** The clock that decides when the time of an issue has come. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no time');
  return row.now;
}

/** The issue of this newsletter with this id. */
export async function findIssue(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  id: string,
): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    select ${columns} from issues i
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.newsletter_id = ${newsletterId}`.execute(db);
  return rows[0];
}

/**
 * The same, held until the transaction ends: what every move begins with, so that of two at once one comes second.
 * The newsletter is held before it, so that it cannot be deleted meanwhile: whoever deletes it waits, and sees what
 * was done.
 */
export async function lockIssue(
  tx: Db,
  workspaceId: string,
  newsletterId: string,
  id: string,
): Promise<Issue | undefined> {
  if (!(await holdNewsletter(tx, workspaceId, newsletterId))) return undefined;
  const { rows } = await sql<Issue>`
    select ${columns} from issues i
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.newsletter_id = ${newsletterId} for update`.execute(
    tx,
  );
  return rows[0];
}

/** Keeps the newsletter from being deleted until the transaction ends. False: it is gone. */
export async function holdNewsletter(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from newsletters where workspace_id = ${workspaceId} and id = ${id} for key share`.execute(tx);
  return rows.length > 0;
}

export interface IssueFilter {
  status: IssueStatus | null;
}

/** Newest first, one more than the page has when there are more. Bodies only when they are asked for. */
export async function pageIssues(
  db: Db,
  newsletter: { workspaceId: string; id: string },
  asked: IssueFilter & { limit: number; offset: number; after: string | null; withBody: boolean },
): Promise<(IssueSummary & Partial<Issue>)[]> {
  const { rows } = await sql<IssueSummary & Partial<Issue>>`
    select ${asked.withBody ? columnsInList : summaryColumns} from issues i
     where i.workspace_id = ${newsletter.workspaceId} and i.newsletter_id = ${newsletter.id}
       and (${asked.status}::text is null or i.status = ${asked.status})
       and (${asked.after}::uuid is null or i.id < ${asked.after}::uuid)
     order by i.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countIssues(
  db: Db,
  newsletter: { workspaceId: string; id: string },
  filter: IssueFilter,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from issues i
       where i.workspace_id = ${newsletter.workspaceId} and i.newsletter_id = ${newsletter.id}
         and (${filter.status}::text is null or i.status = ${filter.status})
       limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * The slugs of the newsletter that begin like this one, apart from that of the issue itself. The newsletter is held, so
 * that two issues do not choose the same at the same time; false: it is gone.
 */
export async function lockSlugs(
  tx: Db,
  newsletter: { workspaceId: string; id: string },
  base: string,
  except: string | null,
): Promise<ReadonlySet<string> | false> {
  const held = await sql`
    select from newsletters where workspace_id = ${newsletter.workspaceId} and id = ${newsletter.id}
       for no key update`.execute(tx);
  if (held.rows.length === 0) return false;
  // A slug is letters, digits and hyphens: nothing in it is a wildcard.
  const { rows } = await sql<{ slug: string }>`
    select slug from issues
     where workspace_id = ${newsletter.workspaceId} and newsletter_id = ${newsletter.id}
       and (slug = ${base} or slug like ${`${base}-%`}) and id is distinct from ${except}::uuid`.execute(tx);
  return new Set(rows.map((row) => row.slug));
}

export async function insertIssue(tx: Db, issue: Issue): Promise<void> {
  await sql`
    insert into issues (workspace_id, id, newsletter_id, slug, subject, preheader, html_body, text_body, editor,
                        status, scheduled_for, timezone, schedule_note, wall_time, sent_by, created_at,
                        updated_at)
    values (${issue.workspaceId}, ${issue.id}, ${issue.newsletterId}, ${issue.slug}, ${issue.subject},
            ${issue.preheader}, ${issue.htmlBody}, ${issue.textBody}, ${editorOf(issue)}::json, ${issue.status},
            ${issue.scheduledFor}, ${issue.timezone}, ${issue.scheduleNote}, ${wallTimeJson(issue.wallTime)}::jsonb,
            ${sentBy(issue)}::jsonb, ${issue.createdAt}, ${issue.updatedAt})`.execute(tx);
}

/** The fields of an issue held by the transaction that may be changed. */
export async function updateIssue(tx: Db, issue: Issue): Promise<void> {
  await sql`
    update issues set slug = ${issue.slug}, subject = ${issue.subject}, preheader = ${issue.preheader},
           html_body = ${issue.htmlBody}, text_body = ${issue.textBody}, editor = ${editorOf(issue)}::json,
           status = ${issue.status}, scheduled_for = ${issue.scheduledFor}, timezone = ${issue.timezone},
           schedule_note = ${issue.scheduleNote}, wall_time = ${wallTimeJson(issue.wallTime)}::jsonb,
           sent_by = ${sentBy(issue)}::jsonb, updated_at = ${issue.updatedAt}
     where workspace_id = ${issue.workspaceId} and id = ${issue.id}`.execute(tx);
}

/** A version of its content; those that are there stay. */
export async function insertVersions(
  tx: Db,
  { workspaceId, id }: Pick<Issue, 'workspaceId' | 'id'>,
  versions: readonly {
    contentVersion: number;
    contentId: string;
    issue: Pick<Issue, 'subject' | 'preheader'>;
  }[],
): Promise<void> {
  const each = versions.map(({ contentVersion, contentId, issue: { subject, preheader } }) => ({
    content_version: contentVersion,
    content_id: contentId,
    subject,
    preheader,
  }));
  await sql`
    insert into issue_versions (workspace_id, issue_id, content_version, content_id, subject, preheader)
    select ${workspaceId}, ${id}, v.content_version, v.content_id, v.subject, v.preheader
      from jsonb_to_recordset(${JSON.stringify(each)}::jsonb)
        as v (content_version smallint, content_id uuid, subject text, preheader text)
    on conflict do nothing`.execute(tx);
}

/** The words of a version that its Liquid can read. */
export async function findVersion(
  db: Db,
  { workspaceId, id }: Pick<Issue, 'workspaceId' | 'id'>,
  contentVersion: number,
): Promise<Pick<Issue, 'subject' | 'preheader'> | undefined> {
  const { rows } = await sql<Pick<Issue, 'subject' | 'preheader'>>`
    select subject, preheader from issue_versions
     where workspace_id = ${workspaceId} and issue_id = ${id} and content_version = ${contentVersion}`.execute(db);
  return rows[0];
}

const editorOf = ({ editor }: Issue): string | null => (editor === null ? null : JSON.stringify(editor));
const sentBy = (issue: Issue): string | null => (issue.sentBy === null ? null : JSON.stringify(issue.sentBy));

export async function deleteIssue(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from issues where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
