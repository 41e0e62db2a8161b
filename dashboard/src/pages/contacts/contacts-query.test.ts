import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOfQuery } from './contacts-query.ts';

test('the filters of the list become the filter of a bulk change', () => {
  assert.deepEqual(filterOfQuery({ search: 'ada', unsubscribed: 'false', list_id: '1' }), {
    match: 'all',
    conditions: [
      { field: 'list:1', op: 'is_true' },
      { field: 'unsubscribed', op: 'is_false' },
      {
        match: 'any',
        conditions: [
          { field: 'email', op: 'contains', value: 'ada' },
          { field: 'name', op: 'contains', value: 'ada' },
          { field: 'first_name', op: 'contains', value: 'ada' },
          { field: 'last_name', op: 'contains', value: 'ada' },
        ],
      },
    ],
  });
});

test('without a filter everybody is meant, by a condition that says so', () => {
  assert.deepEqual(filterOfQuery({}), { match: 'all', conditions: [{ field: 'email', op: 'is_set' }] });
});
