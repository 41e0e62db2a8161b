import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { AskingImport } from '../transfer-target.ts';

/**
 * The import whose people wait longest to be asked, for this second: no other process gets one in it. Undefined:
 * there is none, or somebody has just served one.
 */
export async function claimConfirmations(db: Db): Promise<AskingImport | undefined> {
  const { rows } = await sql<AskingImport>`
    -- every workspace: the rate is one for all
    update imports set confirmations_at = now() + interval '1 second'
     where (workspace_id, id) = (
       select i.workspace_id, i.id from imports i
        where i.confirmations_due and i.confirmations_at <= now()
          and not exists (
            select from imports o
             where o.confirmations_due and o.confirmations_at > now() and o.confirmations_at <= now() + interval '1 second')
        order by i.confirmations_at limit 1 for update skip locked)
    returning workspace_id as "workspaceId", id, target_type as "targetType", target_id as "targetId",
      confirmations_after as "after"`.execute(db);
  return rows[0];
}

export async function noteAsked(db: Db, given: AskingImport, after: string, sent: number): Promise<void> {
  await sql`
    update imports set confirmations_after = ${after}, confirmations_sent = confirmations_sent + ${sent}
     where workspace_id = ${given.workspaceId} and id = ${given.id}`.execute(db);
}

/** Nobody is left to ask, or nobody can be asked: then `error` says why. */
export async function endConfirmations(db: Db, given: AskingImport, error: string | null): Promise<void> {
  await sql`
    update imports set confirmations_due = false, error = coalesce(${error}, error)
     where workspace_id = ${given.workspaceId} and id = ${given.id}`.execute(db);
}

export async function postponeConfirmations(db: Db, given: AskingImport, seconds: number): Promise<void> {
  await sql`
    update imports set confirmations_at = now() + ${seconds} * interval '1 second'
     where workspace_id = ${given.workspaceId} and id = ${given.id}`.execute(db);
}
