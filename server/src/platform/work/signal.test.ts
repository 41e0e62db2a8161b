import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { createListener } from '../db/listener.ts';
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
    heard.announce();
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
