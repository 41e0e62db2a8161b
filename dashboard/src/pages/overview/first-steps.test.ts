import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSteps, stepsOf } from './first-steps.ts';

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

test('while mail is captured, the list is finished without a provider and a domain', () => {
  const steps = stepsOf({ ...ALL, hasProvider: false, hasDomain: false }) ?? [];
  assert.deepEqual(countSteps(steps), { left: 0, total: 4 });
  assert.deepEqual(
    steps.filter(({ isOptional }) => isOptional).map(({ id }) => id),
    ['domain', 'provider'],
  );
});

test('once a provider is named, the list is not finished without a domain', () => {
  assert.deepEqual(countSteps(stepsOf({ ...ALL, hasDomain: false }) ?? []), { left: 1, total: 6 });
});
