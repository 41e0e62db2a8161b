import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAsStored } from './search-as-stored.ts';

test('an address in other letters is looked for as it is stored, whole or from a part of its name on', () => {
  assert.equal(searchAsStored(' Ada@Bücher.example '), 'ada@xn--bcher-kva.example');
  assert.equal(searchAsStored('da@bücher.example'), 'da@xn--bcher-kva.example');
  assert.equal(searchAsStored('@bücher.example'), '@xn--bcher-kva.example');
});

test('a text that no domain ends is looked for as it was typed', () => {
  for (const text of ['Müller', 'Dr. Ö', 'bücher.example', 'ada@', 'ada@büch', '@', 'a@b..c']) {
    assert.equal(searchAsStored(text), text);
  }
});
