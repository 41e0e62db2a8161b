import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock, type TestClock } from '../../../test/harness/test-clock.ts';
import { createLog } from '../log.ts';
import { type Loop, loop, type LoopOptions } from './loop.ts';
import { signal } from './signal.ts';

/** Lets everything run that was ready. */
const turn = (): Promise<void> => new Promise(setImmediate);

interface Scene {
  service: Loop;
  clock: TestClock;
  /** When each round began, counted from the start of the test. */
  begun: number[];
  lines: string[];
  advance(ms: number): Promise<void>;
}

function scene(change: Partial<LoopOptions> = {}): Scene {
  const clock = createTestClock({ held: true });
  const startMs = clock.monotonicMs();
  const begun: number[] = [];
  const lines: string[] = [];
  const { round = async () => undefined, ...options } = change;
  const service = loop({
    name: 'a sweep',
    clock,
    log: createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }),
    everyMs: 1_000,
    failure: 'it was not swept',
    async round(goOn, stopping) {
      begun.push(clock.monotonicMs() - startMs);
      return round(goOn, stopping);
    },
    ...options,
  });
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await turn();
  };
  return { service, clock, begun, lines, advance };
}

test('rounds begin every so often, the first after that time; what they take is part of it', async () => {
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  const { service, begun, advance } = scene({
    async round() {
      if (isFirst) await gate.promise;
      isFirst = false;
    },
  });
  await service.start();
  await service.start();
  await advance(999);
  assert.deepEqual(begun, []);
  await advance(1);
  await advance(600); // the first round lasts so long
  gate.resolve();
  await turn();
  await advance(399);
  assert.deepEqual(begun, [1_000]);
  await advance(1);
  await advance(1_000);
  assert.deepEqual(begun, [1_000, 2_000, 3_000]);
  await service.stop();
  await advance(60_000);
  assert.equal(begun.length, 3);
});

test('the first round of what is done once an hour begins one to two minutes after the start, spread', async () => {
  for (const [random, firstMs] of [
    [0, 60_000],
    [0.5, 90_000],
  ] as const) {
    const { service, begun, advance } = scene({ everyMs: 3_600_000, random: () => random });
    await service.start();
    await advance(firstMs - 1);
    assert.deepEqual(begun, [], 'a start has enough to do');
    await advance(1);
    await advance(3_600_000);
    assert.deepEqual(begun, [firstMs, firstMs + 3_600_000]);
    await service.stop();
  }
});

test('a round says how long there is nothing to do', async () => {
  const waits = [30, 0, 500];
  const { service, begun, advance } = scene({
    beginsAtOnce: true,
    round: async () => waits.shift(),
    waitMs: (ms) => Number(ms ?? 10_000),
  });
  await service.start();
  await turn();
  await advance(30);
  await advance(499);
  assert.deepEqual(begun, [0, 30, 30]);
  await advance(1);
  assert.deepEqual(begun, [0, 30, 30, 530]);
  await service.stop();
});

test('after failures the waits grow to a limit, each row of them is logged once, and a success ends it', async () => {
  let fails = true;
  const { service, begun, lines, advance } = scene({
    beginsAtOnce: true,
    retryMs: { first: 100, most: 500 },
    async round() {
      if (fails) throw new Error(`the database is away (${begun.length})`);
    },
  });
  await service.start();
  await turn();
  for (const waitMs of [100, 200, 400, 500, 500]) {
    const before = begun.length;
    await advance(waitMs - 1);
    assert.equal(begun.length, before, `not sooner than ${waitMs} ms`);
    await advance(1);
    assert.equal(begun.length, before + 1, `after ${waitMs} ms`);
  }
  fails = false;
  await advance(500);
  fails = true;
  await advance(1_000);
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? '', /the database is away \(1\).*it was not swept/);
  assert.match(lines[1] ?? '', /the database is away \(8\).*it was not swept/);
  await service.stop();
});

test('a round is not overtaken by the next, and stop waits for it after telling it to end', async () => {
  const gate = Promise.withResolvers<void>();
  const seen: unknown[] = [];
  const { service, begun, advance } = scene({
    async round(goOn, stopping) {
      seen.push(goOn(), stopping.aborted);
      await gate.promise;
      seen.push(goOn(), stopping.aborted);
    },
  });
  await service.stop();
  await service.start();
  await advance(1_000);
  await advance(60_000);
  assert.equal(begun.length, 1);
  const stopped = service.stop().then(() => seen.push('stopped'));
  await turn();
  gate.resolve();
  await stopped;
  assert.deepEqual(seen, [true, false, false, true, 'stopped']);
  await service.stop();
});

test('a wake begins a round at once, and one during a round begins another; a stopped service hears none', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { service, begun } = scene({ round: async () => gates[begun.length - 1]?.promise });
  service.wake();
  await service.start();
  await turn();
  assert.deepEqual(begun, [], 'a wake before the start is none');
  service.wake();
  service.wake();
  await turn();
  assert.deepEqual(begun, [0]);
  service.wake();
  await turn();
  assert.deepEqual(begun, [0], 'one round at a time');
  gates[0]?.resolve();
  await turn();
  assert.deepEqual(begun, [0, 0], 'two wakes before a round are one round');
  gates[1]?.resolve();
  await service.stop();
  service.wake();
  await turn();
  assert.deepEqual(begun, [0, 0]);
});

test('a woken round waits until the last one has rested, and serves all wakes until then', async () => {
  const { service, begun, advance } = scene({ restMs: 30 });
  await service.start();
  service.wake();
  await turn();
  service.wake();
  await turn();
  await advance(10);
  service.wake();
  await advance(19);
  assert.deepEqual(begun, [0]);
  await advance(1);
  assert.deepEqual(begun, [0, 30]);
  await advance(999);
  assert.deepEqual(begun, [0, 30]);
  await service.stop();
});

test('a rest ends with the service', async () => {
  const { service } = scene({ restMs: 60_000 });
  await service.start();
  service.wake();
  await turn();
  service.wake();
  await turn();
  await service.stop();
});

test('a signal wakes it, from the start to the stop, also after it was started again', async () => {
  const wokenBy = signal();
  const { service, begun } = scene({ wokenBy });
  wokenBy.tell();
  await service.start();
  await turn();
  wokenBy.tell();
  await turn();
  await service.stop();
  wokenBy.tell();
  await service.start();
  await turn();
  assert.equal(begun.length, 1);
  wokenBy.tell();
  await turn();
  assert.equal(begun.length, 2);
  await service.stop();
});

test('a service that has stopped listens to no signal', async () => {
  const listening = new Set<() => void>();
  const wokenBy = {
    tell: () => undefined,
    hear(heard: () => void) {
      listening.add(heard);
      return () => void listening.delete(heard);
    },
  };
  const { service } = scene({ wokenBy });
  for (let starts = 0; starts < 2; starts += 1) {
    await service.start();
    assert.equal(listening.size, 1);
    await service.stop();
    assert.equal(listening.size, 0);
  }
});

test('a test can wait for the end of a round, and for a failure', async () => {
  let fails = false;
  const { service, advance } = scene({
    async round() {
      if (fails) throw new Error('away');
    },
  });
  await service.start();
  const ended = service.ended.next();
  await advance(1_000);
  await ended;
  fails = true;
  const failed = service.failed.next();
  await advance(1_000);
  assert.match(String(await failed), /away/);
  await service.stop();
});
