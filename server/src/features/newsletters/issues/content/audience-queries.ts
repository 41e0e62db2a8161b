import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The subscribers who would get an issue sent now, and those who would not. */
export interface Audience {
  willSend: number;
  suppressed: number;
  pending: number;
  unsubscribed: number;
}

/** Counted and not summed up: these are the rows that would be frozen. About 0.3 s for a million. */
export async function countAudience(db: Db, workspaceId: string, newsletterId: string): Promise<Audience> {
  const { rows } = await sql<Audience>`
    select count(*) filter (where s.status = 'active' and x.email is null) as "willSend",
           count(*) filter (where s.status = 'active' and x.email is not null) as suppressed,
           count(*) filter (where s.status = 'pending') as pending,
           count(*) filter (where s.status = 'unsubscribed') as unsubscribed
      from subscribers s
      left join suppressions x on x.workspace_id = s.workspace_id and x.email = s.email
        and (x.expires_at is null or x.expires_at > now())
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count came without a row');
  return {
    willSend: Number(row.willSend),
    suppressed: Number(row.suppressed),
    pending: Number(row.pending),
    unsubscribed: Number(row.unsubscribed),
  };
}

/** The fields of a subscriber of this newsletter that a preview shows. */
export async function findReader(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  id: string,
): Promise<{ name: string | null; email: string; metadata: Record<string, unknown> } | undefined> {
  const { rows } = await sql<{ name: string | null; email: string; metadata: Record<string, unknown> }>`
    select s.name, s.email, s.metadata from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.id = ${id}`.execute(db);
  return rows[0];
}

/** Of the first thousand active subscribers, some whose metadata has records in it. */
export async function findReadersWithRecords(
  db: Db,
  workspaceId: string,
  newsletterId: string,
): Promise<{ name: string | null; email: string; metadata: Record<string, unknown> }[]> {
  const { rows } = await sql<{ name: string | null; email: string; metadata: Record<string, unknown> }>`
    select s.name, s.email, s.metadata
      from (select name, email, metadata from subscribers where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}
               and status = 'active' order by email limit 1000) s
     where jsonb_path_exists(s.metadata, '$.*.** ? (@.type() == "object")')
     limit 20`.execute(db);
  return rows;
}
