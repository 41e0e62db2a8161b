import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { completeAddress } from './address.ts';
import { ATTEMPTS } from './documents-for-tests.ts';
import { normaliseDocument, readStoredDocument } from './normalise.ts';
import { renderDocument } from './render.ts';
import { inkOn } from './render-button.ts';
import { wordCount } from './word-count.ts';

const render = (...content: unknown[]): string =>
  renderDocument(normaliseDocument({ type: 'doc', content }), { brandColor: '#2563eb' });
const text = (words: string, ...marks: unknown[]) => ({ type: 'text', text: words, marks });
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content });
const variable = (path: string, fallback = '') => ({ type: 'variable', attrs: { path, fallback } });
const bold = { type: 'bold' };
const link = (href: string) => ({ type: 'link', attrs: { href } });
const column = (...content: unknown[]) => ({ type: 'column', content });

suite('the html of mail', () => {
  test('shares the tags of marks between neighbours', () => {
    const html = render(
      paragraph(text('a', link('https://a.test/'), bold), text('b', link('https://a.test/')), text('c')),
    );
    assert.equal(html, '<p style="margin:0 0 16px"><a href="https://a.test/"><strong>a</strong>b</a>c</p>\n');
  });

  test('has a variable once, with its fallback quoted for its place', () => {
    assert.match(
      render(paragraph(variable('subscriber.name', 'there'))),
      />\{\{ subscriber\.name \| default: "there" \}\}</,
    );
    assert.match(
      render(paragraph(variable('subscriber.name', '"<b>" & \'c\' }}'))),
      />\{% if subscriber\.name != blank %\}\{\{ subscriber\.name \}\}\{% else %\}"&lt;b&gt;" &amp; 'c' &#125;&#125;\{% endif %\}</,
    );
    assert.match(
      render({
        type: 'picture',
        attrs: { src: 'https://a.test/b.png', alt: 'For {{ subscriber.name | default: "you" }}' },
      }),
      /alt="For \{\{ subscriber\.name \| default: 'you' \}\}"/,
    );
  });

  test('encodes a variable that is a part of a query, and none that is the address', () => {
    const hrefOf = (href: string) => /href="([^"]*)"/.exec(render(paragraph(text('a', link(href)))))?.[1];
    assert.equal(
      hrefOf('https://a.test/?e={{ subscriber.email }}'),
      'https://a.test/?e={{ subscriber.email | url_encode }}',
    );
    assert.equal(hrefOf('{{ unsubscribe_url }}'), '{{ unsubscribe_url }}');
    assert.equal(hrefOf('https://a.test/{{ newsletter.slug }}'), 'https://a.test/{{ newsletter.slug }}');
  });

  test('encodes white space in an address, so that no program cuts the address off there', () => {
    const hrefOf = (href: string) => /href="([^"]*)"/.exec(render(paragraph(text('a', link(href)))))?.[1];
    assert.equal(hrefOf('https://a.test/my file'), 'https://a.test/my%20file');
    assert.equal(hrefOf('https://a.test/my\u00a0file'), 'https://a.test/my%C2%A0file');
  });

  test('shows every attempt at markup as the words that it is', () => {
    for (const attempt of ATTEMPTS) {
      const html = render(paragraph(text(attempt)), {
        type: 'button',
        attrs: { text: `x${attempt}`, href: 'https://a.test/' },
      });
      const [words] = parseFragment(html).childNodes;
      const shown =
        words !== undefined && 'childNodes' in words
          ? words.childNodes.map((node) => ('value' in node ? node.value : '!')).join('')
          : '';
      assert.equal(shown, attempt, html);
      assert.doesNotMatch(html, /\{\{|\{%/);
    }
  });

  test('keeps spaces that a browser would drop', () => {
    assert.match(render(paragraph(text(' a  b   c '))), />&nbsp;a&nbsp; b&nbsp;&nbsp; c&nbsp;</);
  });

  test('leaves out links, pictures and buttons that lead nowhere mail may lead', () => {
    assert.equal(render(paragraph(text('a', link('javascript:alert(1)')))), '<p style="margin:0 0 16px">a</p>\n');
    assert.equal(render({ type: 'picture', attrs: { src: 'data:image/svg+xml,<svg onload=alert(1)>' } }), '\n');
    assert.doesNotMatch(render({ type: 'button', attrs: { text: 'Go', href: 'vbscript:x' } }), /href/);
  });

  test('gives a button the colour of the brand, letters that can be read on it, and padding in Outlook', () => {
    const html = render({ type: 'button', attrs: { text: 'Go', href: 'https://a.test/', align: 'center' } });
    assert.match(html, /<table role="presentation" align="center"/);
    assert.match(html, /bgcolor="#2563eb" style="[^"]*mso-padding-alt:12px 24px"/);
    assert.match(html, /<a href="https:\/\/a\.test\/" style="display:inline-block;[^"]*color:#ffffff/);
    assert.equal(inkOn('#fde047'), '#18181b');
    assert.equal(inkOn('#1d4ed8'), '#ffffff');
  });

  test('gives pictures the width that Outlook needs, and never more than there is', () => {
    const widthOf = (html: string) => [...html.matchAll(/<img[^>]* width="(\d+)"/g)].map(([, width]) => Number(width));
    const picture = (width: number | null) => ({
      type: 'picture',
      attrs: { src: 'https://a.test/b.png', alt: '', width },
    });
    assert.deepEqual(widthOf(render(picture(null), picture(200), picture(1_800))), [552, 200, 552]);
    assert.deepEqual(
      widthOf(render({ type: 'columns', content: [column(picture(null)), column(picture(100))] })),
      [264, 100],
    );
    assert.deepEqual(
      widthOf(render({ type: 'columns', content: [column(picture(null)), column(paragraph()), column(picture(100))] })),
      [171, 100],
    );
  });

  test('means nothing by the white space between the cells of columns', () => {
    const html = render({
      type: 'columns',
      content: [column(paragraph(text('a'))), column(paragraph(text('b'))), column(paragraph(text('c')))],
    });
    const minified = html.replace(/\n/g, '');
    const wrapped = html.replace(/> ?</g, '>\r\n  <');
    const shape = (source: string) => JSON.stringify(shapeOf(parseFragment(source).childNodes));
    assert.equal(shape(minified), shape(html));
    assert.equal(shape(wrapped), shape(html));
    for (const [, style] of html.matchAll(/<td width="[\d.]+%"[^>]*style="([^"]*)"/g))
      assert.match(style ?? '', /^float:left;/);
    assert.doesNotMatch(html, /inline-block/);
  });

  test('has rows with rules, and headings that say what they head', () => {
    const cell = (type: string, words: string, align = 'left') => ({
      type,
      content: [{ type: 'paragraph', attrs: { align }, content: words === '' ? [] : [text(words)] }],
    });
    const row = (...content: unknown[]) => ({ type: 'tableRow', content });
    const html = render({
      type: 'table',
      content: [
        row(cell('tableHeader', 'Plan'), cell('tableHeader', 'Price', 'right')),
        row(cell('tableHeader', 'Small'), cell('tableCell', '10 €', 'right')),
        row(cell('tableCell', 'a & <b>')),
      ],
    });
    assert.match(html, /<th scope="col" align="right"[^>]*text-align:right[^>]*>Price<\/th>/);
    assert.match(
      html,
      /<th scope="row" align="left"[^>]*>Small<\/th>\n<td align="right"[^>]*border-bottom:1px solid[^>]*>10 €<\/td>/,
    );
    assert.match(html, />a &amp; &lt;b&gt;<\/td>\n<td[^>]*>&nbsp;<\/td>\n<\/tr>\n<\/table>/);
  });

  test('closes what a block of html leaves open, and changes no other', () => {
    const raw = (html: string) => ({ type: 'rawHtml', attrs: { html } });
    assert.equal(render(raw('{% if a %}<p class=x>b</p>{% endif %}')), '{% if a %}<p class=x>b</p>{% endif %}\n');
    for (const html of ['<table><tr><td>', '<!-- a', '<div style="x', '</div><b>', '<textarea>']) {
      assert.match(render(raw(html), paragraph(text('behind'))), /<p style="margin:0 0 16px">behind<\/p>\n$/);
      const fragment = parseFragment(render(raw(html), paragraph(text('behind'))));
      assert.ok(
        fragment.childNodes.some((node) => 'tagName' in node && node.tagName === 'p'),
        html,
      );
    }
  });
});

type Node = DefaultTreeAdapterMap['childNode'];

const shapeOf = (nodes: readonly Node[]): unknown[] =>
  nodes.flatMap((node): unknown[] => {
    if ('value' in node) return node.value.trim() === '' ? [] : [node.value.trim()];
    return 'attrs' in node ? [[node.tagName, node.attrs, shapeOf(node.childNodes)]] : [];
  });

suite('a document', () => {
  test('of unknown JSON becomes one that can be edited', () => {
    for (const json of [
      null,
      1,
      'x',
      [],
      {},
      { content: 'x' },
      { content: [null, 1, { type: 'x' }, { type: 'bulletList' }] },
      { type: 'doc', content: [{ type: 'columns', content: [{ type: 'column' }] }] },
    ]) {
      assert.deepEqual(normaliseDocument(json), {
        type: 'doc',
        content: [{ type: 'paragraph', attrs: { align: 'left' }, content: [] }],
      });
    }
  });

  test('of another kind or version is not read', () => {
    assert.equal(readStoredDocument({ kind: 'blocks', version: 3, document: {} }), null);
    assert.equal(readStoredDocument({ kind: 'lines', version: 1, document: {} }), null);
    assert.equal(readStoredDocument(null), null);
    for (const version of [1, 2])
      assert.equal(readStoredDocument({ kind: 'blocks', version, document: {} })?.type, 'doc');
  });

  test('counts its words, and a variable as one', () => {
    assert.equal(
      wordCount(
        normaliseDocument({
          content: [
            paragraph(text("Hello you, it's "), variable('subscriber.name')),
            { type: 'codeBlock', content: [text('a b')] },
            { type: 'button', attrs: { text: 'Read more' } },
          ],
        }),
      ),
      8,
    );
  });
});

test('an address without its scheme is completed', () => {
  const cases = {
    'example.com/a?b': 'https://example.com/a?b',
    'me@example.com': 'mailto:me@example.com',
    'http://a.test': 'http://a.test',
    'javascript:x': 'javascript:x',
    '#top': '#top',
    '{{ unsubscribe_url }}': '{{ unsubscribe_url }}',
    'localhost:3000': 'localhost:3000',
    '': '',
  };
  for (const [typed, address] of Object.entries(cases)) assert.equal(completeAddress(typed), address);
});
