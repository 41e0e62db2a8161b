import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { boundedStatements } from './bounded-statements.ts';
import { codeOf, isTransientConflict } from './database-errors.ts';
import { FairQueue } from './connections/fair-turns.ts';
import { duringTransaction } from './open-transaction.ts';

/** A pool or a transaction: SQL is written as SQL with Kysely's `sql` tag, so there is no table type. */
export type Db = Kysely<unknown>;

export interface Database {
  db: Db;
  /** Resolves when the server has ended its side too, or 1 s after it was told. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Connections this process may hold; the sum over all processes must fit under max_connections. */
  poolMax: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  log: Log;
  /** The limits of a statement; 30,000 when left out, 0 is without end. */
  queryTimeoutMs?: number;
  /** Shorter for tests. */
  idleTransactionMs?: number;
  /**
   * Never reads a table whole where an index leads to the rows. For the work that keeps its plans: one that is made
   * while a table is empty would read it whole, and stays when the table has grown.
   */
  byIndex?: boolean;
  /** Longer for tests: 64 callers at once queue for ten connections, on a machine that may be busy. */
  connectTimeoutMs?: number;
  /** Until the first connection stands: a start waits for a busy machine, and no request waits yet. */
  firstConnectTimeoutMs?: number;
}

// A request waits this long for a connection before it answers 503: the caller must not hang on a lost database.
const CONNECT_TIMEOUT_MS = 2_000;
// Longer than any statement of ours takes; ends a wait on a black-holed connection, where no reset ever arrives.
const QUERY_TIMEOUT_MS = 30_000;
// A process that stands still (a frozen machine, a debugger) keeps the rows that its transaction has locked: events of
// those emails would be applied by nobody, for as long as it stands. No transaction of ours waits for anything so long.
const IDLE_TRANSACTION_MS = 60_000;
// A wait for somebody else's lock is worth no more of it than this.
const LOCK_TIMEOUT_MS = 10_000;
const TRANSACTION_TRIES = 3;
// A server that lives has ended its side in a few milliseconds; one that cannot be heard does not hold us up.
const GOODBYE_MS = 1_000;

// bigint counts and turns stay far below 2^53; as text they would sort and add wrongly.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

/** Opens a pool. Connections are made on demand, and a lost one is replaced by the next use. */
export function openDatabase(options: DatabaseOptions): Database {
  const queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS;
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.firstConnectTimeoutMs ?? connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // No statement of ours is worth compiling. Servers that can, as those of Debian's packages do, answered 2,000
    // periods of counts in 150 to 260 ms, and in 75 without (on a busy machine).
    // Statements and not parameters of the connection: poolers in between refuse those they do not know.
    async onConnect(client) {
      // The one form in which Kysely calls it.
      const query = boundedStatements(client, queryTimeoutMs);
      Object.assign(client, { query });
      await query(
        `set idle_in_transaction_session_timeout = ${options.idleTransactionMs ?? IDLE_TRANSACTION_MS};
          ${serverLimits(queryTimeoutMs)}; set jit = off${options.byIndex === true ? '; set enable_seqscan = off' : ''}`,
        [],
      );
    },
  });
  // Its own is an array, in which all others wait behind the requests of one workspace.
  Object.assign(pool, { _pendingQueue: new FairQueue() });
  // Without a handler an idle connection that the server ends would end our process.
  pool.on('error', (error) =>
    options.log.warn({ code: codeOf(error), reason: error.message }, 'an idle database connection was lost'),
  );
  // The pool listens to idle connections only: one that is lost while in use would do the same. Its statement fails,
  // and that is what tells the caller.
  const open = new Map<pg.PoolClient, PromiseWithResolvers<void>>();
  pool.on('connect', (client) => {
    pool.options.connectionTimeoutMillis = connectTimeoutMs; // read by the pool for each connection
    client.on('error', () => undefined);
    open.set(client, Promise.withResolvers());
  });
  pool.on('remove', (client) => {
    open.get(client)?.resolve();
    open.delete(client);
  });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    await db.destroy();
    // The pool has said goodbye, the server need not have read it: stopped now, it would call these connections lost.
    const gone = Promise.all([...open.values()].map(({ promise }) => promise));
    await Promise.race([gone, pause(GOODBYE_MS)]);
  };
  return { db, close };
}

/**
 * The server gives a statement up before we do: what nobody waits for any more must not be committed when the lock it
 * waited for is free. Our own limit is left for a server that cannot be heard.
 */
function serverLimits(queryTimeoutMs: number): string {
  const statementMs = queryTimeoutMs - Math.min(1_000, Math.ceil(queryTimeoutMs / 4));
  const lockMs = queryTimeoutMs === 0 ? 0 : Math.min(LOCK_TIMEOUT_MS, statementMs);
  return `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}`;
}

/**
 * Runs `work` in a transaction, or joins the one `db` already is. An own transaction that loses to another (deadlock,
 * serialization) is run again, at most three times in all: `work` must have no effects outside the database.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  let effects: (() => void)[] = [];
  const done = await againWhenLost(() => {
    effects = []; // one that lost to another runs again, and its first try has had no effects
    const steps: (() => Promise<void>)[] = [];
    return db.transaction().execute(async (tx) => {
      pools.set(tx, db);
      afterCommit.set(tx, effects);
      lastSteps.set(tx, steps);
      return duringTransaction(async () => {
        const result = await work(tx);
        for (const step of steps) await step();
        return result;
      });
    });
  });
  for (const effect of effects) effect();
  return done;
}

const afterCommit = new WeakMap<Db, (() => void)[]>();
const pools = new WeakMap<Db, Db>();

/**
 * The pool that a transaction belongs to; a pool is its own. Throws for a transaction that `inTransaction` has not
 * begun.
 */
export function poolOf(db: Db): Db {
  if (!db.isTransaction) return db;
  const pool = pools.get(db);
  if (pool === undefined) throw new Error('a transaction that inTransaction has not begun belongs to no known pool');
  return pool;
}

const lastSteps = new WeakMap<Db, (() => Promise<void>)[]>();

/**
 * Runs `step` as the last of the transaction that `inTransaction` began: a row that many wait for is then locked over
 * the commit alone. An error that it throws undoes the transaction.
 */
export function beforeCommit(tx: Db, step: () => Promise<void>): void {
  const steps = lastSteps.get(tx);
  if (steps === undefined) throw new Error('only a transaction that inTransaction has begun knows its last step');
  steps.push(step);
}

/**
 * Runs `effect` once the outermost transaction of `tx` is committed, and never when it is rolled back or run again: the
 * one way to do something outside the database. It only wakes, notes or tells, and does not throw: the commit stands.
 * `tx` is the Db at hand, such as `ctx.db`; when that is no transaction, everything is committed and it runs at once.
 */
export function onCommit(tx: Db, effect: () => void): void {
  const effects = afterCommit.get(tx);
  if (effects !== undefined) effects.push(effect);
  else if (!tx.isTransaction) effect();
  else throw new Error('a transaction that inTransaction has not begun tells nobody when it is committed');
}

/**
 * Runs one statement that commits by itself, again when it loses to another, as above. Inside a transaction the loss
 * ends all of that, so it is only passed on.
 */
export async function inOneStatement<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : againWhenLost(() => work(db));
}

async function againWhenLost<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried >= TRANSACTION_TRIES || !isTransientConflict(error)) throw error;
      // At once, the loser may take its first row again before the winner has woken up, and both would wait anew.
      await pause(tried * (10 + Math.random() * 40));
    }
  }
}

/** The remaining timer does not keep the process alive. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
