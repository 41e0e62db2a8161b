import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  OPS as SERVER_OPS,
  OWN_EVENTS,
  isNewsletterEvent,
} from '../../../../server/src/features/automations/step-fields.ts';
import { branchWords } from './branch-words.ts';
import { conditionWords, OPS } from './conditions.ts';
import { durationText, readDuration } from './durations.ts';
import { eventWords, OWN_EVENT, TRIGGERS, triggerWords } from './triggers.ts';

test('the server knows every event and operator of the page', () => {
  const own = TRIGGERS.filter(({ type }) => type !== OWN_EVENT && type !== 'api');
  const served: readonly string[] = OWN_EVENTS;
  assert.deepEqual(
    own.filter(({ type }) => !served.includes(type)),
    [],
  );
  for (const { type, ofNewsletter = false } of own) assert.equal(ofNewsletter, isNewsletterEvent(type), type);
  assert.deepEqual(
    OPS.map(({ value }) => value),
    [...SERVER_OPS],
  );
});

test('triggers, conditions, branches and durations are told in words', () => {
  assert.equal(eventWords('event:order.paid'), 'Your event order.paid');
  const filter = [{ field: 'email', op: 'exists' as const }];
  const trigger = { type: 'newsletter_confirmed', newsletter_id: 'n', filter };
  assert.equal(
    triggerWords(trigger, () => 'Letters'),
    'Somebody becomes an active subscriber: Letters, with 1 condition',
  );
  assert.equal(conditionWords({ field: 'payload.plan', op: 'in', value: ['a', 'b'] }), 'payload.plan is one of a, b');
  assert.equal(conditionWords({ field: 'payload.n', op: 'gt', value: 3 }), 'payload.n is more than 3');
  assert.equal(conditionWords({ field: 'payload.n', op: 'is_set' }), 'payload.n is there');
  assert.equal(branchWords('timeout'), 'Time was up');
  assert.equal(branchWords('event:order.paid'), 'Your event order.paid');
  assert.equal(branchWords('something_new'), 'something new');
  assert.deepEqual(readDuration('3 days'), { count: '3', unit: 'day' });
  assert.deepEqual([durationText('1', 'hour'), durationText('2', 'hour')], ['1 hour', '2 hours']);
});
