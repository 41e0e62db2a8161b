import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownSubject, shownSubjectOf } from './shown-subject.ts';

test('a title shows the fallback of each value, and no Liquid', () => {
  for (const [subject, shown] of [
    ['News of October', 'News of October'],
    ['Hi {{ subscriber.name | default: "there" }}, news', 'Hi there, news'],
    ["{{subscriber.name|default:'Reader'}}: news", 'Reader: news'],
    ['Hi {{ subscriber.name }}, news', 'Hi, news'],
    ['{{ subscriber.name }}, your news', 'your news'],
    ['{% if subscriber.name %}Hi {{ subscriber.name }}!{% else %}Hello!{% endif %} News', 'Hello! News'],
    ['{% if subscriber.name %}Hi {{ subscriber.name }}: {% endif %}News', 'News'],
    ['{{ subscriber.name }}', ''],
    ['A { brace', 'A { brace'],
    ['{{ broken', '{{ broken'],
  ] as const)
    assert.equal(shownSubject(subject), shown, subject);
});

test('the variables in the subject of an issue and of a broadcast are not shown, and braces of other emails are', () => {
  const subject = 'Hi {{ first_name | default: "there" }}';
  for (const source of ['issue', 'broadcast']) assert.equal(shownSubjectOf({ subject, source }), 'Hi there', source);
  for (const source of ['automation', 'api', 'scheduled', null])
    assert.equal(shownSubjectOf({ subject, source }), subject, String(source));
});
