import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Db } from './database.ts';

/** A server that is busy with a migration or a backup takes some hundred milliseconds. */
const PATIENCE_MS = 1_500;

/**
 * Whether what is notified over `db` is heard by a connection to `directUrl`. It is not when a pooler in transaction
 * mode is in between, which says nothing about it, or when the two lead to different databases.
 */
export async function notificationsArrive(
  db: Db,
  { directUrl, clock }: { directUrl: string; clock: Clock },
): Promise<boolean> {
  const channel = `posthorn_probe_${randomUUID()}`;
  const client = new pg.Client({ connectionString: directUrl, connectionTimeoutMillis: PATIENCE_MS });
  const heard = Promise.withResolvers<boolean>();
  client.on('error', () => heard.resolve(false));
  client.on('notification', (message) => {
    if (message.channel === channel) heard.resolve(true);
  });
  try {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    await sql`select pg_notify(${channel}, '')`.execute(db);
    const late = clock.timer(PATIENCE_MS, () => heard.resolve(false));
    return await heard.promise.finally(() => late.cancel());
  } finally {
    await client.end().catch(() => undefined); // whatever it heard, it is of no more use
  }
}
