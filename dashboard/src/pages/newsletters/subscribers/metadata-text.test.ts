import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metadataChange, readMetadata } from './metadata-text.ts';

test('only a JSON object is metadata', () => {
  assert.deepEqual(readMetadata('{"plan":"pro"}'), { plan: 'pro' });
  assert.deepEqual(readMetadata('  '), {});
  for (const text of ['[]', 'null', '"a"', '{plan: 1}', '1']) assert.equal(readMetadata(text), undefined);
});

test('a change names the keys that are different, and removes the ones that are gone', () => {
  assert.deepEqual(
    metadataChange({ plan: 'free', since: 2024, tags: ['a'] }, { plan: 'pro', tags: ['a'], city: 'X' }),
    {
      since: null,
      plan: 'pro',
      city: 'X',
    },
  );
});
