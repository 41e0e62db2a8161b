import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from './byte-budget.ts';

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  const pending = Symbol('pending');
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(() => resolve(pending)))])) !== pending;
};

test('a request for more bytes than are left waits until they are returned, in order of arrival', async () => {
  const budget = new ByteBudget(100);
  const giveBack = await budget.take(80);
  const large = budget.take(50);
  const small = budget.take(10);
  assert.equal(await settled(small), false, 'small ones do not overtake, or a large one would wait for ever');
  giveBack();
  assert.deepEqual([await settled(large), await settled(small)], [true, true]);
});

test('a wish larger than the budget gets all of it, alone', async () => {
  const budget = new ByteBudget(100);
  const giveBack = await budget.take(5_000);
  const other = budget.take(1);
  assert.equal(await settled(other), false);
  giveBack();
  giveBack();
  assert.equal(await settled(other), true);
  assert.equal(await settled(budget.take(100)), false, 'giving back twice gave nothing twice');
});
