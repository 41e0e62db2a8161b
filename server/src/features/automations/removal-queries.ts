import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

/** Removes everything about these people: nothing of them goes on, and nothing says that they were in. */
export async function deleteRunsOf(tx: Db, workspaceId: string, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  await sql`
    with entries as (
      delete from automation_entries where workspace_id = ${workspaceId} and email = any (${[...emails]}::text[])
    )
    delete from automation_runs where workspace_id = ${workspaceId} and email = any (${[...emails]}::text[])`.execute(
    tx,
  );
}

/** Nothing of a workspace goes on any more; its rows go page by page. */
export async function deleteAutomationsOf(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    update automations set deleted_at = clock_timestamp(), status = 'disabled'
     where workspace_id = ${workspaceId} and deleted_at is null`.execute(tx);
}

/**
 * Removes a page of the runs of deleted automations; then the automations themselves. Returns how many runs it found
 * or automations it removed: one whose runs another process removes at this moment goes in a later round.
 */
export async function deletePageOfDeleted(db: Db, page: number): Promise<number> {
  const runs = await removePage(
    db,
    sql`
      -- every workspace: automations that were deleted.
      select r.workspace_id, r.id from automations a
        join automation_runs r on r.workspace_id = a.workspace_id and r.automation_id = a.id
       where a.deleted_at is not null limit ${page}`,
    sql`delete from automation_runs where (workspace_id, id) in (select workspace_id, id from page)`,
  );
  if (runs > 0) return runs;
  const empty = await sql`
    -- every workspace: automations that were deleted.
    delete from automations a
     where a.deleted_at is not null
       and not exists (select from automation_runs r where r.workspace_id = a.workspace_id and r.automation_id = a.id)`.execute(
    db,
  );
  return Number(empty.numAffectedRows ?? 0);
}

/** Removes a page of the runs that ended longer ago than so many days; 0 days: none. Returns how many it found. */
export const deleteOldRuns = (db: Db, days: number, page: number): Promise<number> =>
  removePage(
    db,
    sql`
      -- every workspace: by age.
      select r.workspace_id, r.id from automation_runs r
       where ${days}::integer > 0 and r.ended_at < now() - make_interval(days => ${days}::integer)
       limit ${page}`,
    sql`delete from automation_runs where (workspace_id, id) in (select workspace_id, id from page)`,
  );
