import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterWords } from './filter-words.ts';

test('a filter is told in one line', () => {
  const names = {
    properties: [{ key: 'plan', type: 'string' as const }],
    lists: [{ id: '1', name: 'Pros' }],
    segments: [],
  };
  const filter = {
    match: 'all' as const,
    conditions: [
      { field: 'property:plan', op: 'equals', value: 'pro' },
      {
        match: 'any' as const,
        conditions: [
          { field: 'list:1', op: 'is_true' },
          { field: 'clicked', op: 'none', within: '4 weeks' },
        ],
      },
    ],
  };
  assert.equal(
    filterWords(filter, names),
    'plan is pro and (On the list Pros or Emails clicked: none in the last 4 weeks)',
  );
});
