import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecodingSlots } from './decoding-slots.ts';

/** Work that ends when it is told to, and notes its beginning. */
function gates(inSlot: ReturnType<typeof createDecodingSlots>) {
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  const start = (workspaceId: string, name: string): Promise<void> =>
    inSlot(workspaceId, () => {
      begun.push(name);
      return new Promise<void>((resolve) => open.set(name, resolve));
    });
  return { begun, start, end: (name: string) => open.get(name)?.() };
}

const turn = (): Promise<void> => new Promise(setImmediate);

test('one at a time of a workspace, two of all: forty images of one leave a place for another', async () => {
  const { begun, start, end } = gates(createDecodingSlots());
  const all = Array.from({ length: 40 }, (_, n) => start('a', `a${n}`));
  const settled = Promise.allSettled(all);
  await turn();
  assert.deepEqual(begun, ['a0']);
  const other = start('b', 'b0');
  await turn();
  assert.deepEqual(begun, ['a0', 'b0']);
  end('b0');
  await other;
  assert.deepEqual(begun, ['a0', 'b0'], 'the place of b is not for another of a');
  for (let n = 0; n < 40; n += 1) {
    end(`a${n}`);
    await turn();
  }
  const stored = (await settled).filter(({ status }) => status === 'fulfilled');
  assert.equal(stored.length, 9);
});

test('workspaces that wait take turns: each waits for one image of every other', async () => {
  const { begun, start, end } = gates(createDecodingSlots());
  const names = ['a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'b3', 'c1', 'c2', 'd1'];
  const all = names.map((name) => start(name.slice(0, 1), name));
  for (let n = 0; n < names.length; n += 1) {
    await turn();
    end(begun[n] ?? '');
  }
  await Promise.all(all);
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'd1', 'a3', 'b3', 'c2', 'a4']);
});

const REFUSED = { name: 'service_unavailable_error', extras: { retryAfterSeconds: 2, expected: true } };

test('503 with Retry-After beyond eight that wait of one workspace', async () => {
  const { start } = gates(createDecodingSlots());
  for (let n = 0; n < 9; n += 1) void start('a', `a${n}`);
  await assert.rejects(start('a', 'a9'), REFUSED);
});

test('where sixteen wait, the newest of the longest line gives its place to a workspace with fewer', async () => {
  const { begun, start, end } = gates(createDecodingSlots());
  const ofA = Array.from({ length: 9 }, (_, n) => start('a', `a${n}`));
  const ofB = Array.from({ length: 9 }, (_, n) => start('b', `b${n}`));
  void start('c', 'c0');
  await assert.rejects(async () => ofA.at(-1), REFUSED);
  void start('c', 'c1');
  await assert.rejects(async () => ofB.at(-1), REFUSED);
  end('a0');
  await turn();
  end('b0');
  await turn();
  assert.deepEqual(begun, ['a0', 'b0', 'a1', 'b1']);
  end('a1');
  await turn();
  assert.equal(begun.at(-1), 'c0');
});

test('503 where as many workspaces wait as there are places', async () => {
  const { start } = gates(createDecodingSlots());
  for (let n = 0; n < 18; n += 1) void start(`w${n}`, `w${n}`);
  await assert.rejects(start('x', 'x'), REFUSED);
});

test('work that fails gives its place to the next', async () => {
  const inSlot = createDecodingSlots();
  const fails = () => Promise.reject(new Error('no'));
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => inSlot('a', fails)));
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.equal(await inSlot('a', async () => 'done'), 'done');
});
