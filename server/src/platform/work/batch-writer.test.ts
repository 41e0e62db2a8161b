import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock, type TestClock } from '../../../test/harness/test-clock.ts';
import { createLog } from '../log.ts';
import { BatchWriter, type BatchWriterOptions } from './batch-writer.ts';

/** Lets everything run that was ready. */
const turn = (): Promise<void> => new Promise(setImmediate);
const away = new Error('the database is away');

interface Scene {
  writer: BatchWriter<string>;
  clock: TestClock;
  /** The batches that were tried, in order; one that failed as `!batch`. */
  tried: string[];
  lines: string[];
  lost: string[];
}

/** `fails` says with which error a batch fails. */
function scene(
  change: Partial<BatchWriterOptions<string, void>> & { fails?: (batch: readonly string[]) => Error | undefined } = {},
): Scene {
  const { fails = () => undefined, ...options } = change;
  const [tried, lines, lost]: [string[], string[], string[]] = [[], [], []];
  const clock = createTestClock({ held: true });
  const writer = new BatchWriter<string>({
    clock,
    log: createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }),
    delayMs: 50,
    batchMax: 3,
    retryMaxMs: 1_000,
    failure: 'nothing is written; trying again',
    async write(batch) {
      const error = fails(batch);
      tried.push(`${error === undefined ? '' : '!'}${batch.join('')}`);
      if (error !== undefined) throw error;
    },
    lost: (items, error) => void lost.push(`${items.join('')}: ${(error as Error).message}`),
    ...options,
  });
  return { writer, clock, tried, lines, lost };
}

const addAll = (writer: BatchWriter<string>, items: string): void => {
  for (const item of items) writer.add(item);
};

test('an item waits for others, but not longer than it was said; a full batch does not wait', async () => {
  const { writer, clock, tried } = scene();
  addAll(writer, 'ab');
  clock.advance(49);
  assert.deepEqual(tried, []);
  clock.advance(1);
  await turn();
  assert.deepEqual(tried, ['ab']);
  addAll(writer, 'cdefghi');
  await turn();
  assert.deepEqual(tried, ['ab', 'cde', 'fgh'], 'a rest that is not full waits again');
  clock.advance(50);
  await turn();
  assert.deepEqual(tried, ['ab', 'cde', 'fgh', 'i']);
  assert.equal(writer.waiting, 0);
});

test('one batch is under way at a time, and counts as waiting until it is written', async () => {
  const gate = Promise.withResolvers<void>();
  const { writer, tried } = scene({
    async write(batch) {
      tried.push(batch.join(''));
      await gate.promise;
    },
  });
  addAll(writer, 'abcdef');
  await turn();
  assert.deepEqual(tried, ['abc']);
  assert.equal(writer.waiting, 6);
  gate.resolve();
  await writer.flush();
  assert.deepEqual(tried, ['abc', 'def']);
  assert.equal(writer.waiting, 0);
});

test('a batch that fails is written again, in order, after waits that grow to a limit; the log hears of it once', async () => {
  let isAway = true;
  const { writer, clock, tried, lines } = scene({ fails: () => (isAway ? away : undefined) });
  addAll(writer, 'ab');
  for (const waitMs of [50, 100, 200, 400, 800, 1_000, 1_000]) {
    const before = tried.length;
    clock.advance(waitMs - 1);
    await turn();
    assert.equal(tried.length, before, `not sooner than ${waitMs} ms`);
    clock.advance(1);
    await turn();
    assert.equal(tried.length, before + 1, `after ${waitMs} ms`);
  }
  addAll(writer, 'cd');
  isAway = false;
  clock.advance(1_000);
  await turn();
  clock.advance(50);
  await turn();
  assert.deepEqual(tried.slice(-2), ['abc', 'd']);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /the database is away.*nothing is written; trying again/);
});

test('a batch that the database refuses is written one by one, and only the one at fault is lost', async () => {
  const { writer, clock, tried, lost, lines } = scene({
    fails: (batch) => (batch.includes('b') ? new Error('b is no good') : undefined),
    judge: () => 'apart',
  });
  addAll(writer, 'abc');
  addAll(writer, 'd');
  await turn();
  clock.advance(50);
  await turn();
  assert.deepEqual(tried, ['!abc', 'a', '!b', 'c', 'd']);
  assert.deepEqual(lost, ['b: b is no good']);
  assert.deepEqual(lines, []);
  assert.equal(writer.waiting, 0);
});

