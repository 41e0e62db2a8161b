import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../lib/api-error.ts';
import { readFaults, withoutStep } from './step-faults.ts';
import { draftSteps } from './step-list.ts';

const steps = draftSteps([
  { key: 'a', type: 'delay', config: {} },
  { key: 'b', type: 'condition', config: {} },
]).toReversed();

test('each fault is at its step and field, without its path', () => {
  const error = new ApiError('answer', 422, 'several', {
    details: [
      'steps[0].config.else: there is no step with the key "x"',
      'steps[1].key must be 1 to 64 of a-z',
      'trigger.filter[0].value is required for equals',
    ],
  });
  const faults = readFaults(error, steps);
  assert.deepEqual(faults, {
    ofSteps: { 1: { else: 'There is no step with the key "x".' }, 0: { key: 'It must be 1 to 64 of a-z.' } },
    ofTrigger: { 'filter[0].value': 'It is required for equals.' },
    hasRest: false,
  });
  assert.deepEqual(withoutStep(faults, 1).ofSteps, { 0: { key: 'It must be 1 to 64 of a-z.' } });
});

test('a refusal that no field shows is told above them', () => {
  assert.equal(readFaults(new ApiError('network', 0, 'gone'), steps).hasRest, true);
  const single = new ApiError('answer', 422, 'There is no template x.', { param: 'steps[1].config.template_id' });
  assert.deepEqual(readFaults(single, steps), {
    ofSteps: { 0: { template_id: 'There is no template x.' } },
    ofTrigger: {},
    hasRest: false,
  });
});
