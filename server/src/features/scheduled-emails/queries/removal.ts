import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Nothing of a workspace leaves any more; its rows go page by page, whatever the setting says. */
export async function cancelAllScheduled(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    update scheduled_emails
       set status = case when status in ('scheduled', 'processing') then 'cancelled' else status end,
           look_at = null, finished_at = '-infinity', version = version + 1
     where workspace_id = ${workspaceId}`.execute(tx);
}

/** A page of what was settled longer ago than so many days; 0 days: only of deleted workspaces. */
export async function deleteOldScheduled(db: Db, days: number, page: number): Promise<number> {
  const result = await sql`
    -- every workspace: by age
    delete from scheduled_emails where (workspace_id, id) in (
      select s.workspace_id, s.id from scheduled_emails s
       where s.finished_at = '-infinity'
          or (${days}::integer > 0 and s.finished_at < now() - make_interval(days => ${days}::integer))
       limit ${page})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
