import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { htmlToText } from './html-to-text.ts';

test('keeps words, links and alt texts, and drops what nobody reads', () => {
  const html = `<!doctype html><html><head><title>T</title><style>p { color: red }</style></head><body>
    <h1>Receipt</h1><p>Hi &amp; <b>thanks</b>,<br>see <a href="https://x.test/a?b=1&amp;c=2">your order</a>.</p>
    <script>alert(1)</script><img src="https://x.test/p.gif"><img src="cid:logo" alt="Logo">
    <a href="https://x.test/">https://x.test/</a> <a href="#top">Top</a> <a href="JavaScript:x()">Menu</a>
    <ul><li>One</li><li>Zwölf 👋</li></ul></body></html>`;
  const text = htmlToText(html);
  assert.equal(
    text,
    'Receipt\n\nHi & thanks,\nsee your order <https://x.test/a?b=1&c=2>.\n\nLogo https://x.test/ Top Menu\n * One\n * Zwölf 👋',
  );
});

test('a row of a table is a line, and a stroke stands between cells of data', () => {
  const receipt =
    '<table><thead><tr><th>What</th><th>Price</th></tr></thead><tr><td>Tea</td><td>3 €</td></tr><tr><td>Cup</td><td>9 €</td></tr></table>';
  assert.equal(
    htmlToText(`<p>Yours:</p>${receipt}<p>Thanks</p>`),
    'Yours:\n\nWhat | Price\nTea | 3 €\nCup | 9 €\n\nThanks',
  );
  const own = '<table role="table">\n<tr>\n<td>Tea</td>\n<td>&nbsp;</td>\n<td><b>3</b> €</td>\n</tr></table>';
  assert.equal(htmlToText(own), 'Tea | \u00a0 | 3 €');
  for (const table of [
    '<table><tr><td>Tea</td><td>Cup</td></tr></table>',
    '<table><tr><th>Tea</th><td><span>Cup</span></td></tr></table>',
  ])
    assert.equal(htmlToText(table), table.includes('th>') ? 'Tea | Cup' : 'Tea Cup');
  const tall = '<table><tr><th><p>Tea</p></th><td><p>Cup</p></td></tr></table>';
  assert.doesNotMatch(htmlToText(tall), /\|/);
  const layout =
    '<table><tr><td><table><tr><td><h1>Hello</h1><p>Words, <a href="https://x.test/">a link</a>.</p></td></tr></table></td></tr></table>';
  assert.equal(htmlToText(layout), 'Hello\n\nWords, a link <https://x.test/>.');
});

test('html without words gives nothing', () => {
  assert.equal(htmlToText('<img src="https://x.test/p.gif" alt=""><style>a{}</style>'), '');
  assert.equal(htmlToText(''), '');
});

test('an element named constructor is one like others', () => {
  assert.equal(
    htmlToText('<constructor x="1">Hello <b>Ada</b></constructor><CONSTRUCTOR/>, <p>constructor</p>'),
    'Hello Ada,\n\nconstructor',
  );
});

test('a long link is not broken over lines', () => {
  const url = `https://x.test/${'a'.repeat(500)}`;
  assert.ok(htmlToText(`<p>word ${'word '.repeat(50)}<a href="${url}">go</a></p>`).includes(`<${url}>`));
});

test('hostile documents of 2 MB cost less than two seconds', () => {
  const size = 2 * 1024 * 1024;
  for (const unit of [
    '<div>',
    '<',
    '<a href="',
    '<table><tr><td>',
    '<td>x',
    '<tr>x',
    '&amp',
    '<!--',
    '</p>',
    '<b><i>',
    '<blockquote>',
    '<p>x</p>',
    '<ul><li>',
    'x ',
  ]) {
    const took = cpuMsOf(() => htmlToText(unit.repeat(size / unit.length)), 1);
    assert.ok(took < 2000, `${unit} took ${took} ms`);
  }
});
