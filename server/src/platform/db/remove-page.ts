import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Removes rows by pages, in one statement each: the deletions remove the rows that `page` names, as the table `page`.
 * Returns how many rows the page found, and not how many went: of two processes at one page, the second waits for the
 * first, removes none, and would take that for the end of the table.
 */
export async function removePage(
  db: Db,
  page: RawBuilder<unknown>,
  ...deletions: readonly RawBuilder<unknown>[]
): Promise<number> {
  const gone = sql.join(deletions.map((one, at) => sql`${sql.ref(`gone_${at}`)} as (${one})`));
  const { rows } = await sql<{ found: number }>`
    with page as materialized (${page}), ${gone}
    select count(*)::integer as found from page`.execute(db);
  return rows[0]?.found ?? 0;
}
