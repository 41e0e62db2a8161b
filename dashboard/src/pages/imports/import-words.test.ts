import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removesWords, staysWords } from './import-words.ts';

const none = { total: 0, unsubscribed: 0, confirmed: 0, asked: 0, on_other_lists: 0, changed: 0 };
const into = (type: 'list' | 'newsletter') => ({ target: { type, id: '' } });

test('an undo says how many people it removes, and from where', () => {
  assert.equal(removesWords(into('newsletter'), 1), '1 person will be removed from the newsletter, for good.');
  assert.match(removesWords(into('list'), 2_000), /^2,000 people will be taken off the list\. /);
});

test('people who stay are counted with their reasons', () => {
  assert.equal(staysWords(none), '');
  assert.equal(staysWords({ ...none, total: 1, changed: 1 }), '1 person whom it added stays: 1 was changed since.');
  assert.equal(
    staysWords({ total: 9, unsubscribed: 1, confirmed: 2, asked: 3, on_other_lists: 1, changed: 2 }),
    '9 people whom it added stay: 1 has unsubscribed, 2 have confirmed since, 3 were sent the confirmation email, ' +
      '1 is on other lists, 2 were changed since.',
  );
});
