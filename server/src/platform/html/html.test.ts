import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml, html, trusted } from './html.ts';

test('every value is escaped, in text and in quoted attributes', () => {
  const evil = `"><script>alert('x')</script>&amp;`;
  assert.equal(html`<a title="${evil}">${evil}</a>`.text.match(/<(?!\/?a\b)/), null);
  assert.equal(html`<p>${evil}</p>`.text, '<p>&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</p>');
});

test('whatever is put in, no markup comes out, and a browser reads the same text', () => {
  const unescape = (text: string): string =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeHtml(text);
      assert.doesNotMatch(escaped, /[<>"']/);
      assert.equal(unescape(escaped), text);
    }),
  );
});

test('Html inside Html is not escaped twice; lists are joined', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  assert.equal(html`<ul>${items}</ul>`.text, '<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  assert.equal(html`${['<', trusted('<br>')]}`.text, '&lt;<br>');
});

test('nothing is shown for null and undefined, and 0 is', () => {
  assert.equal(html`[${null}${undefined}${0}${''}]`.text, '[0]');
});

test('Html can be put into a plain template', () => {
  assert.equal(`${html`<b>${'&'}</b>`}`, '<b>&amp;</b>');
});

test('a backslash in a template stays what it is for the browser', () => {
  assert.equal(html`${'\\u003cscript>'}`.text, '\\u003cscript&gt;');
});
