import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export async function notifyQueued(db: Db, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(db);
}
