import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import { endOfTimedLook, LOOKED_AT_MAX, type LookedAt } from '#platform/db/end-of-look.ts';

export interface NewAuditEntry {
  workspaceId: string;
  at: Date;
  actorType: string;
  actorId: string | null;
  actorEmail: string | null;
  ip: string | null;
  action: string;
  targetType: string;
  targetId: string;
  /** JSON text. */
  details: string | null;
}

/**
 * Appends in the order given. Entries of a workspace that is gone have nobody to read them, and are passed over; one
 * that is there stays until the commit, so that its purge sees these rows.
 */
export async function insertAuditEntries(db: Db, entries: readonly NewAuditEntry[]): Promise<number> {
  const column = <T>(pick: (entry: NewAuditEntry) => T): T[] => entries.map(pick);
  const { rows } = await sql`
    insert into audit_entries (workspace_id, at, actor_type, actor_id, actor_email, ip, action, target_type, target_id,
                               details)
    select e.workspace_id, e.at, e.actor_type, e.actor_id, e.actor_email, e.ip, e.action, e.target_type, e.target_id,
           e.details::jsonb
      from unnest(${column((e) => e.workspaceId)}::uuid[], ${column((e) => e.at)}::timestamptz[],
                  ${column((e) => e.actorType)}::text[], ${column((e) => e.actorId)}::uuid[],
                  ${column((e) => e.actorEmail)}::text[], ${column((e) => e.ip)}::text[],
                  ${column((e) => e.action)}::text[], ${column((e) => e.targetType)}::text[],
                  ${column((e) => e.targetId)}::text[], ${column((e) => e.details)}::text[])
           with ordinality as e (workspace_id, at, actor_type, actor_id, actor_email, ip, action, target_type,
                                 target_id, details, n)
      join workspaces w on w.id = e.workspace_id
     order by e.n
       for key share of w
    returning seq`.execute(db);
  return rows.length;
}

export interface EntryOfRecord {
  targetId: string;
  at: Date;
  action: string;
  details: Record<string, unknown> | null;
}

/** The first thousand entries of each of these records, in order. */
export async function listAuditEntriesOf(
  db: Db,
  workspaceId: string,
  targetType: string,
  targetIds: readonly string[],
): Promise<EntryOfRecord[]> {
  const { rows } = await sql<EntryOfRecord>`
    select t.id as "targetId", e.at, e.action, e.details
      from unnest(${[...targetIds]}::text[]) as t (id)
     cross join lateral (
       select a.at, a.action, a.details, a.seq from audit_entries a
        where a.workspace_id = ${workspaceId} and a.target_type = ${targetType} and a.target_id = t.id
        order by a.seq limit 1000) as e
     order by t.id, e.seq`.execute(db);
  return rows;
}

export interface DoneRow {
  id: string;
  at: Date;
  /** With microseconds, as a cursor needs it. */
  atText: string;
  actorType: string;
  actorId: string | null;
  actorEmail: string | null;
  ip: string | null;
  action: string;
  targetType: string | null;
  targetId: string | null;
  details: Record<string, unknown> | null;
}

/** One record. Without a type it is found by its id alone. */
export interface TargetFilter {
  type: string | null;
  id: string;
}

export interface DoneFilter {
  /** Shown to somebody who may see what this actor did, and no more. */
  onlyBy: string | null;
  /** Id, address or kind of whoever did it. */
  actor: string | null;
  action: string | null;
  target: TargetFilter | null;
  since: Date | null;
  until: Date | null;
}

/** The sequence number of an audit entry as an id; it sorts as the number does. */
const idOfEntry = sql`('00000000-0000-0000-0000-' || lpad(to_hex(a.seq), 12, '0'))::uuid`;

/** Absent without a target, so that either way an index gives the rows in their order. */
const ofTarget = (target: TargetFilter | null) =>
  target === null
    ? sql``
    : sql`and target_id = ${target.id} and (${target.type}::text is null or target_type = ${target.type})`;

/** The columns have the same names in both logs. Indexes know these. */
const spanned = (filter: DoneFilter) => sql`
  true ${ofTarget(filter.target)}
  ${filter.since === null ? sql`` : sql`and at >= ${filter.since}`}
  ${filter.until === null ? sql`` : sql`and at < ${filter.until}`}`;

/** No index knows these: a filter with one of them looks at so many entries for a page. */
const looksFor = (filter: DoneFilter): boolean =>
  filter.onlyBy !== null || filter.action !== null || filter.actor !== null;

