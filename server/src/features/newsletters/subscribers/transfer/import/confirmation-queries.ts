import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface ConfirmingImport {
  workspaceId: string;
  id: string;
  newsletterId: string;
}

/**
 * The import whose people wait longest to be asked, for this second: no other process gets one in it. Undefined: there is
 * none, or somebody has just served one.
 */
export async function claimConfirmations(db: Db): Promise<ConfirmingImport | undefined> {
  const { rows } = await sql<ConfirmingImport>`
    -- every workspace: the rate is one for all
    update imports set confirmations_at = now() + interval '1 second'
     where (workspace_id, id) = (
       select i.workspace_id, i.id from imports i
        where i.confirmations_due and i.confirmations_at <= now()
          and not exists (
            select from imports o
             where o.confirmations_due and o.confirmations_at > now() and o.confirmations_at <= now() + interval '1 second')
        order by i.confirmations_at limit 1 for update skip locked)
    returning workspace_id as "workspaceId", id, newsletter_id as "newsletterId"`.execute(db);
  return rows[0];
}

/** The next of its rows that are pending and were never asked. */
export async function listToAsk(db: Db, given: ConfirmingImport, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from subscribers s
     where s.workspace_id = ${given.workspaceId} and s.import_id = ${given.id} and s.status = 'pending'
       and s.confirmation_count = 0
       and s.id > coalesce((select i.confirmations_after from imports i
                             where i.workspace_id = ${given.workspaceId} and i.id = ${given.id}),
                           '00000000-0000-0000-0000-000000000000')
     order by s.id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

export async function noteAsked(db: Db, given: ConfirmingImport, after: string, sent: boolean): Promise<void> {
  await sql`
    update imports set confirmations_after = ${after}, confirmations_sent = confirmations_sent + ${sent ? 1 : 0}
     where workspace_id = ${given.workspaceId} and id = ${given.id}`.execute(db);
}

/** Nobody is left to ask, or nobody can be asked: then `error` says why. */
export async function endConfirmations(db: Db, given: ConfirmingImport, error: string | null): Promise<void> {
  await sql`
    update imports set confirmations_due = false, error = coalesce(${error}, error)
     where workspace_id = ${given.workspaceId} and id = ${given.id}`.execute(db);
}

export async function postponeConfirmations(db: Db, given: ConfirmingImport, seconds: number): Promise<void> {
  await sql`
    update imports set confirmations_at = now() + ${seconds} * interval '1 second'
     where workspace_id = ${given.workspaceId} and id = ${given.id}`.execute(db);
}
