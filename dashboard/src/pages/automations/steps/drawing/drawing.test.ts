import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AutomationStep } from '../../../../api/generated/types.gen.ts';
import { END, TRIGGER, waysOf } from './drawing.ts';
import { draftSteps } from '../step-list.ts';

const branchesOf = ({ type, config }: AutomationStep) => {
  if (type === 'condition') return [{ when: 'else', to: config.else ?? 'end' }, GOES_ON];
  return type === 'wait_for_event' ? [GOES_ON, { when: 'time is up', to: config.on_timeout ?? 'next' }] : undefined;
};
const GOES_ON = { when: 'it holds', to: 'next' };

const told = (steps: AutomationStep[]) =>
  waysOf(draftSteps(steps), branchesOf).map(
    ({ from, to, when, leaps }) => `${from} > ${to}${when && ` (${when})`}${leaps ? ' far' : ''}`,
  );

test('the ways of a drawing go where the branches of the steps lead', () => {
  const steps: AutomationStep[] = [
    { key: 'ask', type: 'condition', config: { field: 'email', op: 'exists', else: 'last' } },
    { key: 'heard', type: 'wait_for_event', config: { event: 'api', timeout: '1 day', on_timeout: 'end' } },
    { key: 'stop', type: 'end', config: {} },
    { key: 'last', type: 'delay', config: { duration: '1 day' } },
  ];
  assert.deepEqual(told(steps), [
    `${TRIGGER} > ask`,
    'ask > last (else) far',
    'ask > heard (it holds)',
    'heard > stop (it holds)',
    `heard > ${END} (time is up) far`,
    `stop > ${END} far`,
    `last > ${END}`,
  ]);
});

test('a branch to a step that is not there is not drawn, and without steps the trigger leads to the end', () => {
  const lost: AutomationStep = {
    key: 'ask',
    type: 'condition',
    config: { field: 'email', op: 'exists', else: 'gone' },
  };
  assert.deepEqual(told([lost]), [`${TRIGGER} > ask`, `ask > ${END} (it holds)`]);
  assert.deepEqual(told([]), [`${TRIGGER} > ${END}`]);
});
