import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { endOfLook, type LookedAt } from '#platform/db/end-of-look.ts';
import type { EmailRow } from '../email-record.ts';
import {
  CLOCK_SKEW_MS,
  conditions,
  type EmailFilter,
  emailColumns,
  emailTables,
  idAt,
  ofContents,
  ofRequests,
} from './page-of-emails.ts';

/** Emails of these times, by what no index knows. */
export interface EmailSpan {
  filter: EmailFilter;
  since: Date | null;
  until: Date | null;
}

/** One page of a span of time, of which at most `lookedAtMax` emails are looked at, the newest first. */
export async function lookThroughEmails(
  db: Db,
  workspaceId: string,
  span: EmailSpan,
  { limit, offset = 0, after }: { limit: number; offset?: number; after: string | null },
  lookedAtMax?: number,
): Promise<LookedAt<EmailRow>> {
  const looked = sql`
    select e.id from (${inOrder(workspaceId, span, sql`e.id`, { after })}) e order by e.id desc`;
  const end = await endOfLook(db, looked, { offset }, lookedAtMax);
  const { rows } = await sql<EmailRow>`
    with page as materialized (
      select e.id ${matching(workspaceId, span, { after, end })}
       order by e.id desc limit ${limit + 1} offset ${offset}
    )
    select ${emailColumns} from ${emailTables}
     where e.workspace_id = ${workspaceId} and e.id in (select p.id from page p)
     order by e.id desc`.execute(db);
  return { rows, goOnAfter: end };
}

/** How many match; only where one look sees all of them. */
export async function countLookedThrough(db: Db, workspaceId: string, span: EmailSpan): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total ${matching(workspaceId, span, { after: null, end: null })}`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * The emails (e) that match. Contents and requests are looked up for each: "offset 0" keeps the planner from reading
 * all contents of all workspaces instead, because it takes a condition on them for rare (150 ms of 200,000 on a busy
 * machine).
 */
function matching(
  workspaceId: string,
  span: EmailSpan,
  ends: { after: string | null; end: string | null },
): RawBuilder<unknown> {
  const { filter } = span;
  const contents = sql`
     cross join lateral (
       select c.* from contents c where c.workspace_id = ${workspaceId} and c.id = e.content_id offset 0) c`;
  const requests = sql`
     left join lateral (
       select s.* from send_requests s where s.workspace_id = ${workspaceId} and s.id = e.send_id offset 0) s on true`;
  return sql`
      from (${inOrder(workspaceId, span, sql`e.*`, ends)}) e
     ${ofContents(filter).length > 0 ? contents : sql``} ${ofRequests(filter).length > 0 ? requests : sql``}
     where ${conditions(workspaceId, filter)} and e.workspace_id = ${workspaceId}`;
}

/** These have indexes in another order, or none. */
const WITHOUT_ORDER = ['pending', 'sending'];

/** The emails of a span, newest first: of states along the index of states, of all states along the primary key. */
function inOrder(
  workspaceId: string,
  { filter: { statuses }, since, until }: EmailSpan,
  columns: RawBuilder<unknown>,
  { after, end = null }: { after: string | null; end?: string | null },
): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`e.workspace_id = ${workspaceId}`];
  if (since !== null) all.push(sql`e.id >= ${idAt(since, -CLOCK_SKEW_MS)}::uuid`);
  if (until !== null) all.push(sql`e.id <= ${idAt(until, CLOCK_SKEW_MS)}::uuid`);
  if (after !== null) all.push(sql`e.id < ${after}::uuid`);
  if (end !== null) all.push(sql`e.id >= ${end}::uuid`);
  const within = sql.join(all, sql` and `);
  if (statuses === null || statuses.some((status) => WITHOUT_ORDER.includes(status))) {
    return sql`
      select ${columns} from emails e where ${within} and e.workspace_id = ${workspaceId}
       order by e.workspace_id desc, e.id desc`;
  }
  const ofEach = statuses.map(
    (status) => sql`(
      select ${columns} from emails e where ${within} and e.workspace_id = ${workspaceId} and e.status = ${status}
       order by e.workspace_id desc, e.status desc, e.id desc)`,
  );
  return sql.join(ofEach, sql` union all `);
}
