import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { sqlStateOf } from '#platform/db/database-errors.ts';

/** The database that answers, as PostgreSQL names it. null: this user may not ask. */
export interface Identity {
  /** Of the cluster: initdb draws it, and a physical copy has the same. */
  systemIdentifier: string | null;
  /** Grows with each recovery to a point in time and each promotion of a standby. */
  timeline: number | null;
  /** Another one in a database that was made from a dump or a template. */
  databaseOid: string;
  /** Another one where a dump was restored over the tables of the same database. */
  tableOid: string;
}

/** The row, as it was last written. All null: nothing was ever written. */
export interface Recorded {
  systemIdentifier: string | null;
  timeline: number | null;
  databaseOid: string | null;
  tableOid: string | null;
  epoch: number | null;
  seenSecondsAgo: number | null;
}

export async function readIdentity(db: Db): Promise<Identity> {
  const { rows } = await sql<{ databaseOid: string; tableOid: string }>`
    select (select oid from pg_database where datname = current_database())::text as "databaseOid",
      'instance'::regclass::oid::text as "tableOid"`.execute(db);
  const [own] = rows;
  if (own === undefined) throw new Error('the server did not answer which database it is');
  const [systemIdentifier, timeline] = await Promise.all([
    ifAllowed(() => sql<{ v: string }>`select system_identifier::text as v from pg_control_system()`.execute(db)),
    // Not that of the last checkpoint: a promoted standby may write its first one minutes later.
    ifAllowed(() =>
      sql<{ v: number }>`
        select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer as v`.execute(db),
    ),
  ]);
  return { ...own, systemIdentifier, timeline };
}

/** Not allowed, no such function, or not with this server: 42501, 42883, 0A000, 55000. */
const NOT_FOR_US: readonly (string | undefined)[] = ['42501', '42883', '0A000', '55000'];

async function ifAllowed<T>(ask: () => Promise<{ rows: { v: T }[] }>): Promise<T | null> {
  try {
    return (await ask()).rows[0]?.v ?? null;
  } catch (error) {
    if (NOT_FOR_US.includes(sqlStateOf(error))) return null;
    throw error;
  }
}

/** Holds the row to the end of the transaction. */
export async function lockRecorded(tx: Db): Promise<Recorded> {
  const { rows } = await sql<Recorded>`
    select system_identifier as "systemIdentifier", timeline, database_oid as "databaseOid", table_oid as "tableOid",
      epoch::float8 as epoch, extract(epoch from clock_timestamp() - seen_at)::float8 as "seenSecondsAgo"
      from instance for update`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the instance row is missing');
  return row;
}

/** A fact that could not be asked for keeps its last value. */
export async function writeSeen(tx: Db, identity: Identity, epoch: number): Promise<void> {
  await sql`
    update instance set system_identifier = coalesce(${identity.systemIdentifier}, system_identifier),
      timeline = coalesce(${identity.timeline}::integer, timeline), database_oid = ${identity.databaseOid},
      table_oid = ${identity.tableOid}, epoch = ${epoch}::bigint, seen_at = clock_timestamp()`.execute(tx);
}
