import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** A point inside a transaction to which one item of a batch can be undone. */
export async function setSavepoint(tx: Db): Promise<void> {
  await sql`savepoint batch_item`.execute(tx);
}

export async function undoToSavepoint(tx: Db): Promise<void> {
  await sql`rollback to savepoint batch_item`.execute(tx);
}
