import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBudget } from './body-budget.ts';

const MB = 1_048_576;
const aBudget = () => new BodyBudget({ bytesMax: 128 * MB, bodyBytesMax: 40 * MB });

test('bodies have room until the budget is spent, and again when one has been given back', () => {
  const budget = aBudget();
  const held = ['a', 'b', 'c'].map((caller) => budget.take(caller, 35 * MB));
  assert.ok(held.every((one) => one !== undefined));
  assert.equal(budget.take('d', 35 * MB), undefined);
  assert.equal(budget.held, 105 * MB);
  held[0]?.release();
  held[0]?.release();
  assert.equal(budget.held, 70 * MB);
  assert.ok(budget.take('d', 35 * MB));
});

test('one caller leaves room for the largest body of another', () => {
  const budget = aBudget();
  assert.ok(budget.take('a', 36 * MB));
  assert.ok(budget.take('a', 36 * MB));
  assert.equal(budget.take('a', 36 * MB), undefined);
  assert.ok(budget.take('b', 40 * MB));
});

test('one caller leaves room for small bodies of others, however many small ones it has', () => {
  const budget = aBudget();
  for (let n = 0; n < 88; n += 1) assert.ok(budget.take('a', MB));
  assert.equal(budget.take('a', 1), undefined);
  for (let n = 0; n < 40; n += 1) assert.ok(budget.take('b', MB));
});

test('an eighth is kept for bodies of up to 1 MB', () => {
  const budget = aBudget();
  for (const caller of ['a', 'b']) assert.ok(budget.take(caller, 40 * MB));
  assert.ok(budget.take('c', 32 * MB));
  assert.equal(budget.take('d', 2 * MB), undefined);
  for (let n = 0; n < 16; n += 1) assert.ok(budget.take('a', MB));
  assert.equal(budget.take('e', 1), undefined);
});

test('a body whose length is not told takes room as it grows, and is refused when there is none', () => {
  const budget = aBudget();
  const growing = budget.take('a', 0);
  assert.ok(growing?.grow(30 * MB));
  const other = budget.take('b', 40 * MB);
  assert.ok(budget.take('c', 40 * MB));
  assert.equal(growing?.grow(10 * MB), false);
  assert.equal(budget.held, 110 * MB);
  other?.release();
  assert.equal(growing?.grow(10 * MB), true);
  growing?.release();
  assert.equal(growing?.grow(1), false);
  assert.equal(budget.held, 40 * MB);
});

test('a body that is alone is never refused, whatever the budget', () => {
  const budget = new BodyBudget({ bytesMax: MB, bodyBytesMax: 40 * MB });
  const alone = budget.take('a', 40 * MB);
  assert.ok(alone);
  assert.equal(budget.take('b', 40 * MB), undefined);
  alone?.release();
  assert.ok(budget.take('b', 40 * MB));
});
