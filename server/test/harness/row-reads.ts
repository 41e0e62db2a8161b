import { sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/database.ts';

/** The answer of `work`, which runs in a transaction, and how many rows of the tables PostgreSQL read for it. */
export const withRowReads = <T>(
  db: Db,
  tables: readonly string[],
  work: (tx: Db) => Promise<T>,
): Promise<{ found: T; reads: number }> =>
  inTransaction(db, async (tx) => {
    const before = await readSoFar(tx, tables);
    const found = await work(tx);
    return { found, reads: (await readSoFar(tx, tables)) - before };
  });

/** For up to a second, a connection also counts here what it read before the transaction. */
async function readSoFar(tx: Db, tables: readonly string[]): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as reads
      from pg_stat_xact_user_tables where relname = any(${[...tables]}::text[])`.execute(tx);
  if (rows.length !== tables.length) throw new Error(`not all of these are tables: ${tables.join(', ')}`);
  return rows.reduce((sum, { reads }) => sum + reads, 0);
}
