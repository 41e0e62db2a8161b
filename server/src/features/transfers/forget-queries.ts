import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { TargetType } from './target-type.ts';

/** The rows of files about these addresses, and their results. */
export async function forgetImportedAddresses(tx: Db, workspaceId: string, emails: readonly string[]): Promise<void> {
  await sql`
    delete from import_results where workspace_id = ${workspaceId} and email = any (${[...emails]}::text[])`.execute(
    tx,
  );
}

/**
 * Removes the imports and exports of a list, in the transaction that removes the list. Their pieces are swept later.
 */
export async function removeTransfersOf(
  tx: Db,
  { workspaceId, type, id }: { workspaceId: string; type: TargetType; id: string },
): Promise<void> {
  await sql`
    with imported as (
      delete from imports where workspace_id = ${workspaceId} and target_type = ${type} and target_id = ${id}
    )
    delete from exports where workspace_id = ${workspaceId} and target_type = ${type} and target_id = ${id}`.execute(
    tx,
  );
}

/** Imports that still ask people to confirm: whoever was added by one and has not been asked is not overdue. */
export async function listAskingImports(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    -- every workspace: pending people are forgotten everywhere by one sweep
    select id from imports where confirmations_due`.execute(db);
  return rows.map((row) => row.id);
}
