import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasDarkForm, inScheme, withPictures } from './mail-html.ts';

const OWN = '<style>@media (prefers-color-scheme:dark){p{color:#fff}}@media ( prefers-color-scheme: light ){}</style>';

test('a mail is shown in the scheme that was asked for, not in that of the computer', () => {
  assert.match(inScheme(OWN, { dark: true }), /@media \(min-width: 0px\)\{p.*@media \(max-width: 0px\)\{\}/);
  assert.match(inScheme(OWN, { dark: false }), /@media \(max-width: 0px\)\{p.*@media \(min-width: 0px\)\{\}/);
  assert.deepEqual([hasDarkForm(OWN), hasDarkForm('<p>dark</p>')], [true, false]);
});

test('pictures of the message stand in the place of their cid, and unknown ones stay', () => {
  const html = '<img src="cid:logo"><img src=cid:other>';
  assert.equal(withPictures(html, new Map([['logo', 'data:x']])), '<img src="data:x"><img src=cid:other>');
});
