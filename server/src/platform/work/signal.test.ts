import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { openDatabase } from '../db/database.ts';
import { createListener, type Listener } from '../db/listener.ts';
import { createLog } from '../log.ts';
import { Moment } from '../moments.ts';
import { relay, signal } from './signal.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('everybody who listens hears it, with what was said, until they stop', () => {
  const news = signal<string>();
  const heard: string[] = [];
  const offs = [news.hear((said) => heard.push(`a ${said}`)), news.hear((said) => heard.push(`b ${said}`))];
  news.tell('one');
  offs[0]?.();
  news.tell('two');
  assert.deepEqual(heard, ['a one', 'b one', 'b two']);
});

/** A process of its own: a signal, what it has heard, and its relay. */
async function aProcess(channel: string) {
  const clock = createTestClock({ held: true });
  const listener = createListener({ url: t.url, log: createLog({ level: 'silent' }), clock });
  const work = signal();
  const heard = new Moment();
  let times = 0;
  work.hear(() => {
    times += 1;
    heard.occur();
  });
  const service = relay({ name: 'work', signal: work, channel, db: t.db, clock, listener });
  await listener.start();
  await service.start();
  const stop = async (): Promise<void> => {
    await service.stop();
    await listener.stop();
  };
  return { clock, work, heard, stop, times: () => times };
}

test('other processes hear it soon after, once for many, and do not send it on', async () => {
  const [mine, theirs] = [await aProcess('test_work'), await aProcess('test_work')];
  const heard = theirs.heard.next();
  const echo = mine.heard.next();
  for (let times = 0; times < 5; times += 1) mine.work.tell();
  await echo;
  assert.equal(mine.times(), 5);
  const own = mine.heard.next(); // PostgreSQL tells the sender too
  mine.clock.advance(20);
  await Promise.all([heard, own]);
  assert.equal(theirs.times(), 1);
  // Had it been sent on, it would come back now.
  const again = theirs.heard.next();
  theirs.clock.advance(20);
  mine.work.tell();
  mine.clock.advance(20);
  await again;
  assert.equal(theirs.times(), 2);
  await Promise.all([mine.stop(), theirs.stop()]);
});

/** A relay beside a listener that says what the test lets it say; `isSending`: a NOTIFY is to follow. */
function aRelay(db = t.db) {
  const clock = createTestClock({ held: true });
  const work = signal();
  let arrive = (): void => undefined;
  const listener: Listener = {
    name: 'listener',
    start: async () => undefined,
    stop: async () => undefined,
    on: (_channel, heard) => void (arrive = () => heard('')),
  };
  const service = relay({ name: 'work', signal: work, channel: 'test_relay', db, clock, listener });
  const isSending = async (): Promise<boolean> => {
    let isWaiting = false;
    void clock.untilWaiting(20).then(() => (isWaiting = true));
    await new Promise(setImmediate);
    return isWaiting;
  };
  return { clock, work, service, arrive: () => arrive(), isSending };
}

test('a signal that arrived is heard here and not sent on, and one of this process is', async () => {
  const { work, service, arrive, isSending } = aRelay();
  let heard = 0;
  work.hear(() => void (heard += 1));
  await service.start();
  arrive();
  assert.deepEqual([heard, await isSending()], [1, false]);
  work.tell();
  assert.deepEqual([heard, await isSending()], [2, true]);
  await service.stop();
});

test('a stop takes back what was to be sent, and nothing that is told afterwards is sent', async () => {
  const { work, service, isSending } = aRelay();
  await service.start();
  work.tell();
  await service.stop();
  assert.equal(await isSending(), false);
  work.tell();
  assert.equal(await isSending(), false);
});

test('a database that is away harms nobody: the others look by themselves', async () => {
  const log = createLog({ level: 'silent' });
  const gone = openDatabase({ url: 'postgresql://x:y@127.0.0.1:1/z', poolMax: 1, applicationName: 'gone', log });
  const { clock, work, service, isSending } = aRelay(gone.db);
  await service.start();
  work.tell();
  clock.advance(20);
  await gone.close();
  await new Promise(setImmediate);
  work.tell();
  assert.equal(await isSending(), true, 'it goes on');
  await service.stop();
});

test('a relay that is stopped tells nobody', async () => {
  const [mine, theirs] = [await aProcess('test_stopped'), await aProcess('test_stopped')];
  mine.work.tell();
  await mine.stop();
  mine.clock.advance(1_000);
  const third = await aProcess('test_stopped');
  const heard = theirs.heard.next();
  third.work.tell();
  third.clock.advance(20);
  await heard;
  assert.equal(theirs.times(), 1);
  await Promise.all([third.stop(), theirs.stop()]);
});
