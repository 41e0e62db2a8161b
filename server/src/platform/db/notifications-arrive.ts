import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../clock.ts';
import { codeOf } from './database-errors.ts';
import type { Db } from './database.ts';

/** A server that is busy with a migration or a backup takes some hundred milliseconds. */
const PATIENCE_MS = 1_500;

/** `unknown`: a connection or a statement failed, so nothing was learned. `reason` holds no password. */
export type Arrival = { outcome: 'arrived' | 'lost' } | { outcome: 'unknown'; reason: string };

/**
 * Whether what is notified over `db` is heard by a connection to `directUrl`. It is not when a pooler in transaction
 * mode is in between, which says nothing about it, or when the two lead to different databases. Does not throw: it is
 * asked for a warning only, and nothing may fail because of it.
 */
export async function notificationsArrive(
  db: Db,
  { directUrl, clock }: { directUrl: string; clock: Clock },
): Promise<Arrival> {
  const channel = `posthorn_probe_${randomUUID()}`;
  const client = new pg.Client({
    connectionString: directUrl,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  const heard = Promise.withResolvers<Arrival>();
  client.on('error', (error) => heard.resolve(unknown(error)));
  client.on('notification', (message) => {
    if (message.channel === channel) heard.resolve({ outcome: 'arrived' });
  });
  const probe = async (): Promise<Arrival> => {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    await sql`select pg_notify(${channel}, '')`.execute(db);
    const late = clock.timer(PATIENCE_MS, () => heard.resolve({ outcome: 'lost' }));
    return heard.promise.finally(() => late.cancel());
  };
  const arrival = await probe().catch(unknown);
  const ended = client.end().catch(() => undefined); // whatever it heard, it is of no more use
  if (arrival.outcome === 'arrived') await ended; // another server may never answer the goodbye
  return arrival;
}

function unknown(error: unknown): Arrival {
  const message = error instanceof Error ? error.message : String(error);
  return { outcome: 'unknown', reason: message || (codeOf(error) ?? 'no reason given') };
}
