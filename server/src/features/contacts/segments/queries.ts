import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import { SEGMENT, type Segment } from './segment.ts';

const columns = SEGMENT.columns('s');

export async function findSegment(db: Db, workspaceId: string, id: string): Promise<Segment | undefined> {
  const { rows } = await sql<Segment>`
    select ${columns} from contact_segments s where s.workspace_id = ${workspaceId} and s.id = ${id}`.execute(db);
  return rows[0];
}

/** The same, held until the transaction ends. */
export async function lockSegment(tx: Db, workspaceId: string, id: string): Promise<Segment | undefined> {
  const { rows } = await sql<Segment>`
    select ${columns} from contact_segments s
     where s.workspace_id = ${workspaceId} and s.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Transactions that change the segments of this workspace run one after another: segments name each other. */
export async function lockSegments(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contact segments ${workspaceId}`}, 18))`.execute(tx);
}

export async function insertSegment(tx: Db, segment: Segment): Promise<void> {
  await sql`
    insert into contact_segments (workspace_id, id, name, filter, uses, created_at, updated_at)
    values (${segment.workspaceId}, ${segment.id}, ${segment.name}, ${JSON.stringify(segment.filter)}::jsonb,
      ${segment.uses}::uuid[], ${segment.createdAt}, ${segment.updatedAt})`.execute(tx);
}

export async function updateSegment(tx: Db, segment: Segment): Promise<void> {
  await sql`
    update contact_segments
       set name = ${segment.name}, filter = ${JSON.stringify(segment.filter)}::jsonb, uses = ${segment.uses}::uuid[],
           updated_at = ${segment.updatedAt}
     where workspace_id = ${segment.workspaceId} and id = ${segment.id}`.execute(tx);
}

export async function deleteSegment(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from contact_segments where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** The names of segments that name this one. */
export async function listUsers(db: Db, workspaceId: string, id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from contact_segments
     where workspace_id = ${workspaceId} and uses @> array[${id}::uuid] order by id limit 5`.execute(db);
  return rows.map(({ name }) => name);
}

/** All segments of a workspace. */
export async function listSegments(db: Db, workspaceId: string): Promise<Pick<Segment, 'id' | 'name' | 'filter'>[]> {
  const { rows } = await sql<Pick<Segment, 'id' | 'name' | 'filter'>>`
    select s.id, s.name, s.filter from contact_segments s where s.workspace_id = ${workspaceId}`.execute(db);
  return rows;
}

/** These segments, those that they name, and so on. */
export async function listReached(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Pick<Segment, 'id' | 'filter'>[]> {
  const { rows } = await sql<Pick<Segment, 'id' | 'filter'>>`
    with recursive reached as (
      select s.id, s.filter, s.uses from contact_segments s
       where s.workspace_id = ${workspaceId} and s.id = any (${[...ids]}::uuid[])
      union
      select s.id, s.filter, s.uses from reached r
        join contact_segments s on s.workspace_id = ${workspaceId} and s.id = any (r.uses)
    )
    select id, filter from reached`.execute(db);
  return rows;
}

/** Newest first. */
export async function pageOfSegments(
  db: Db,
  workspaceId: string,
  asked: { search: string | null; after: string | null; offset: number; limit: number },
): Promise<Segment[]> {
  const { rows } = await sql<Segment>`
    select ${columns} from contact_segments s
     where s.workspace_id = ${workspaceId}
       and (${asked.search}::text is null or s.name ilike ${likeAnywhere(asked.search ?? '')})
       and (${asked.after}::uuid is null or s.id < ${asked.after}::uuid)
     order by s.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

export async function countSegments(db: Db, workspaceId: string, search: string | null): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from contact_segments s
     where s.workspace_id = ${workspaceId}
       and (${search}::text is null or s.name ilike ${likeAnywhere(search ?? '')})`.execute(db);
  return rows[0]?.total ?? 0;
}
