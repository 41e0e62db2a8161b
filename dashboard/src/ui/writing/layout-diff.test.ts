import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutDiff } from './layout-diff.ts';

const outlinedIn = (html: string): string[] =>
  [...html.matchAll(/<([a-z0-9]+)[^>]*outline:[^>]*>([^<]*)/g)].map(([, tag, words]) => `${tag} ${words}`);

test('the smallest block whose layout differs is outlined on both sides, and named by its words', () => {
  const diff = layoutDiff(
    '<p>Hello</p><div><p style="color:red">To <b>all</b> of you</p><p>Bye</p></div>',
    '<p>Hello</p>\n<div><p style="color:red">To all of you</p><p>Bye</p></div>',
  );
  assert.deepEqual(outlinedIn(diff.mine), ['p To ']);
  assert.deepEqual(outlinedIn(diff.theirs), ['p To all of you']);
  assert.deepEqual(diff.parts, ['To all of you']);
  assert.match(diff.mine, /style="color:red;outline:/);
});

test('blocks of another kind or number are outlined each', () => {
  const diff = layoutDiff('<h2>Hello</h2><p>One</p><p>Two</p><hr>', '<p>Hello</p><ul><li>One</li><li>Two</li></ul>');
  assert.deepEqual(outlinedIn(diff.mine), ['h2 Hello', 'p One', 'p Two', 'hr ']);
  assert.deepEqual(outlinedIn(diff.theirs), ['p Hello', 'ul ']);
  assert.deepEqual(diff.parts, ['Hello', 'One', 'Two', 'One Two']);
});

test('space between tags and other spellings of the same tags show nothing', () => {
  const diff = layoutDiff('<P>Hello</P>\n\n<p>You</p>', '<p>Hello<p>You');
  assert.deepEqual([diff.looksSame, diff.parts], [true, []]);
});

test('a mail that is nested very deeply is outlined at the level where the comparison ends', () => {
  const nested = (end: string) => `${'<div>'.repeat(5_000)}${end}${'</div>'.repeat(5_000)}`;
  const diff = layoutDiff(nested('<p>a</p>'), nested('<h1>a</h1>'));
  assert.deepEqual([outlinedIn(diff.mine), diff.parts], [['div '], ['a']]);
});
