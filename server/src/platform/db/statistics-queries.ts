import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Refreshes the statistics of a table that an import fills, when half of it has changed since the last time. Before
 * that, the planner expects a few rows in a new list, and every lookup of an address (by the import or by readers of
 * the list) reads all of it: 30,000 contacts took two minutes, and take 14 s. PostgreSQL does the same by itself, but
 * only once a minute, and an import writes hundreds of thousands of rows in a minute.
 */
export async function refreshStatistics(
  db: Db,
  table: 'subscribers' | 'consents' | 'contacts' | 'contact_list_members',
): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_user_tables
     where relid = ${table}::regclass and n_mod_since_analyze > 1000 + n_live_tup / 2`.execute(db);
  // every workspace: the planner knows no other statistics. It skips the table while another process analyzes it.
  if (rows.length > 0) await sql`analyze (skip_locked) ${sql.table(table)}`.execute(db);
}
