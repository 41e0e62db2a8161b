import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownSubject } from './shown-subject.ts';

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
