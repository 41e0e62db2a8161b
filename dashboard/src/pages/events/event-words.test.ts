import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectOf, subjectOfEmail, toneOfEvent } from './event-words.ts';

test('an event without an email is about the address in its data', () => {
  assert.equal(subjectOf({ event_data: { subscriber: { id: '1', email: 'ada@example.com' } } }), 'ada@example.com');
  const newsletter = { name: 'Weekly', slug: 'weekly' };
  const subscriber = { name: 'Ada', email: 'ada@example.com' };
  assert.equal(subjectOf({ event_data: { newsletter, subscriber } }), 'ada@example.com');
  assert.equal(subjectOf({ event_data: { newsletter } }), 'Weekly');
  assert.equal(subjectOf({ event_data: {} }), null);
});

test('the subject of an issue or a broadcast is shown with the words that stand for its values', () => {
  const subject = 'Hello, {{ subscriber.name | default: "friend" }}';
  for (const source of ['issue', 'broadcast'])
    assert.equal(subjectOfEmail({ email: { subject, source } }), 'Hello, friend');
  assert.equal(subjectOfEmail({ email: { subject, source: 'api' } }), subject);
  assert.equal(subjectOfEmail({}), undefined);
});

test('failures are bad, and unknown types are quiet', () => {
  assert.equal(toneOfEvent('automation.failed'), 'bad');
  assert.equal(toneOfEvent('of.next.year'), 'quiet');
});
