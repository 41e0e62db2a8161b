import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { KeptBody } from '../scheduled-email.ts';

/** An email that waits, with its recipients. */
export interface Waiting {
  id: string;
  body: KeptBody;
  search: string;
}

/**
 * A page of the emails that wait and name one of these addresses, held. The index of addresses has those of all
 * workspaces; the page is found first, because the planner would rather read all that wait in the order of their ids.
 */
export async function lockNaming(
  tx: Db,
  workspaceId: string,
  emails: readonly string[],
  page: { after: string | null; limit: number },
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    with naming as materialized (
      select s.id from scheduled_emails s
       where s.workspace_id = ${workspaceId} and s.status = 'scheduled'
         and ph_named_addresses(s.search, s.body) && ${[...emails]}::text[]
    ), page as materialized (
      select n.id from naming n where ${page.after}::uuid is null or n.id > ${page.after}::uuid
       order by n.id limit ${page.limit}
    )
    select s.id, s.body, s.search from scheduled_emails s
     where s.workspace_id = ${workspaceId} and s.status = 'scheduled' and s.id = any (array(select p.id from page p))
     order by s.id for update`.execute(tx);
  return rows;
}

/** Nothing of them stays but that they were there. Returns when each was cancelled. */
export async function cancelErased(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; at: Date }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; at: Date }>`
    with files as (
      delete from scheduled_attachments where workspace_id = ${workspaceId} and scheduled_id = any (${[...ids]}::uuid[])
    )
    update scheduled_emails
       set status = 'cancelled', finished_at = clock_timestamp(), cancelled_by = '{"type":"system","id":null}',
           error = 'Its recipient was erased.', error_code = 'recipient_erased',
           body = jsonb_build_object('from', body -> 'from', 'to', '[]'::jsonb), html = null, text = null, search = '',
           version = version + 1, updated_at = clock_timestamp()
     where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])
    returning id, updated_at as at`.execute(tx);
  return rows;
}

export async function updateRecipients(tx: Db, workspaceId: string, rows: readonly Waiting[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update scheduled_emails s
       set body = n.body, search = n.search, version = s.version + 1, updated_at = clock_timestamp()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, body jsonb, search text)
     where s.workspace_id = ${workspaceId} and s.id = any (${rows.map(({ id }) => id)}::uuid[]) and s.id = n.id`.execute(
    tx,
  );
}
