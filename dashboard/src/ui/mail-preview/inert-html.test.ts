import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inertHtml } from './inert-html.ts';

const inert = (html: string): string => inertHtml(html, { dark: false });

test('a link leads nowhere, and its address is read where the pointer rests', () => {
  assert.match(
    inert('<a href="https://a.test/?b&amp;c" target="_top" onclick="x()">d</a>'),
    /<a title="https:\/\/a\.test\/\?b&amp;c" role="link" aria-disabled="true" style="color:#0000ee;text-decoration:underline;">d<\/a>/,
  );
  assert.match(inert('<a href="x" style="color:red">d</a>'), /style="color:red">d/);
});

test('nothing that loads, runs or leads somewhere by itself is left', () => {
  const html =
    inert(`<!doctype html><base href="https://e.test/"><meta http-equiv="refresh" content="0;url=https://e.test/">
    <link rel="stylesheet" href="https://e.test/"><body onload="x()"><script>x()</script><iframe src="https://e.test/"></iframe>
    <form action="https://e.test/"><button formaction="https://e.test/">y</button></form><object data="https://e.test/"></object>
    <svg onload="x()"><a xlink:href="https://e.test/"><text>z</text></a></svg><map><area href="https://e.test/"></map>`);
  assert.doesNotMatch(html, /e\.test|x\(\)|<script|<base|http-equiv/);
  assert.match(html, /^<!DOCTYPE html>/);
});

test('a numbered link gets its badge, as text, and no other link does', () => {
  const html = inertHtml('<a href="https://a.test" data-posthorn-link="2">a</a><a href="https://b.test">b</a>', {
    dark: false,
    badges: new Map([['2', '2: <64>']]),
  });
  assert.equal(html.split('data-badge').length, 2);
  assert.match(html, />a<span [^>]*><span data-badge[^>]*>2: &lt;64&gt;<\/span><\/span><\/a>/);
});

test('the dark view turns colours round, and the light one does not', () => {
  assert.match(inertHtml('<p>a</p>', { dark: true }), /<head><style>[^<]*invert\(1\)/);
  assert.doesNotMatch(inert('<p>a</p>'), /invert/);
  const own = '<style>@media (prefers-color-scheme: dark){p{color:#fff}}</style><p>a</p>';
  assert.doesNotMatch(inertHtml(own, { dark: true }), /invert|prefers-color-scheme/, 'it has a dark form of its own');
});

test('a body is not as high as its frame, which is as high as the body', () => {
  assert.match(
    inert('<style>body{min-height:100vh}</style><p>a</p>'),
    /body\{min-height:0!important\}[^<]*<\/style><\/head>/,
  );
});
