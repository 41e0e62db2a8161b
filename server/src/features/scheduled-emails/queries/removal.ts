import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

/** Nothing of a workspace leaves any more; its rows go page by page, whatever the setting says. */
export async function cancelAllScheduled(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    update scheduled_emails
       set status = case when status in ('scheduled', 'processing') then 'cancelled' else status end,
           look_at = null, finished_at = '-infinity', version = version + 1
     where workspace_id = ${workspaceId}`.execute(tx);
}

/**
 * Removes a page of what was settled longer ago than so many days; 0 days: only of deleted workspaces. Returns how many
 * it found.
 */
export const deleteOldScheduled = (db: Db, days: number, page: number): Promise<number> =>
  removePage(
    db,
    sql`
      -- every workspace: by age
      select s.workspace_id, s.id from scheduled_emails s
       where s.finished_at = '-infinity'
          or (${days}::integer > 0 and s.finished_at < now() - make_interval(days => ${days}::integer))
       limit ${page}`,
    sql`delete from scheduled_emails where (workspace_id, id) in (select workspace_id, id from page)`,
  );
