import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchedIn, wordsOf } from './words.ts';

const beginning = (word: string) => ({ word, isBeginning: true });
const whole = (word: string) => ({ word, isBeginning: false });

test('a word is known without its accents, its case and what stands around it', () => {
  assert.deepEqual(wordsOf('Café, «Straße» — l’été 2026! Don’t.', 100), [
    'cafe',
    'strasse',
    'l',
    'ete',
    '2026',
    'don',
    't',
  ]);
  assert.deepEqual(searchedIn('CAFE strasse'), [beginning('cafe'), beginning('strasse')]);
});

test('of a language without spaces, letters that stand beside each other are words', () => {
  assert.deepEqual(wordsOf('地図と山Ada', 100), ['地図', '図と', 'と山', '山', 'ada']);
  assert.deepEqual(searchedIn('地図と'), [whole('地図'), whole('図と')]);
  assert.deepEqual(searchedIn('山'), [beginning('山')]);
  assert.deepEqual(wordsOf('が', 100), ['が'], 'its mark is no accent');
});

test('a short word is looked for as it is, and words of three letters as the beginning of others', () => {
  assert.deepEqual(searchedIn('of map'), [whole('of'), beginning('map')]);
  assert.deepEqual(searchedIn(' ?! \0\u202e "" '), []);
});

test('a text has so many words, and a search sixteen, however long they are', () => {
  const long = Array.from({ length: 50 }, (_, n) => `word${n}`).join(' ');
  assert.equal(wordsOf(long, 30).length, 30);
  assert.equal(wordsOf('地図'.repeat(50), 2).length, 2);
  assert.equal(searchedIn(long).length, 16);
  assert.deepEqual(wordsOf('x'.repeat(500), 9), ['x'.repeat(40)]);
});

test('whatever is typed, its words are letters and digits, and a text that holds it is found by it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
      const searched = searchedIn(typed);
      for (const { word } of searched) assert.match(word, /^[\p{L}\p{N}\p{M}]{1,40}$/u);
      const words = wordsOf(`before ${typed} after`, 1_000);
      for (const { word, isBeginning } of searched)
        assert.ok(
          words.some((one) => (isBeginning ? one.startsWith(word) : one === word)),
          word,
        );
    }),
  );
});
