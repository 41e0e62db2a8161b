import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export async function notify(db: Db, channel: string, payload = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}
