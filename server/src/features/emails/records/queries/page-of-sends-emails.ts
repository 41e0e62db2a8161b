import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { EmailRow } from '../email-record.ts';
import { conditions, type EmailFilter, emailColumns } from './page-of-emails.ts';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * One page of the emails of a newsletter or an issue: the newest send first, and of each its newest emails. One row more
 * than `limit` when there are more. The sends are read along their index, and of each no more emails than the page has:
 * in the order of all emails of the workspace, those of a newsletter could lie behind a million others.
 */
export async function pageOfSendsEmails(
  db: Db,
  workspaceId: string,
  filter: EmailFilter,
  page: { limit: number; offset: number; after: string | null },
): Promise<EmailRow[]> {
  return (await sendsPage(workspaceId, filter, page).execute(db)).rows;
}

/** The statement by itself, whose plan a test looks at. */
export function sendsPage(
  workspaceId: string,
  filter: EmailFilter,
  page: { limit: number; offset: number; after: string | null },
): RawBuilder<EmailRow> {
  const { after } = page;
  // Sends and emails have ids of the same kind: of an email that is gone, its own id is a good guess at its send's.
  const sendOfAfter = sql`(
    select coalesce((select a.send_id from emails a where a.workspace_id = ${workspaceId} and a.id = ${after}::uuid),
                    ${after}::uuid))`;
  const fromSend = after === null ? sql`` : sql` and s.id <= ${sendOfAfter}`;
  // One bound in place of a choice between two conditions: the index is entered there, and nothing is passed over.
  const behind =
    after === null
      ? sql``
      : sql` and e.id < case when s.id < ${sendOfAfter} then ${LAST_ID}::uuid else ${after}::uuid end`;
  const ofNewsletter = filter.newsletterId === null ? sql`` : sql` and s.newsletter_id = ${filter.newsletterId}`;
  const ofIssue = filter.issueId === null ? sql`` : sql` and s.issue_id = ${filter.issueId}`;
  return sql<EmailRow>`
    select found.* from (
      select s.* from send_requests s
       where s.workspace_id = ${workspaceId}${ofNewsletter}${ofIssue}${fromSend}
       order by s.id desc
    ) s
    cross join lateral (
      select ${emailColumns}
        from emails e
        join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
       where e.workspace_id = ${workspaceId} and e.send_id = s.id and ${conditions(workspaceId, filter)}${behind}
       order by e.id desc
       limit ${page.limit + 1 + page.offset}
    ) found
    order by s.id desc, found.id desc
    limit ${page.limit + 1} offset ${page.offset}`;
}
