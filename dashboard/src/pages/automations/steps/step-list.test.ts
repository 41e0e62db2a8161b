import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AutomationStep } from '../../../api/generated/types.gen.ts';
import {
  changeStep,
  draftSteps,
  freshKey,
  insertStep,
  moveStep,
  readySteps,
  removeStep,
  sayingOf,
  targetFault,
} from './step-list.ts';

const STEPS: AutomationStep[] = [
  { key: 'wait', type: 'delay', config: { duration: '1 day' } },
  { key: 'check', type: 'condition', config: { field: 'email', op: 'exists', else: 'mail' } },
  { key: 'mail', type: 'send_email', config: { template_id: 't' } },
];
const steps = draftSteps(STEPS);
const keys = (of: readonly { step: AutomationStep }[]) => of.map(({ step }) => step.key);

test('a new step has a key and an id that no other has', () => {
  assert.equal(freshKey('mail', steps), 'mail_2');
  const more = insertStep(steps, 1, { key: 'stop', type: 'end', config: {} });
  assert.deepEqual(keys(more), ['wait', 'stop', 'check', 'mail']);
  assert.equal(new Set(more.map(({ id }) => id)).size, 4);
});

test('a step changes places, and a branch that leads back is told', () => {
  const moved = moveStep(steps, 2, -1);
  assert.deepEqual(keys(moved), ['wait', 'mail', 'check']);
  assert.equal(targetFault(steps, 1, 'mail'), undefined);
  assert.match(targetFault(moved, 2, 'mail') ?? '', /not a later step/);
  assert.match(targetFault(steps, 1, 'gone') ?? '', /no step “gone”/);
});

test('branches follow a step that is renamed, and pass one that is removed', () => {
  const named = changeStep(steps, 2, { ...(STEPS[2] as AutomationStep), key: 'letter' }); // there are three
  assert.equal(named[1]?.step.config.else, 'letter');
  assert.equal(removeStep(steps, 2)[1]?.step.config.else, 'end');
  const longer = insertStep(steps, 3, { key: 'stop', type: 'end', config: {} });
  assert.equal(removeStep(longer, 2)[1]?.step.config.else, 'stop');
});

test('empty fields are not sent, and a list for `in` is typed with commas', () => {
  const typed = draftSteps([
    { key: 'a', type: 'send_email', config: { template_id: 't', subject: '', from: null } },
    { key: 'b', type: 'condition', config: { field: 'payload.plan', op: 'in', value: 'pro, team,' } },
    { key: 'c', type: 'condition', config: { field: 'payload.plan', op: 'exists', value: 'old' } },
  ]);
  assert.deepEqual(
    readySteps(typed).map(({ config }) => config),
    [
      { template_id: 't', from: null },
      { field: 'payload.plan', op: 'in', value: ['pro', 'team'] },
      { field: 'payload.plan', op: 'exists' },
    ],
  );
});

test('two definitions say the same, however they are written', () => {
  const trigger = { type: 'api' };
  const other = STEPS.map((step) => ({ config: { ...step.config, subject: null }, type: step.type, key: step.key }));
  assert.equal(sayingOf(trigger, STEPS), sayingOf({ filter: null, ...trigger }, other));
  assert.notEqual(sayingOf(trigger, STEPS), sayingOf(trigger, STEPS.toReversed()));
});
