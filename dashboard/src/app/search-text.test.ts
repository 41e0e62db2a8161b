import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch, stringifySearch } from './search-text.ts';

test('the values of an address are text, and are written back as they were', () => {
  const text = '?status=failed&search=a%2Bb%40example.com&after=eyJjIjoiMSJ9&n=1&yes=true';
  const search = parseSearch(text);
  assert.deepEqual(search, { status: 'failed', search: 'a+b@example.com', after: 'eyJjIjoiMSJ9', n: '1', yes: 'true' });
  assert.equal(stringifySearch(search), text);
});

test('an empty value is left out', () => {
  assert.equal(stringifySearch({ search: '', after: undefined }), '');
});
