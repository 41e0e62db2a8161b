import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type BreakableProxy, startBreakableProxy } from '../../../test/harness/breakable-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { createLog } from '../log.ts';
import { isDatabaseUnavailable, isTransientConflict, sqlStateOf } from './database-errors.ts';
import { type Database, type Db, inTransaction, onCommit, openDatabase } from './database.ts';
import { inTurnOf } from './connections/fair-turns.ts';

const log = createLog({ level: 'silent' });
let database: TestDatabase;
let proxy: BreakableProxy;
/** Through the proxy. */
let distant: Database;
let db: Db;

before(async () => {
  database = await createTestDatabase();
  db = database.db;
  proxy = await startBreakableProxy(database.url);
  distant = openDatabase({ url: proxy.url, poolMax: 4, applicationName: 'distant', log });
  await sql`create table numbers (id int primary key, value int not null default 0 constraint not_negative check (value >= 0))`.execute(
    db,
  );
  await sql`insert into numbers (id) values (1), (2)`.execute(db);
});
after(async () => {
  await distant.close();
  await proxy.close();
  await database.close();
});

/** Of this file's own database: others on the same server may go by the same name. */
const connectionsOf = (name: string) =>
  sql`pg_stat_activity where datname = current_database() and application_name = ${name}`;
const endConnectionsOf = async (name: string): Promise<number> =>
  (await sql`select pg_terminate_backend(pid) from ${connectionsOf(name)}`.execute(db)).rows.length;
const countConnectionsOf = async (name: string): Promise<number> =>
  (await sql`select 1 from ${connectionsOf(name)}`.execute(db)).rows.length;

async function valueOf(id: number): Promise<number | undefined> {
  const { rows } = await sql<{ value: number }>`select value from numbers where id = ${id}`.execute(db);
  return rows[0]?.value;
}

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('did not fail'),
    (error: unknown) => error,
  );

/** Every lost connection may fail one statement, as unavailable; after that the pool works. */
async function assertWorksAgain(connections: number): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await sql`select 1`.execute(distant.db);
      return;
    } catch (error) {
      assert.ok(isDatabaseUnavailable(error), String(error));
      assert.ok(failures <= connections, 'a lost connection was used twice');
    }
  }
}

test('the first connection has the patience of a start, the next ones have that of a request', async (t) => {
  const options = { url: proxy.url, poolMax: 1, log, connectTimeoutMs: 100 };
  const patient = openDatabase({ ...options, applicationName: 'patient', firstConnectTimeoutMs: 60_000 });
  const other = openDatabase({ ...options, applicationName: 'impatient' });
  undoAfter(t, async () => {
    proxy.hold(false);
    await patient.close();
    await other.close();
  });
  proxy.hold(true);
  const first = sql`select 1`.execute(patient.db);
  first.catch(() => undefined); // asserted below
  assert.ok(isDatabaseUnavailable(await failure(sql`select 1`.execute(other.db))));
  proxy.hold(false);
  await first;
  const waits = inTransaction(patient.db, () => failure(sql`select 1`.execute(patient.db)));
  assert.ok(isDatabaseUnavailable(await waits), 'the only connection is in use');
});

test('values arrive as the code expects them', async () => {
  const { rows } = await sql<{ count: unknown; at: unknown; data: unknown; id: unknown; bytes: unknown }>`
    select count(*) as count, '2026-12-01 09:00:00+00'::timestamptz as at, '{"a":[1]}'::jsonb as data,
      '01999999-0000-7000-8000-000000000001'::uuid as id, '\\x00ff'::bytea as bytes`.execute(db);
  assert.deepEqual(rows[0], {
    count: 1,
    at: new Date('2026-12-01T09:00:00Z'),
    data: { a: [1] },
    id: '01999999-0000-7000-8000-000000000001',
    bytes: Buffer.from([0, 255]),
  });
});

