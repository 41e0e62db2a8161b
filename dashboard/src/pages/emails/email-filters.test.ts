import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from './email-filters.ts';

const NOW = Date.parse('2026-11-22T10:30:00Z');

test('a domain gets the span of time that the API asks for, the same all day', () => {
  const span = { since: '2026-10-24T00:00:00.000Z', until: '2026-11-23T00:00:00.000Z' };
  assert.deepEqual(queryOf({ search: '@example.com' }, NOW), { to: '@example.com', ...span });
  assert.deepEqual(queryOf({ from: '@example.com' }, NOW + 3_600_000), { from: '@example.com', ...span });
});

test('filters combine with the search', () => {
  assert.deepEqual(queryOf({ search: 'Receipt', status: 'bounced', tag: 'a:b' }, NOW), {
    subject: 'Receipt',
    status: 'bounced',
    tag: 'a:b',
  });
});
