import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { endOfLook, type LookedAt } from '#platform/db/end-of-look.ts';
import type { ScheduledStatus, ScheduledSummary } from '../scheduled-email.ts';
import { summaryColumns } from './columns.ts';

export interface ScheduledFilter {
  status: ScheduledStatus | null;
  /** Times at which the emails are to leave: from the first, and before the second. */
  from: Date | null;
  to: Date | null;
  search: string | null;
  /** Emails of these newsletters and of none; empty: of all. */
  newsletterIds: readonly string[];
}

export interface ScheduledPage {
  limit: number;
  offset: number;
  after: string | null;
}

/** The part of a filter that indexes know. */
function spanned(workspaceId: string, filter: ScheduledFilter): RawBuilder<unknown> {
  const all = [sql`s.workspace_id = ${workspaceId}`];
  if (filter.status !== null) all.push(sql`s.status = ${filter.status}`);
  if (filter.from !== null) all.push(sql`s.scheduled_for >= ${filter.from}`);
  if (filter.to !== null) all.push(sql`s.scheduled_for < ${filter.to}`);
  return sql.join(all, sql` and `);
}

function wanted(workspaceId: string, filter: ScheduledFilter): RawBuilder<unknown> {
  const all = [spanned(workspaceId, filter)];
  if (filter.search !== null) all.push(sql`strpos(s.search, ${filter.search.toLowerCase()}) > 0`);
  if (filter.newsletterIds.length > 0)
    all.push(sql`(s.newsletter_id is null or s.newsletter_id = any(${[...filter.newsletterIds]}::uuid[]))`);
  return sql.join(all, sql` and `);
}

const isWithoutIndex = ({ search, newsletterIds }: ScheduledFilter): boolean =>
  search !== null || newsletterIds.length > 0;

/** Newest first. A search looks at 10,000 for a page. */
export async function pageOfScheduled(
  db: Db,
  workspaceId: string,
  filter: ScheduledFilter,
  page: ScheduledPage,
): Promise<LookedAt<ScheduledSummary>> {
  const behind = page.after === null ? sql`true` : sql`s.id < ${page.after}::uuid`;
  const looked = sql`
    select s.id from scheduled_emails s
     where ${spanned(workspaceId, filter)} and ${behind} and s.workspace_id = ${workspaceId} order by s.id desc`;
  const end = isWithoutIndex(filter) ? await endOfLook(db, looked, page) : null;
  const { rows } = await sql<ScheduledSummary>`
    select ${summaryColumns} from scheduled_emails s
     where ${wanted(workspaceId, filter)} and ${behind} and s.workspace_id = ${workspaceId}
       and ${end === null ? sql`true` : sql`s.id >= ${end}::uuid`}
     order by s.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return { rows, goOnAfter: end };
}

/** Counted up to `max` and no further. */
export async function countScheduled(
  db: Db,
  workspaceId: string,
  filter: ScheduledFilter,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from scheduled_emails s
       where ${wanted(workspaceId, filter)} and s.workspace_id = ${workspaceId} limit ${max}) t`.execute(db);
  return rows[0]?.total ?? 0;
}
