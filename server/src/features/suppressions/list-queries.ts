import { sql } from 'kysely';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import type { Db } from '#platform/db/database.ts';
import type { TimedPageRequest } from '#platform/http/paging.ts';
import type { SuppressionReason } from './suppression.ts';

export interface SuppressionRow {
  id: string;
  email: string;
  reason: SuppressionReason;
  sourceEmailId: string | null;
  note: string | null;
  softBounceCount: number;
  expiresAt: Date | null;
  createdAt: Date;
  /** With microseconds, as a cursor needs it. */
  createdAtText: string;
}

export interface SuppressionFilter {
  reason: SuppressionReason | null;
  /** Part of the address, in lower case. */
  search: string | null;
}

const columns = sql`
  s.id, s.email, s.reason, s.source_email_id as "sourceEmailId", s.note, s.expires_at as "expiresAt",
  coalesce((select cardinality(b.times) from soft_bounces b
             where b.workspace_id = s.workspace_id and b.email = s.email), 0) as "softBounceCount",
  s.created_at as "createdAt", to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText"`;

/** An expired entry has no effect, so it is in no list either. */
const wanted = ({ reason, search }: SuppressionFilter) => sql`
  (s.expires_at is null or s.expires_at > now())
  and (${reason}::text is null or s.reason = ${reason})
  and (${search}::text is null or s.email like ${search === null ? null : likeAnywhere(search)})`;

export async function pageSuppressions(
  db: Db,
  workspaceId: string,
  asked: SuppressionFilter & Pick<TimedPageRequest, 'limit' | 'offset' | 'after' | 'afterTime'>,
): Promise<SuppressionRow[]> {
  // Ids first: what a row shows would be looked up for every row that is passed over too.
  const { rows } = await sql<SuppressionRow>`
    with page as materialized (
      select s.id from suppressions s
       where s.workspace_id = ${workspaceId} and ${wanted(asked)}
         and (${asked.after}::uuid is null or (s.created_at, s.id) < (${asked.afterTime}::timestamptz, ${asked.after}::uuid))
       order by s.workspace_id, s.created_at desc, s.id desc
       limit ${asked.limit + 1} offset ${asked.offset}
    )
    select ${columns} from page p join suppressions s on s.workspace_id = ${workspaceId} and s.id = p.id
     order by s.created_at desc, s.id desc`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countSuppressions(
  db: Db,
  workspaceId: string,
  filter: SuppressionFilter,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from suppressions s where s.workspace_id = ${workspaceId} and ${wanted(filter)} limit ${max}) as counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** By its id, or by the identity of its address. */
export async function findSuppression(
  db: Db,
  workspaceId: string,
  by: { id: string } | { identity: string },
): Promise<SuppressionRow | undefined> {
  const which = 'id' in by ? sql`s.id = ${by.id}` : sql`s.email = ${by.identity}`;
  const { rows } = await sql<SuppressionRow>`
    select ${columns} from suppressions s
     where s.workspace_id = ${workspaceId} and ${wanted({ reason: null, search: null })} and ${which}`.execute(db);
  return rows[0];
}

/** Deletes it and returns what it was; undefined when it is not there, or not any more. */
export async function deleteSuppression(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ email: string; reason: SuppressionReason } | undefined> {
  const { rows } = await sql<{ email: string; reason: SuppressionReason }>`
    delete from suppressions where workspace_id = ${workspaceId} and id = ${id} returning email, reason`.execute(db);
  return rows[0];
}
