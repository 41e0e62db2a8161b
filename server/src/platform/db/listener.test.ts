import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { startBreakableProxy } from '../../../test/harness/breakable-proxy.ts';
import { until } from '../../../test/harness/until.ts';
import { systemClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { Moment } from '../moments.ts';
import { createListener } from './listener.ts';

const log = createLog({ level: 'silent' });
let database: TestDatabase;

before(async () => {
  database = await createTestDatabase({ migrated: false });
});
after(() => database.close());

const notify = (channel: string, payload: string) => sql`select pg_notify(${channel}, ${payload})`.execute(database.db);

const connections = sql`pg_stat_activity where application_name = 'posthorn listener' and datname = current_database()`;

/** Ends the listener's connection, as a restart of the server does; says how many there were. */
const endConnection = async (): Promise<number> =>
  (await sql`select pg_terminate_backend(pid) from ${connections}`.execute(database.db)).rows.length;

/** One that was ended is listed until its process has got to it. */
const untilOnlyOne = (): Promise<true> =>
  until('one connection', async () =>
    (await sql`select 1 from ${connections}`.execute(database.db)).rows.length === 1 ? true : undefined,
  );

test('every handler of a channel is told, and no other', async () => {
  const listener = createListener({ url: database.url, log, clock: systemClock });
  const first = new Moment<string | undefined>();
  const second = new Moment<string | undefined>();
  listener.on('work', (payload) => first.occur(payload));
  await listener.start();
  listener.on('work', (payload) => second.occur(payload));
  listener.on('Other "channel"', () => assert.fail('not its channel'));
  const told = [first.next(), second.next()];
  // The second handler's LISTEN may still be on its way; its own connection is asked in order.
  await notify('work', 'hello');
  assert.deepEqual(await Promise.all(told), ['hello', 'hello']);
  await listener.stop();
});

test('a handler added later hears a channel of its own', async () => {
  const listener = createListener({ url: database.url, log, clock: systemClock });
  await listener.start();
  const heard = new Moment<string | undefined>();
  listener.on('later', (payload) => heard.occur(payload));
  const next = heard.next();
  const again = setInterval(() => void notify('later', 'x'), 20); // until the LISTEN has arrived
  assert.equal(await next, 'x');
  clearInterval(again);
  await listener.stop();
});

test('a lost connection is made again, handlers are told that they may have missed something, and hear again', async () => {
  const listener = createListener({ url: database.url, log, clock: systemClock });
  const heard = new Moment<string | undefined>();
  listener.on('work', (payload) => heard.occur(payload));
  await listener.start();
  for (let round = 0; round < 2; round += 1) {
    await untilOnlyOne();
    const back = heard.next();
    assert.equal(await endConnection(), 1);
    assert.equal(await back, undefined);
    const next = heard.next();
    await notify('work', `round ${round}`);
    assert.equal(await next, `round ${round}`);
  }
  await listener.stop();
});

test('a server that is not there at the start, or for a while, is found when it comes', async () => {
  const proxy = await startBreakableProxy(database.url);
  await proxy.breakDown();
  const listener = createListener({ url: proxy.url, log, clock: systemClock });
  const heard = new Moment<string | undefined>();
  listener.on('work', (payload) => heard.occur(payload));
  await listener.start();
  const back = heard.next();
  await proxy.mend();
  assert.equal(await back, undefined);
  const next = heard.next();
  await notify('work', 'there');
  assert.equal(await next, 'there');
  await listener.stop();
  await proxy.close();
});

test('a handler that throws ends neither the process nor the others', async () => {
  const listener = createListener({ url: database.url, log, clock: systemClock });
  const heard = new Moment<string | undefined>();
  listener.on('work', () => {
    throw new Error('a bug');
  });
  listener.on('work', (payload) => heard.occur(payload));
  await listener.start();
  const next = heard.next();
  await notify('work', 'x');
  assert.equal(await next, 'x');
  await listener.stop();
});

test('stop leaves no connection behind; it may come twice, before start, and start may come again', async () => {
  const listener = createListener({ url: database.url, log, clock: systemClock });
  await listener.stop();
  await listener.start();
  await listener.start();
  await listener.stop();
  await listener.stop();
  while ((await endConnection()) > 0); // a connection that was left would be made again and again
  await listener.start();
  assert.equal(await endConnection(), 1);
  await listener.stop();
});

test('stop while the connection is lost ends the trying', async () => {
  const proxy = await startBreakableProxy(database.url);
  const listener = createListener({ url: proxy.url, log, clock: systemClock });
  listener.on('work', () => assert.fail('told after stop'));
  await listener.start();
  await proxy.breakDown();
  await listener.stop();
  await proxy.mend();
  await proxy.close();
});
