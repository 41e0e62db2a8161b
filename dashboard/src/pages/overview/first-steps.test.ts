import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from './first-steps.ts';

test('no step is shown before all facts are known', () => {
  const known = { hasSent: true, hasKeyInUse: true, hasProvider: true, hasNewsletter: true, hasDomain: true };
  assert.equal(stepsOf({ ...known, hasKeyInUse: undefined }), undefined);
  assert.equal(stepsOf({ ...known, hasDomain: undefined }), undefined);
});

test('a step is done when its fact is true', () => {
  const steps = stepsOf({
    hasSent: true,
    hasKeyInUse: false,
    hasProvider: false,
    hasNewsletter: true,
    hasDomain: false,
  });
  assert.deepEqual(
    steps?.filter(({ isDone }) => isDone).map(({ id }) => id),
    ['send', 'newsletter'],
  );
});

test('where the operator names the domains, no step asks for one', () => {
  const facts = { hasSent: true, hasKeyInUse: true, hasProvider: true, hasNewsletter: true, hasDomain: null };
  assert.deepEqual(
    stepsOf(facts)?.map(({ id }) => id),
    ['send', 'key', 'newsletter', 'provider'],
  );
});
