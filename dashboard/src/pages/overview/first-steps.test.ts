import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from './first-steps.ts';

const ALL = {
  hasSent: true,
  hasKeyInUse: true,
  hasProvider: true,
  hasNewsletter: true,
  hasSentIssue: true,
  hasDomain: true,
};

test('no step is shown before all facts are known', () => {
  for (const name of Object.keys(ALL)) assert.equal(stepsOf({ ...ALL, [name]: undefined }), undefined, name);
});

test('a step is done when its fact is true', () => {
  const steps = stepsOf({ ...ALL, hasKeyInUse: false, hasProvider: false, hasSentIssue: false, hasDomain: false });
  assert.deepEqual(
    steps?.filter(({ isDone }) => isDone).map(({ id }) => id),
    ['send', 'newsletter'],
  );
});

test('where the operator names the domains, no step asks for one', () => {
  assert.deepEqual(
    stepsOf({ ...ALL, hasDomain: null })?.map(({ id }) => id),
    ['send', 'key', 'newsletter', 'issue', 'provider'],
  );
});
