import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { until } from './until.ts';

/**
 * Vacuums and counts a table until every page of it is known to be visible to all, as after a night of rest: what a
 * test says of plans holds from there on. One vacuum may not do: it passes over a page that somebody holds just then,
 * and over all of them while the server itself analyses some table of this database. And it leaves few dead rows to a
 * later one unless it is told to clean the indexes.
 */
export async function vacuum(db: Db, table: string): Promise<void> {
  await until(`every page of ${table} is known to be visible to all`, async () => {
    await sql`vacuum (analyze, index_cleanup on) ${sql.table(table)}`.execute(db);
    const { rows } = await sql`
      select from pg_class where oid = ${table}::regclass and relallvisible = relpages`.execute(db);
    return rows[0];
  });
}