const wanted = (filter: DoneFilter) => sql`
  ${spanned(filter)}
  and (${filter.onlyBy}::uuid is null or actor_id = ${filter.onlyBy})
  and (${filter.action}::text is null or action = ${filter.action})
  and (${filter.actor}::text is null or actor_id::text = lower(${filter.actor})
       or lower(actor_email) = lower(${filter.actor}) or actor_type = ${filter.actor})`;

export interface DonePage {
  limit: number;
  offset: number;
  after: string | null;
  /** With microseconds. */
  afterTime: string | null;
}

const timeText = sql`to_char(done.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** `place`: time and id. */
const behind = ({ after, afterTime }: DonePage, place: RawBuilder<unknown>): RawBuilder<unknown> =>
  after === null ? sql`true` : sql`${place} < (${afterTime}::timestamptz, ${after}::uuid)`;

const before = (end: { id: string; time: string } | undefined, place: RawBuilder<unknown>): RawBuilder<unknown> =>
  end === undefined ? sql`true` : sql`${place} >= (${end.time}::timestamptz, ${end.id}::uuid)`;

/** Ids of both logs that lie behind the cursor, newest first. */
function doneInOrder(workspaceId: string, filter: DoneFilter, page: DonePage, most: number): RawBuilder<unknown> {
  return sql`
    select done.id, done.at from (
        (select ${idOfEntry} as id, a.at from audit_entries a
          where a.workspace_id = ${workspaceId} and ${spanned(filter)}
            and ${behind(page, sql`(a.at, ${idOfEntry})`)}
          order by a.workspace_id, a.at desc, a.seq desc limit ${most})
        union all
        (select s.id, s.at from security_log s
          where s.workspace_id = ${workspaceId} and ${spanned(filter)}
            and ${behind(page, sql`(s.at, s.id)`)}
          order by s.workspace_id, s.at desc, s.id desc limit ${most})
      ) as done
     order by done.at desc, done.id desc`;
}

/** Both logs together, newest first; each is read by its index no further than the page needs. */
export async function pageOfDone(
  db: Db,
  workspaceId: string,
  filter: DoneFilter,
  page: DonePage,
  lookedAtMax = LOOKED_AT_MAX,
): Promise<LookedAt<DoneRow> & { goOnTime: string | null }> {
  const enough = page.limit + 1 + page.offset;
  const end = looksFor(filter)
    ? await endOfTimedLook(db, doneInOrder(workspaceId, filter, page, lookedAtMax), page, lookedAtMax)
    : undefined;
  const { rows } = await sql<DoneRow>`
    select id, at, ${timeText} as "atText", actor_type as "actorType", actor_id as "actorId", actor_email as "actorEmail",
           ip, action, target_type as "targetType", target_id as "targetId", details
      from (
        (select ${idOfEntry} as id, a.at, a.actor_type, a.actor_id, a.actor_email, a.ip, a.action, a.target_type,
                a.target_id, a.details
           from audit_entries a
          where a.workspace_id = ${workspaceId} and ${wanted(filter)}
            and ${behind(page, sql`(a.at, ${idOfEntry})`)} and ${before(end, sql`(a.at, ${idOfEntry})`)}
          order by a.workspace_id, a.at desc, a.seq desc limit ${enough})
        union all
        (select s.id, s.at, s.actor_type, s.actor_id, s.actor_email, s.ip, s.action, s.target_type, s.target_id,
                s.details
           from security_log s
          where s.workspace_id = ${workspaceId} and ${wanted(filter)}
            and ${behind(page, sql`(s.at, s.id)`)} and ${before(end, sql`(s.at, s.id)`)}
          order by s.workspace_id, s.at desc, s.id desc limit ${enough})
      ) as done
     order by at desc, id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return { rows, goOnAfter: end?.id ?? null, goOnTime: end?.time ?? null };
}

/** Counted up to `max` of each log and no further. */
export async function countDone(db: Db, workspaceId: string, filter: DoneFilter, max: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select (select count(*) from (select from audit_entries a
             where a.workspace_id = ${workspaceId} and ${wanted(filter)} limit ${max}) as x)
         + (select count(*) from (select from security_log s
             where s.workspace_id = ${workspaceId} and ${wanted(filter)} limit ${max}) as y) as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** A page of every workspace's entries that are older than so many days; 0: that was all. */
export async function deleteOldAuditEntries(db: Db, days: number, page: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    select ph_forget_audit_entries(${days}, ${page}) as removed`.execute(db);
  return rows[0]?.removed ?? 0;
}

/** Removes a page of the entries of a deleted workspace; returns how many it found. A trigger refuses any other. */
export const deletePageOfAuditEntries = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select seq from audit_entries where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from audit_entries where workspace_id = ${workspaceId} and seq in (select seq from page)`,
  );
