import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { FILE_HOURS } from './export.ts';
import type { TargetType } from '../target-type.ts';

/**
 * Writes the exports of a list anew, under the same links, when somebody who may be in them is erased: in the
 * transaction that erases, so that no page that was read before can be added after it. (The pieces of an import's file
 * are removed with its end, and what they say of the erased is passed over.) `id` null: those of all lists of the kind.
 * An export whose file can no longer be fetched is not written again: its pieces go, and its row ends as it would have.
 */
export async function rewriteExports(
  tx: Db,
  { workspaceId, type, id }: { workspaceId: string; type: TargetType; id: string | null },
): Promise<void> {
  await sql`
    with stale as (
      select id, coalesce(completed_at <= now() - ${FILE_HOURS} * interval '1 hour', false) as is_expired from exports
       where workspace_id = ${workspaceId} and target_type = ${type}
         and (${id}::uuid is null or target_id = ${id}::uuid)
         and status in ('queued', 'processing', 'completed')
         for update
    ), again as (
      update exports e
         set status = 'queued', cursor = null, parts = 0, rows = 0, bytes = 0, completed_at = null, lease_token = null,
             lease_until = null, served_at = now()
        from stale where e.workspace_id = ${workspaceId} and e.id = stale.id and not stale.is_expired
    )
    delete from export_parts p using stale where p.workspace_id = ${workspaceId} and p.export_id = stale.id`.execute(
    tx,
  );
}
