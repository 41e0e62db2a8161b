import { type RawBuilder, sql } from 'kysely';
import { withZones } from '#features/contacts';
import type { Db } from '#platform/db/database.ts';

/** The people who would get a broadcast now, by the time zones of their contacts; of the first `max`, null: of all. */
export async function countZones(
  db: Db,
  workspaceId: string,
  chosen: RawBuilder<unknown>,
  max: number | null,
): Promise<{ zone: string | null; people: number }[]> {
  const { rows } = await sql<{ zone: string | null; people: number }>`
    select a.zone, count(*)::integer as people
      from (${withZones(workspaceId, sql`select c.email, c.has_left from (${chosen}) c limit ${max}::bigint`)}) a
     where not a.has_left and not exists (select from suppressions s
                        where s.workspace_id = ${workspaceId} and s.email = a.email
                          and (s.expires_at is null or s.expires_at > now()))
     group by a.zone`.execute(db);
  return rows;
}
