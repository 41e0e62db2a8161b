/**
 * Somebody may leave by a link while the same address is added. All who add somebody take the lock together, and a
 * person who leaves without a row takes it alone: each added row has either seen the leaving, or is seen by it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { List } from '#features/consents';
import type { Db } from '#platform/db/database.ts';

const lockOf = ({ workspaceId, listId }: List): RawBuilder<unknown> =>
  sql`hashtextextended(${`leaving ${workspaceId} ${listId}`}, 21)`;

/** Waits for somebody who leaves just now; until the transaction ends nobody does. */
export async function awaitLeaving(tx: Db, list: List): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(list)})`.execute(tx);
}

/** Waits for all who are adding somebody to the list. */
export async function awaitAdditions(tx: Db, list: List): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf(list)})`.execute(tx);
}
