import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { Moment } from './moments.ts';
import { periodic } from './periodic.ts';

const silent = createLog({ level: 'silent' });

test('the work is done again and again, also after it failed; each row of failures is logged once', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const round = new Moment<number>();
  let rounds = 0;
  const work = async (): Promise<void> => {
    rounds += 1;
    round.announce(rounds);
    if ([1, 2, 4].includes(rounds)) throw new Error(`the database is away (${rounds})`);
  };
  const service = periodic({ name: 'a sweep', everyMs: 5, log, failure: 'it was not swept', work });
  await service.start();
  await service.start();
  for (const expected of [1, 2, 3, 4, 5]) assert.equal(await round.next(), expected);
  await service.stop();
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? '', /the database is away \(1\).*it was not swept/);
  assert.match(lines[1] ?? '', /the database is away \(4\).*it was not swept/);
});

test('a round is not overtaken by the next, and stop waits for it after telling it to end', async () => {
  const begun = new Moment();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const timerFired = new Moment();
  let rounds = 0;
  const seen: boolean[] = [];
  const service = periodic({
    name: 'a sweep',
    everyMs: 1,
    log: silent,
    failure: 'it was not swept',
    async work(goOn) {
      rounds += 1;
      seen.push(goOn());
      begun.announce();
      await released;
      seen.push(goOn());
    },
  });
  const beside = setInterval(() => timerFired.announce(), 1);
  await service.stop();
  await service.start();
  await begun.next();
  for (let i = 0; i < 5; i += 1) await timerFired.next();
  clearInterval(beside);
  assert.equal(rounds, 1);
  const stopped = service.stop().then(() => seen.push(true));
  release();
  await stopped;
  assert.deepEqual(seen, [true, false, true], 'told to end, and stop resolved after it had');
  await service.stop();
  assert.equal(rounds, 1);
});

test('a wake begins a round at once, and one during a round begins another; a stopped service hears none', async () => {
  const begun = new Moment<number>();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let rounds = 0;
  const service = periodic({
    name: 'a sweep',
    everyMs: 60_000,
    log: silent,
    failure: 'it was not swept',
    async work() {
      rounds += 1;
      begun.announce(rounds);
      await gates[rounds - 1]?.promise;
    },
  });
  service.wake();
  await service.start();
  const first = begun.next();
  service.wake();
  service.wake();
  assert.equal(await first, 1);
  const second = begun.next();
  service.wake();
  gates[0]?.resolve();
  assert.equal(await second, 2);
  gates[1]?.resolve();
  await service.stop();
  service.wake();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(rounds, 2);
});

test('a woken round waits until the last one has rested', async () => {
  const done = new Moment<number>();
  const service = periodic({
    name: 'a sweep',
    everyMs: 60_000,
    restMs: 30,
    log: silent,
    failure: 'it was not swept',
    work: async () => done.announce(performance.now()),
  });
  await service.start();
  const first = done.next();
  service.wake();
  const firstAt = await first;
  const second = done.next();
  service.wake();
  assert.ok((await second) - firstAt >= 25);
  await service.stop();
});
