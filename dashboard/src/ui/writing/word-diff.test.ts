import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Piece, passagesOf, wordsOf } from './word-diff.ts';

/** All that is shown when every passage is. */
function drawn(theirs: string, mine: string): Piece[] {
  const { passages, tail } = passagesOf(theirs, mine);
  const pieces = passages.flatMap(({ lead, ...words }): Piece[] => [{ of: 'both', text: lead }, ...wordsOf(words)]);
  return [...pieces, { of: 'both', text: tail } as const].filter(({ text }) => text !== '');
}

const textOf = (pieces: readonly Piece[], without: Piece['of']): string =>
  pieces
    .filter(({ of }) => of !== without)
    .map(({ text }) => text)
    .join('');

const numbered = (line: (index: number) => string, length = 50_000): string =>
  Array.from({ length }, (_, index) => line(index)).join('\n');

test('each word is of both versions or of one', () => {
  assert.deepEqual(drawn('We meet on Monday at nine.', 'We meet on Friday at nine.'), [
    { of: 'both', text: 'We meet on ' },
    { of: 'theirs', text: 'Monday' },
    { of: 'mine', text: 'Friday' },
    { of: 'both', text: ' at nine.' },
  ]);
  assert.deepEqual(drawn('', 'New'), [{ of: 'mine', text: 'New' }]);
});

test('a short word that both have by chance does not cut a difference in pieces', () => {
  assert.deepEqual(
    drawn('Bring an apron.\nParking is behind the house.', 'Bring an apron, and a jar for the sourdough.'),
    [
      { of: 'both', text: 'Bring an apron' },
      { of: 'theirs', text: '.\nParking is behind the house' },
      { of: 'mine', text: ', and a jar for the sourdough' },
      { of: 'both', text: '.' },
    ],
  );
});

test('long equal text is left out, but for what stands beside a change', () => {
  for (const [one, two] of [
    ['one', 'two'],
    ['one', 'another, which is longer'],
  ] as const) {
    for (const long of ['word '.repeat(500), 'A line.\n'.repeat(500)]) {
      const pieces = drawn(`${long}${one} ${long}`, `${long}${two} ${long}`);
      const shown = pieces.map(({ text }) => text).join('');
      assert.ok(shown.length < 2_000, `${shown.length} characters`);
      assert.match(shown, / … /);
      for (const [of, word] of [
        ['theirs', one],
        ['mine', two],
      ] as const)
        assert.ok(pieces.some((piece) => piece.of === of && piece.text.includes(word)));
    }
  }
});

test('the passages of both versions, put together again, are the whole texts', () => {
  const theirs = 'a\nb\nc 1\nd\n\ne\nf';
  const mine = 'a\nnew\nb\nc 2\nd\ne\n\nf\n';
  const pieces = drawn(theirs, mine);
  assert.deepEqual([textOf(pieces, 'mine'), textOf(pieces, 'theirs')], [theirs, mine]);
});

for (const [name, theirs, mine] of [
  ['in every word', numbered((at) => `their${at} first${at}`), numbered((at) => `my${at} second${at}`)],
  ['in a word of each line', numbered((at) => `line ${at} a${at} stays`), numbered((at) => `line ${at} b${at} stays`)],
  [
    'in every tenth line',
    numbered((at) => `line ${at} stays`),
    numbered((at) => `line ${at} ${at % 10 ? 'stays' : 'x'}`),
  ],
  ['in one word', numbered((at) => `line ${at} stays`), numbered((at) => `line ${at === 25_000 ? 'x' : at} stays`)],
  ['in all, as lines that repeat', numbered((at) => `a${at % 7}`), numbered((at) => `b${at % 5}`)],
  [
    'in one line without an end',
    numbered((at) => `a${at}`).replaceAll('\n', ' '),
    numbered((at) => `b${at}`).replaceAll('\n', ' '),
  ],
  ['as nothing and all', '', numbered((at) => `line ${at} stays`)],
] as const) {
  test(`two texts of 50,000 lines that differ ${name} are compared in time, in passages that can be read`, () => {
    const started = performance.now();
    const { passages } = passagesOf(theirs, mine);
    const took = performance.now() - started;
    assert.ok(took < 10_000, `${took} ms`); // 15 to 350 ms on a machine that does little else
    assert.ok(passages.length > 0);
    for (const { lead, ...words } of passages) {
      assert.ok(lead.length <= 480 && words.theirs.length <= 4_000 && words.mine.length <= 4_000);
    }
    const begun = performance.now();
    for (const passage of passages.slice(0, 25)) wordsOf(passage);
    assert.ok(performance.now() - begun < 10_000);
  });
}
