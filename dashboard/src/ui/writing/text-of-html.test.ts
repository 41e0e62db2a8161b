import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfHtml } from './text-of-html.ts';

test('a block is a line; links show their address, and pictures their name', () => {
  const html = `<style>p{}</style><h1>Hello  {{ name }}</h1><p>Read <a href="https://a.test/x">this</a><br>now</p>
    <ul><li>One</li><li>Two</li></ul><img src="https://a.test/p.png" alt="A cat"><img src="https://a.test/q.png">
    <table><tr><td>a</td><td>b</td></tr></table><!-- unseen -->`;
  assert.equal(
    textOfHtml(html),
    [
      'Hello {{ name }}',
      'Read this (https://a.test/x)',
      'now',
      'One',
      'Two',
      '[Picture: A cat][Picture: https://a.test/q.png]',
      'a b',
    ].join('\n'),
  );
});

test('elements that lie in each other four hundred deep are read', () => {
  assert.equal(textOfHtml(`${'<b>'.repeat(400)}deep`), 'deep');
});
