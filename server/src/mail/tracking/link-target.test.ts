import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { locationOf, webTargetOf } from './link-target.ts';

test('an address in ASCII goes into the header as it is, byte for byte', () => {
  for (const target of [
    'https://example.com',
    'HTTP://Example.COM:80/a/../b//c?x=1&&y=%zz%2f#frag#more',
    'https://example.com/[x]{y}|z^`~\'"<>\\w',
    'https://user:p%40ss@[::1]:8443/?q=a b+c',
    'http://127.1/%00',
    'https://example.com\\path',
  ]) {
    assert.equal(locationOf(webTargetOf(target) ?? ''), target);
  }
});

for (const [target, location] of [
  ['https://münchen.example/straße?q=ü#ä', 'https://xn--mnchen-3ya.example/stra%C3%9Fe?q=%C3%BC#%C3%A4'],
  ['https://日本.example:8080', 'https://xn--wgv71a.example:8080'],
  ['https://jö:pä@example.com/😀', 'https://j%C3%B6:p%C3%A4@example.com/%F0%9F%98%80'],
  ['https://example.com/a\u0001b\u007fc', 'https://example.com/a%01b%7Fc'],
  ['https://example.com/%C3%BC/ü', 'https://example.com/%C3%BC/%C3%BC'],
  ['https://example.com\\ü', 'https://example.com\\%C3%BC'],
  ['https://bücher.example\\@evil.example', 'https://xn--bcher-kva.example\\@evil.example'],
] as const) {
  test(`beyond ASCII: ${JSON.stringify(target)}`, () => assert.equal(locationOf(target), location));
}

test('the header leads where a browser would have gone, and holds nothing but printable ASCII', () => {
  const anything = fc
    .tuple(
      fc.constantFrom('https://', 'http://'),
      fc.webAuthority({ withUserInfo: true }),
      fc.string({ unit: 'binary' }),
    )
    .map(([scheme, authority, rest]) => `${scheme}${authority}/${rest}`);
  fc.assert(
    fc.property(anything, (href) => {
      const target = webTargetOf(href);
      if (target === null) return;
      const location = locationOf(target);
      assert.match(location, /^[\x20-\x7e]+$/);
      assert.equal(new URL(location).href, new URL(href).href);
    }),
    { numRuns: 2_000 },
  );
});

test('spaces and controls around an address, and line breaks in it, are passed over as in a browser', () => {
  assert.equal(webTargetOf('\0 \u001fhttps://a.test/x\ty\r\nz \u0001'), 'https://a.test/xyz');
  assert.equal(webTargetOf(`${' '.repeat(2_000_000)}x`), null); // in time by the length, not by its square
});

test('half of a surrogate pair makes an address nobody can follow', () => {
  assert.equal(webTargetOf('https://a.test/\ud800'), null);
});
