import assert from 'node:assert/strict';
import { test } from 'node:test';
// The only import of server code here: this test compares the copy with the list that decides.
import { EVENT_TYPES as SERVER_TYPES } from '../../../server/src/features/webhooks/catalogue.ts';
import { describeEvents, EVENT_TYPES } from './event-types.ts';

test('the checklist has every type of the server, each once', () => {
  assert.deepEqual(EVENT_TYPES.toSorted(), SERVER_TYPES.toSorted());
});

test('a few types are named, and many counted', () => {
  assert.equal(describeEvents(['*']), 'Every event');
  assert.equal(describeEvents(['bounce', 'complaint']), 'bounce, complaint');
  assert.equal(describeEvents(['bounce', 'complaint', 'open']), '3 types');
});
