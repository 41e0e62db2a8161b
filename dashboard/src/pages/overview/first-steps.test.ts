import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from './first-steps.ts';

test('no step is shown before all facts are known', () => {
  assert.equal(stepsOf({ hasSent: true, hasKeyInUse: undefined, hasProvider: true, hasNewsletter: true }), undefined);
});

test('a step is done when its fact is true', () => {
  const steps = stepsOf({ hasSent: true, hasKeyInUse: false, hasProvider: false, hasNewsletter: true });
  assert.deepEqual(
    steps?.filter(({ isDone }) => isDone).map(({ id }) => id),
    ['send', 'newsletter'],
  );
});
