import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

// Locks live in a table of the server that has room for a few thousand: a thousand addresses must not take one each.
const BUCKETS = 512;

interface Address {
  workspaceId: string;
  /** The identity. */
  email: string;
}

/**
 * Keeps a suppression of these addresses out until this transaction ends. A transaction that makes somebody live (a
 * sign-up, an undo, an import) takes it before looking at the suppressions: the cascade sees only what is committed,
 * and would pass over a row that is being made at that moment. Concurrent sign-ups do not wait for each other.
 */
export const keepOutSuppression = (tx: Db, addresses: readonly Address[]): Promise<void> =>
  lock(tx, addresses, sql`pg_advisory_xact_lock_shared`);

/** Waits for all who took the lock above, so that what they made is seen. */
export const awaitSignUps = (tx: Db, addresses: readonly Address[]): Promise<void> =>
  lock(tx, addresses, sql`pg_advisory_xact_lock`);

/** One after another in the order of their numbers, so that two callers cannot deadlock. */
async function lock(tx: Db, addresses: readonly Address[], how: ReturnType<typeof sql>): Promise<void> {
  const names = addresses.map(({ workspaceId, email }) => `${workspaceId} ${email}`);
  await sql`
    with buckets as materialized (
      select distinct 7306 * 1000000::bigint + abs(hashtextextended(name, 0) % ${BUCKETS}) as bucket
        from unnest(${names}::text[]) as name order by bucket
    )
    select ${how}(bucket) from buckets`.execute(tx);
}
