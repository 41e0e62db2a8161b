import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { EXACT_TOTAL_MAX } from '#platform/http/paging.ts';
import type { EmailRow } from '../email-record.ts';
import { conditionsBySend, contentsOf, type EmailFilter, emailColumns, emailTables } from './page-of-emails.ts';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface SendsPage {
  limit: number;
  offset: number;
  after: string | null;
}

/**
 * One page of the emails of a newsletter or an issue: the newest send first, and of each its newest emails. One row
 * more than `limit` when there are more. The sends are read along their index, and of each no more emails than the
 * page has: in the order of all emails of the workspace, those of a newsletter could lie behind a million others.
 */
export async function pageOfSendsEmails(
  db: Db,
  workspaceId: string,
  filter: EmailFilter,
  page: SendsPage,
): Promise<EmailRow[]> {
  return (await sendsPage(workspaceId, filter, page).execute(db)).rows;
}

/**
 * The statement by itself, whose plan a test looks at. Ids first: what is passed over is sorted, and is to be small.
 */
export function sendsPage(workspaceId: string, filter: EmailFilter, page: SendsPage): RawBuilder<EmailRow> {
  const { limit, offset, after } = page;
  return sql<EmailRow>`
    with page as materialized (
      select s.id as send_id, found.id
        from ${emailsBySend(workspaceId, filter, { most: limit + 1 + offset, after })}
       order by s.id desc, found.id desc
       limit ${limit + 1} offset ${offset}
    )
    select ${emailColumns}
      from page p join (${emailTables}) on e.workspace_id = ${workspaceId} and e.id = p.id
     order by p.send_id desc, p.id desc`;
}

/** How many match: exact up to 10,000, where counting stops. */
export async function countSendsEmails(
  db: Db,
  workspaceId: string,
  filter: EmailFilter,
): Promise<{ total: number; isEstimate: boolean }> {
  const most = EXACT_TOTAL_MAX + 1;
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from ${emailsBySend(workspaceId, filter, { most, after: null })} limit ${most}) as counted`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { total, isEstimate: total > EXACT_TOTAL_MAX };
}

/** Whether a newsletter has more sends than should be looked into one by one: every confirmation is one. */
export async function hasManySends(db: Db, workspaceId: string, newsletterId: string): Promise<boolean> {
  const { rows } = await sql`
    select from send_requests s where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId}
     offset ${MANY_SENDS} limit 1`.execute(db);
  return rows.length > 0;
}

const MANY_SENDS = 1_000;

/** Sends (s), newest first, each with ids of its newest emails (found) that match and lie behind `after`. */
function emailsBySend(
  workspaceId: string,
  filter: EmailFilter,
  { most, after }: { most: number; after: string | null },
): RawBuilder<unknown> {
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
  const ofBroadcast = filter.broadcastId === null ? sql`` : sql` and s.broadcast_id = ${filter.broadcastId}`;
  const emails = sql`select e.id from emails e where e.workspace_id = ${workspaceId}${behind}`;
  const { statuses } = filter;
  const [ofRequest, ofEmail] = conditionsBySend(workspaceId, filter);
  const ofSend =
    statuses === null
      ? sql`(${emails} and e.send_id = s.id and ${ofEmail} order by e.id desc limit ${most})`
      : sql.join(
          // The index of states has the emails of a send in one stretch, whose ends are looked up; "is not distinct"
          // keeps to that index, where an equality would lead to reading the send to its end.
          statuses.map(
            (status) => sql`(
              ${emails} and e.send_id is not distinct from s.id and e.status = ${status}
                 and e.id >= (select f.id from emails f where f.workspace_id = ${workspaceId} and f.send_id = s.id
                               order by f.workspace_id, f.send_id, f.id limit 1)
                 and e.id <= (select l.id from emails l where l.workspace_id = ${workspaceId} and l.send_id = s.id
                               order by l.workspace_id desc, l.send_id desc, l.id desc limit 1)
                 and ${ofEmail}
               order by e.workspace_id desc, e.status desc, e.id desc limit ${most})`,
          ),
          sql` union all `,
        );
  return sql`(
      select s.* from send_requests s ${contentsOf(filter, sql`s`)}
       where s.workspace_id = ${workspaceId}${ofNewsletter}${ofIssue}${ofBroadcast}${fromSend} and ${ofRequest}
       order by s.id desc
    ) s
    cross join lateral (${ofSend}) found`;
}
