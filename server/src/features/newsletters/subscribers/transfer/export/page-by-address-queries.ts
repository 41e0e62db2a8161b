import { type RawBuilder, sql } from 'kysely';
import type { ExportedRow } from '#features/transfers';
import type { Db } from '#platform/db/database.ts';

const instant = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Subscribers as a file has them, in the order of their addresses, which one index holds: nobody is met twice or passed
 * over. Times and JSON come as the texts that are written: to read them first takes most of the work of an export.
 */
export async function pageByAddress(
  db: Db,
  workspaceId: string,
  asked: { newsletterId: string; status: string | null; after: string; limit: number },
): Promise<ExportedRow[]> {
  const { rows } = await sql<ExportedRow>`
    select s.email, s.name, s.status, s.source, (s.metadata - 'unsubscribe_reason')::text as metadata,
           ${instant(sql`s.created_at`)} as created_at, ${instant(sql`s.confirmed_at`)} as confirmed_at,
           ${instant(sql`s.unsubscribed_at`)} as unsubscribed_at,
           case when jsonb_typeof(s.metadata -> 'unsubscribe_reason') = 'string'
             then s.metadata ->> 'unsubscribe_reason' end as unsubscribe_reason,
           ${instant(sql`s.confirmation_sent_at`)} as confirmation_sent_at, s.confirmation_count,
           ${instant(sql`s.last_opened_at`)} as last_opened_at, ${instant(sql`s.last_clicked_at`)} as last_clicked_at,
           s.consent::text as consent
      from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${asked.newsletterId} and s.email > ${asked.after}
       and (${asked.status}::text is null or s.status = ${asked.status}::text)
     order by s.email limit ${asked.limit}`.execute(db);
  return rows;
}