test('a transaction keeps all or nothing', async () => {
  await inTransaction(db, (tx) => sql`update numbers set value = 5 where id = 1`.execute(tx));
  assert.equal(await valueOf(1), 5);
  await assert.rejects(
    inTransaction(db, async (tx) => {
      await sql`update numbers set value = 6 where id = 1`.execute(tx);
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  assert.equal(await valueOf(1), 5);
});

test('an inner transaction joins the outer one, and goes with it', async () => {
  await assert.rejects(
    inTransaction(db, async (outer) => {
      await inTransaction(outer, async (inner) => {
        assert.equal(inner, outer);
        await sql`update numbers set value = 7 where id = 1`.execute(inner);
      });
      throw new Error('undo both');
    }),
    /undo both/,
  );
  assert.notEqual(await valueOf(1), 7);
});

test('an action after commit runs after the commit, and not after a rollback', async () => {
  const seen: string[] = [];
  let tries = 0;
  await inTransaction(db, async (outer) => {
    await inTransaction(outer, async (inner) => onCommit(inner, () => seen.push(`try ${tries}`)));
    tries += 1;
    if (tries === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    assert.deepEqual(seen, [], 'not before the commit');
  });
  assert.deepEqual(seen, ['try 2']);
  await assert.rejects(
    inTransaction(db, async (tx) => {
      onCommit(tx, () => seen.push('rolled back'));
      throw new Error('no');
    }),
  );
  onCommit(db, () => seen.push('no transaction'));
  assert.deepEqual(seen, ['try 2', 'no transaction']);
});

test('a deadlock is run again until both sides are through', async () => {
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  let runs = 0;
  const add = (first: number, second: number) =>
    inTransaction(db, async (tx) => {
      runs += 1;
      await sql`update numbers set value = value + 100 where id = ${first}`.execute(tx);
      holding += 1;
      if (holding === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await sql`update numbers set value = value + 100 where id = ${second}`.execute(tx);
    });
  await sql`update numbers set value = 0`.execute(db);
  await Promise.all([add(1, 2), add(2, 1)]);
  assert.equal(await valueOf(1), 200);
  assert.equal(await valueOf(2), 200);
  assert.ok(runs >= 3, 'one side was run again');
});

test('a conflict that stays is given up after three tries, and other failures are not tried again', async () => {
  for (const [code, tries] of [
    ['40P01', 3],
    ['40001', 3],
    ['23505', 1],
  ] as const) {
    let runs = 0;
    const error = await failure(
      inTransaction(db, async () => {
        runs += 1;
        throw Object.assign(new Error('no'), { code });
      }),
    );
    assert.equal(sqlStateOf(error), code);
    assert.equal(runs, tries, code);
  }
});

test('the fields of a PostgreSQL error can be read', async () => {
  const check = await failure(sql`update numbers set value = -1 where id = 1`.execute(db));
  assert.equal(sqlStateOf(check), '23514');
  assert.equal(isDatabaseUnavailable(check), false);
  assert.equal(isTransientConflict(check), false);
  const raised = await failure(
    sql`do $$ begin raise exception 'one of our own' using errcode = 'PH001'; end $$`.execute(db),
  );
  assert.equal(sqlStateOf(raised), 'PH001');
  for (const other of [undefined, null, 'x', new Error('x'), { code: 42 }, { code: 'ECONNREFUSED' }])
    assert.equal(sqlStateOf(other), undefined);
});

test('connections that the server ended are replaced', async () => {
  await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.02)`.execute(distant.db)));
  assert.equal(await endConnectionsOf('distant'), 4);
  while ((await countConnectionsOf('distant')) > 0);
  await assertWorksAgain(4);
  await Promise.all(Array.from({ length: 8 }, () => assertWorksAgain(4)));
});

test('an idle connection that is lost is logged by code and words, and nothing of the connection with it', async () => {
  const lines: string[] = [];
  const logged = Promise.withResolvers<void>();
  const heard = createLog({
    level: 'warn',
    destination: {
      write(line) {
        lines.push(line);
        logged.resolve();
      },
    },
  });
  const idle = openDatabase({ url: database.url, poolMax: 1, applicationName: 'idle', log: heard });
  try {
    await sql`select 1`.execute(idle.db);
    await endConnectionsOf('idle');
    await logged.promise;
    const { time: _time, ...fields } = JSON.parse(lines.join(''));
    assert.deepEqual(fields, {
      level: 'warn',
      code: '57P01',
      reason: 'terminating connection due to administrator command',
      msg: 'an idle database connection was lost',
    });
  } finally {
    await idle.close();
  }
});

test('a closed pool has left the server, so that a server which stops next has nobody to tell', async () => {
  for (let round = 0; round < 20; round += 1) {
    const short = openDatabase({ url: database.url, poolMax: 4, applicationName: 'short', log });
    await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.005)`.execute(short.db)));
    await short.close();
    assert.equal(await countConnectionsOf('short'), 0);
  }
});

test('closing does not wait for a server that cannot be heard', async () => {
  const deaf = openDatabase({ url: database.url, poolMax: 1, applicationName: 'deaf', log });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(deaf.db);
  const pid = rows[0]?.pid ?? assert.fail('no backend');
  process.kill(pid, 'SIGSTOP');
  try {
    const begun = performance.now();
    await deaf.close();
    // About a second; who waited for it would wait for as long as it stands.
    assert.ok(performance.now() - begun < 2_500, `${performance.now() - begun} ms`);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

test('a connection that ends under a statement or in a transaction is known as such, and the pool goes on', async () => {
  const runs = async (): Promise<boolean> =>
    (await sql`select 1 from ${connectionsOf('distant')} and wait_event = 'PgSleep'`.execute(db)).rows.length > 0;
  const sleeping = failure(sql`select pg_sleep(60)`.execute(distant.db));
  while (!(await runs()));
  await endConnectionsOf('distant');
  assert.ok(isDatabaseUnavailable(await sleeping));
  const inside = await failure(
    inTransaction(distant.db, async (tx) => {
      await sql`select 1`.execute(tx);
      await endConnectionsOf('distant');
      await sql`select 1`.execute(tx);
    }),
  );
  assert.ok(isDatabaseUnavailable(inside), String(inside));
  await assertWorksAgain(4);
});

test('a server that is gone is known within 2 s, and used again when it is back', async () => {
  await assertWorksAgain(4);
  await proxy.breakDown();
  for (let tries = 0; tries < 5; tries += 1) {
    const begun = performance.now();
    const error = await failure(sql`select 1`.execute(distant.db));
    assert.ok(isDatabaseUnavailable(error), String(error));
    assert.ok(performance.now() - begun < 2_000);
  }
  await proxy.mend();
  await sql`select 1`.execute(distant.db);
});

test('a server that takes connections and says nothing is known within 2.5 s, however many wait for it', async () => {
  const fresh = openDatabase({ url: proxy.url, poolMax: 2, applicationName: 'fresh', log });
  proxy.swallow(true);
  try {
    const begun = performance.now();
    const errors = await Promise.all(Array.from({ length: 4 }, () => failure(sql`select 1`.execute(fresh.db))));
    for (const error of errors) assert.ok(isDatabaseUnavailable(error), String(error));
    // 4 s, if those without a place waited their time after the others.
    assert.ok(performance.now() - begun < 2_500, `${performance.now() - begun} ms`);
  } finally {
    proxy.swallow(false);
    await fresh.close();
  }
});

test('a connection on which a statement ran out of time is not used again', async () => {
  const limits = { queryTimeoutMs: 500, connectTimeoutMs: 1_000 };
  const options = { url: proxy.url, poolMax: 1, applicationName: 'stuck', log, ...limits };
  const one = openDatabase(options);
  await sql`select 1`.execute(one.db);
  proxy.swallow(true);
  const begun = performance.now();
  const errors = [
    await failure(sql`select 1`.execute(one.db)), // the old connection
    await failure(sql`select 1`.execute(one.db)), // a new one, which is not made either
  ];
  for (const error of errors) assert.ok(isDatabaseUnavailable(error), String(error));
  // 0.5 s and 1 s; either of them a second time would be more.
  assert.ok(performance.now() - begun < 2_000, `${performance.now() - begun} ms`);
  proxy.swallow(false);
  await sql`select 1`.execute(one.db);
  const stuck = await failure(inTransaction(one.db, (tx) => sql`select pg_sleep(60)`.execute(tx)));
  assert.ok(isDatabaseUnavailable(stuck), String(stuck));
  await sql`select 1`.execute(one.db); // behind the slow statement it would run out of time, too
  await one.close();
});

test('more work than connections waits its turn, and is told when it does not come', async () => {
  const limits = { poolMax: 2, connectTimeoutMs: 500 };
  const small = openDatabase({ url: database.url, applicationName: 'small', log, ...limits });
  const gate = Promise.withResolvers<void>();
  const holders = [1, 2].map(() => inTransaction(small.db, () => gate.promise));
  try {
    const error = await failure(sql`select 1`.execute(small.db));
    assert.ok(isDatabaseUnavailable(error), String(error));
  } finally {
    gate.resolve();
    await Promise.all(holders);
  }
  await Promise.all(Array.from({ length: 50 }, () => sql`select 1`.execute(small.db)));
  await small.close();
});

test('a wrong host is unavailable; a wrong statement is not', async () => {
  const nowhere = openDatabase({ url: 'postgresql://x:y@127.0.0.1:1/z', poolMax: 2, applicationName: 'nowhere', log });
  assert.ok(isDatabaseUnavailable(await failure(sql`select 1`.execute(nowhere.db))));
  await nowhere.close();
  const noSocket = openDatabase({
    url: 'postgresql://x:y@/z?host=/nonexistent',
    poolMax: 2,
    applicationName: 'nowhere',
    log,
  });
  assert.ok(isDatabaseUnavailable(await failure(sql`select 1`.execute(noSocket.db))));
  await noSocket.close();
  assert.equal(isDatabaseUnavailable(await failure(sql`select nonsense`.execute(db))), false);
});

test('no statement is compiled, also by a server that could', async () => {
  const { rows } = await sql<{ is: string }>`
    select current_setting('jit') as is, source from pg_settings where name = 'jit'`.execute(db);
  assert.deepEqual(rows, [{ is: 'off', source: 'session' }]);
});

test('a process that stands still within a transaction keeps its rows for a minute at most, and goes on afterwards', async () => {
  const [shown] = (
    await sql<{ is: string }>`
    select current_setting('idle_in_transaction_session_timeout') as is`.execute(db)
  ).rows;
  assert.equal(shown?.is, '1min');
  const still = openDatabase({ url: database.url, poolMax: 1, applicationName: 'still', log, idleTransactionMs: 100 });
  try {
    const lost = await failure(
      still.db.transaction().execute(async (tx) => {
        await sql`select from numbers where id = 2 for update`.execute(tx);
        await sql`update numbers set value = value where id = 2`.execute(db); // waits until the row is free
        await sql`select 1`.execute(tx);
      }),
    );
    assert.ok(isDatabaseUnavailable(lost), String(lost));
    await sql`select 1`.execute(still.db);
  } finally {
    await still.close();
  }
});

test('the server gives a statement up before its caller does, and a wait for a lock sooner; migrations have no limit', async () => {
  const shown = async (queryTimeoutMs?: number) => {
    const given = queryTimeoutMs === undefined ? {} : { queryTimeoutMs };
    const one = openDatabase({ url: database.url, poolMax: 1, applicationName: 'limits', log, ...given });
    const { rows } = await sql<{ statement: string; lock: string }>`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(
      one.db,
    );
    await one.close();
    return rows[0];
  };
  assert.deepEqual(await shown(), { statement: '29s', lock: '10s' });
  assert.deepEqual(await shown(400), { statement: '300ms', lock: '300ms' });
  assert.deepEqual(await shown(0), { statement: '0', lock: '0' });
});

test('a statement that was given up is undone, not done later', async () => {
  const hasty = openDatabase({ url: database.url, poolMax: 1, applicationName: 'hasty', log, queryTimeoutMs: 1_200 });
  await sql`insert into numbers (id, value) values (77, 1)`.execute(db);
  await db.transaction().execute(async (tx) => {
    await sql`select from numbers where id = 77 for update`.execute(tx);
    const lost = await failure(sql`update numbers set value = 2 where id = 77`.execute(hasty.db));
    assert.ok(isDatabaseUnavailable(lost), String(lost));
  });
  await sql`select 1`.execute(hasty.db);
  assert.equal(await valueOf(77), 1);
  await hasty.close();
});

test('where all connections are in use, a party that asks once is served before the other requests of a party with many', async (t) => {
  const few = openDatabase({ url: database.url, poolMax: 2, applicationName: 'few', log });
  undoAfter(t, () => few.close());
  const served: string[] = [];
  const ask = (party: string): Promise<void> =>
    inTurnOf(party, async () => {
      await sql`select pg_sleep(0.01)`.execute(few.db);
      served.push(party);
    });
  const many = Array.from({ length: 40 }, () => ask('many'));
  const [first, second] = [ask('one'), ask('another')];
  await Promise.all([first, second]);
  // Two of them are served already, and two more may have begun.
  assert.ok(served.length <= 6, served.join());
  await Promise.all(many);
  assert.equal(served.length, 42);
});

test('parties take turns, and within a party the oldest comes first', async (t) => {
  const one = openDatabase({ url: database.url, poolMax: 1, applicationName: 'one', log });
  undoAfter(t, () => one.close());
  const served: string[] = [];
  const ask = (party: string, name: string): Promise<void> =>
    inTurnOf(party, async () => {
      await sql`select 1`.execute(one.db);
      served.push(name);
    });
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name)),
    ...['b1', 'b2', 'b3'].map((name) => ask('b', name)),
    ask('c', 'c1'),
  ]);
  // The first one had no need to wait, and took no turn.
  assert.deepEqual(served, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'b3']);
});

test('a request that waits too long for a connection is refused, and takes no turn of others', async (t) => {
  const one = openDatabase({
    url: database.url,
    poolMax: 1,
    applicationName: 'one',
    log,
    connectTimeoutMs: 300,
    firstConnectTimeoutMs: 5_000,
  });
  undoAfter(t, () => one.close());
  await sql`select 1`.execute(one.db);
  const held = one.db.connection().execute((connection) => sql`select pg_sleep(0.6)`.execute(connection));
  const late = inTurnOf('late', () => failure(sql`select 1`.execute(one.db)));
  assert.match(String(await late), /timeout exceeded when trying to connect/);
  await held;
  await inTurnOf('next', () => sql`select 1`.execute(one.db));
});
