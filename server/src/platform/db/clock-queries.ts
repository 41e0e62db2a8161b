import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The clock of the database, in milliseconds since the epoch. */
export async function readDatabaseClock(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from clock_timestamp())::double precision * 1000 as ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always returns a row returned none');
  return row.ms;
}
