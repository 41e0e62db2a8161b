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

test('two at a time; a workspace with nothing under way comes first', async () => {
  const { begun, start, end } = gates(createDecodingSlots());
  const all = ['a1', 'a2', 'a3', 'b1'].map((name) => start(name.slice(0, 1), name));
  await turn();
  assert.deepEqual(begun, ['a1', 'a2']);
  end('a1');
  await turn();
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  for (const name of ['a2', 'b1']) end(name);
  await turn();
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
  end('a3');
  await Promise.all(all);
});

test('503 with Retry-After beyond eight that wait of one workspace, and sixteen of all', async () => {
  const { start } = gates(createDecodingSlots());
  const refused = { name: 'service_unavailable_error' };
  for (let n = 0; n < 10; n += 1) void start('a', `a${n}`);
  await assert.rejects(start('a', 'a10'), refused);
  for (let n = 0; n < 8; n += 1) void start(`b${n}`, `b${n}`);
  await assert.rejects(start('c', 'c'), refused);
});

test('work that fails gives its place to the next', async () => {
  const inSlot = createDecodingSlots();
  const fails = () => Promise.reject(new Error('no'));
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => inSlot('a', fails)));
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.equal(await inSlot('a', async () => 'done'), 'done');
});