test('when the database goes away in between, the rest of such a batch waits', async () => {
  let isAway = false;
  const { writer, clock, tried, lost } = scene({
    fails: (batch) => (isAway ? away : batch.includes('b') ? new Error('b is no good') : undefined),
    judge: (error) => (error === away ? 'again' : 'apart'),
    after: () => void (isAway = true),
  });
  addAll(writer, 'abc');
  await turn();
  assert.deepEqual(tried, ['!abc', 'a', '!b']);
  assert.equal(writer.waiting, 2);
  isAway = false;
  clock.advance(1_000);
  await turn();
  isAway = false;
  clock.advance(1_000);
  await turn();
  assert.deepEqual(tried.slice(3), ['!b', 'c']);
  assert.deepEqual(lost, ['b: b is no good']);
});

test('a batch that was tried often enough is lost, and what comes after it is written', async () => {
  const { writer, clock, tried, lost } = scene({
    fails: (batch) => (batch.includes('a') ? away : undefined),
    judge: (_error, failures) => (failures < 3 ? 'again' : 'lost'),
  });
  addAll(writer, 'abcd');
  for (let tries = 0; tries < 4; tries += 1) {
    await turn();
    clock.advance(1_000);
  }
  await turn();
  assert.deepEqual(tried, ['!abc', '!abc', '!abc', 'd']);
  assert.deepEqual(lost, ['abc: the database is away']);
});

test('the work after a batch may fail: it is retried with the next batch, and the batch is not written twice', async () => {
  let fails = true;
  const afters: string[] = [];
  const { writer, clock, tried, lines } = scene({
    async after(batch) {
      afters.push(batch.join(''));
      if (fails) throw away;
    },
  });
  addAll(writer, 'abc');
  await turn();
  assert.equal(writer.waiting, 0);
  fails = false;
  addAll(writer, 'd');
  clock.advance(100);
  await turn();
  assert.deepEqual(tried, ['abc', 'd']);
  assert.deepEqual(afters, ['abc', 'd']);
  assert.equal(lines.length, 1);
});

test('a flush writes everything at once and ends at the first failure', async () => {
  let isAway = false;
  const { writer, tried } = scene({ fails: () => (isAway ? away : undefined) });
  addAll(writer, 'abcd');
  await writer.flush();
  assert.deepEqual(tried, ['abc', 'd']);
  isAway = true;
  addAll(writer, 'efgh');
  await writer.flush();
  await writer.flush();
  assert.deepEqual(tried.slice(2), ['!efg', '!efg']);
});

test('a flush waits for the work after a batch, too', async () => {
  const gate = Promise.withResolvers<void>();
  const { writer, tried } = scene({ after: () => gate.promise });
  addAll(writer, 'a');
  const first = writer.flush();
  await turn();
  assert.deepEqual([tried, writer.waiting], [['a'], 0]);
  let isFlushed = false;
  void writer.flush().then(() => (isFlushed = true));
  await turn();
  assert.equal(isFlushed, false);
  gate.resolve();
  await first;
  await turn();
  assert.equal(isFlushed, true);
});

test('giving up includes the batch that is under way', async () => {
  const { writer } = scene({ write: () => new Promise(() => undefined) });
  addAll(writer, 'abcd');
  await turn();
  assert.deepEqual(writer.clear(), ['a', 'b', 'c', 'd']);
});

test('a drain tries again until its time is over, and what is left can be given up', async () => {
  const { writer, clock, tried } = scene({ fails: () => away });
  addAll(writer, 'abcd');
  const drained = writer.drain(350);
  for (let tries = 0; tries < 4; tries += 1) {
    await turn();
    clock.advance(100);
  }
  assert.equal(await drained, false);
  assert.deepEqual(writer.clear(), ['a', 'b', 'c', 'd']);
  assert.ok(tried.length >= 4, `${tried.length} tries`);
  const before = tried.length;
  clock.advance(60_000);
  await turn();
  assert.equal(tried.length, before, 'it does not try any more');
  assert.equal(writer.waiting, 0);
});

test('a database that does not answer holds no drain up', async () => {
  const { writer, clock } = scene({ write: () => new Promise(() => undefined) });
  addAll(writer, 'abcd');
  const drained = writer.drain(350);
  await turn();
  clock.advance(350);
  assert.equal(await drained, false);
  assert.equal(writer.waiting, 4);
});

test('a writer that rests keeps what waits, and goes on with what is added', async () => {
  let isAway = true;
  const { writer, clock, tried } = scene({ fails: () => (isAway ? away : undefined) });
  addAll(writer, 'ab');
  await writer.flush();
  writer.rest();
  clock.advance(60_000);
  await turn();
  assert.deepEqual(tried, ['!ab']);
  isAway = false;
  addAll(writer, 'c');
  clock.advance(1_000);
  await turn();
  assert.deepEqual(tried, ['!ab', 'abc']);
});
