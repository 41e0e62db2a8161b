import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';

export interface MigrationLock {
  /** Throws when the connection that held the lock is gone: another process may be migrating by now. */
  check(): void;
  release(): Promise<void>;
}

/** Any number that no other lock of ours uses. */
const LOCK = 74_000;
const POLL_MS = 200;
const REPORT_EVERY_MS = 30_000;

/**
 * Lifts every time limit for the transaction that has just begun. `set_config` and not `set local`, because
 * transaction_timeout exists from PostgreSQL 17 on. Nothing of it outlives the transaction, so a pooler that hands the
 * connection to somebody else hands on nothing of ours.
 */
export const LIFT_TIME_LIMITS = `
  select set_config(name, '0', true) from pg_settings
   where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/**
 * Waits until no other process migrates this database, however long that takes: an index may take an hour.
 *
 * The lock belongs to a transaction of this connection, which does nothing else, so it holds through a transaction
 * pooler and beside files that run outside a transaction. It is tried again and again instead of waited for: a
 * statement that waits has a snapshot, `create index concurrently` waits for every snapshot, and PostgreSQL sees no
 * deadlock when lock and index are on two connections. Between two statements a read committed transaction has none.
 */
export async function lockMigrations(client: pg.Client, log: Log, clock: Clock): Promise<MigrationLock> {
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  for (let waitedMs = 0; !(await tryLock(client)); waitedMs += POLL_MS) {
    if (waitedMs % REPORT_EVERY_MS === 0) log.info('another process migrates the database; this one waits');
    await clock.sleep(POLL_MS);
  }
  return {
    check() {
      if (lost !== undefined) throw new Error('the connection that held the migration lock was lost', { cause: lost });
    },
    async release() {
      await client.query('rollback').catch(() => undefined); // a connection that is gone holds nothing
    },
  };
}

async function tryLock(client: pg.Client): Promise<boolean> {
  await client.query('begin isolation level read committed');
  await client.query(LIFT_TIME_LIMITS);
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as locked`);
  if (rows[0]?.locked === true) return true;
  await client.query('rollback');
  return false;
}
