import { type RawBuilder, sql } from 'kysely';
import type { ExportedRow } from '#features/transfers';
import type { Db } from '#platform/db/database.ts';

const instant = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Contacts as a file has them, in the order of their addresses, which one index holds: nobody is met twice. */
export async function pageByAddress(
  db: Db,
  workspaceId: string,
  asked: { listId: string | null; condition: RawBuilder<boolean> | null; after: string; limit: number },
): Promise<ExportedRow[]> {
  const onList =
    asked.listId === null
      ? sql`true`
      : sql`exists (select from contact_list_members m where m.workspace_id = ${workspaceId}
              and m.list_id = ${asked.listId} and m.contact_id = c.id and m.unsubscribed_at is null)`;
  const { rows } = await sql<ExportedRow>`
    select c.email, c.first_name, c.last_name, c.name, c.properties::text as properties, c.timezone, c.language,
           (c.unsubscribed_at is not null)::text as unsubscribed, ${instant(sql`c.unsubscribed_at`)} as unsubscribed_at,
           ${instant(sql`c.created_at`)} as created_at
      from contacts c
     where c.workspace_id = ${workspaceId} and c.email > ${asked.after} and ${onList}
       and ${asked.condition ?? sql`true`}
     order by c.email limit ${asked.limit}`.execute(db);
  return rows;
}
