import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { Block, Inline } from './document.ts';
import { importHtml } from './import-html.ts';
import { importMarkdown, looksLikeMarkdown } from './import-markdown.ts';

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}.html`, import.meta.url), 'utf8');

const SIGNS: Readonly<Record<string, string>> = { bold: '*', italic: '/', underline: '_', strike: '~', code: '`' };

/** Words with their marks as signs around them, so that a document can be read at a glance. */
const wordsOf = (content: readonly Inline[]): string =>
  content
    .map((inline) => {
      if (inline.type === 'hardBreak') return '⏎';
      const words = inline.type === 'text' ? inline.text : `{${inline.attrs.path}?${inline.attrs.fallback}}`;
      return (inline.marks ?? []).reduceRight(
        (inner, mark) =>
          mark.type === 'link' ? `[${inner}](${mark.attrs.href})` : `${SIGNS[mark.type]}${inner}${SIGNS[mark.type]}`,
        words,
      );
    })
    .join('');

/** A line for each block, indented below the block that holds it. */
const outline = (
  blocks: readonly (Block | { type: 'listItem' | 'column'; content: readonly Block[] })[],
  indent = '',
): string[] =>
  blocks.flatMap((block): string[] => {
    switch (block.type) {
      case 'paragraph':
        return [`${indent}p${block.attrs.align === 'left' ? '' : ` ${block.attrs.align}`}: ${wordsOf(block.content)}`];
      case 'heading':
        return [`${indent}h${block.attrs.level}: ${wordsOf(block.content)}`];
      case 'codeBlock':
        return [`${indent}code: ${block.content.map(({ text }) => text).join('')}`];
      case 'picture':
        return [
          `${indent}picture ${block.attrs.align}: ${block.attrs.src} ${block.attrs.width} "${block.attrs.alt}" ${block.attrs.href}`.trimEnd(),
        ];
      case 'button':
        return [`${indent}button ${block.attrs.align}: ${block.attrs.text} ${block.attrs.href}`];
      case 'rawHtml':
        return [`${indent}html`];
      case 'horizontalRule':
        return [`${indent}---`];
      default:
        return [`${indent}${block.type}`, ...outline(block.content as Block[], `${indent}  `)];
    }
  });

/** A line for each row of a table. */
const rowsOf = (html: string): string[] =>
  importHtml(html).document.content.flatMap((block) =>
    block.type === 'table'
      ? block.content.map((row) =>
          row.content
            .map(
              ({ type, content }) =>
                `${type === 'tableHeader' ? 'th' : 'td'} ${outline(content)[0]?.slice('p: '.length)}`,
            )
            .join(' | '),
        )
      : outline([block]),
  );

const read = (html: string): string[] => outline(importHtml(html).document.content);

/** The table of both fixtures. */
const PLANS = [
  'table',
  '  tableRow',
  '    tableHeader',
  '      p: Plan',
  '    tableHeader',
  '      p: Price',
  '  tableRow',
  '    tableCell',
  '      p: Small',
  '    tableCell',
  '      p: 10 €',
];

suite('html of other programs', () => {
  test('Google Docs keeps headings, marks, links, nested lists, pictures and tables', () => {
    assert.deepEqual(read(fixture('google-docs')), [
      'h1: News of October',
      'p: Hello *everybody*, this is /really/ new: [read it](https://example.com/new?a=1).',
      'h2: Three things',
      'bulletList',
      '  listItem',
      '    p: One',
      '  listItem',
      '    p: Two',
      '    bulletList',
      '      listItem',
      '        p: ~Two and a half~',
      'orderedList',
      '  listItem',
      '    p: First',
      '  listItem',
      '    p: Second',
      'picture left: https://lh7-rt.googleusercontent.com/docsz/AD_4nXe?key=x 320 ""',
      ...PLANS,
    ]);
  });

  test('Word keeps its lists, which it writes as paragraphs, and loses its pictures by count', () => {
    assert.deepEqual(read(fixture('word')), [
      'h1: News of October',
      'p: Hello *everybody*, this is /really/ _new_: [read it](https://example.com/new?a=1).',
      'h2: Three things',
      'bulletList',
      '  listItem',
      '    p: One',
      '  listItem',
      '    p: Two ~or~ more',
      '    bulletList',
      '      listItem',
      '        p: Inside',
      '        bulletList',
      '          listItem',
      '            p: Deep',
      '  listItem',
      '    p: Three',
      'orderedList',
      '  listItem',
      '    p: First',
      '  listItem',
      '    p: Second',
      ...PLANS,
    ]);
    assert.equal(importHtml(fixture('word')).lostPictures, 1);
  });

  test('Word in a browser keeps headings that are paragraphs, and joins lists of one item each', () => {
    assert.deepEqual(read(fixture('word-online')), [
      'h2: Three things',
      'bulletList',
      '  listItem',
      '    p: *One*',
      '  listItem',
      '    p: Two',
    ]);
  });

  test('Gmail keeps paragraphs without its empty lines, quotes and pictures, and loses pixels and scripts', () => {
    assert.deepEqual(read(fixture('gmail')), [
      'p: Hi Ada,',
      'p: this is *bold*, /slanted/ and [a link](https://example.com/?x=1&y=2).',
      'bulletList',
      '  listItem',
      '    p: one',
      '  listItem',
      '    p: two',
      '    orderedList',
      '      listItem',
      '        p: inside',
      'blockquote',
      '  p: Said before',
      'picture center: https://ci3.googleusercontent.com/meips/x=s0-d-e1-ft#https://example.com/logo.png 96 "Logo"',
      'p: --⏎Ada',
    ]);
    assert.equal(importHtml(fixture('gmail')).lostPictures, 1);
  });
});

suite('html', () => {
  const cases: [string, string, string[]][] = [
    ['white space of the source', '<p>\n  a\n  <b> b </b>\n c\n</p>', ['p: a *b *c']],
    ['two line breaks as two paragraphs', '<p>a<br>b<br><br>c</p>', ['p: a⏎b', 'p: c']],
    ['words beside blocks', 'a<p>b</p>c<div>d</div>', ['p: a', 'p: b', 'p: c', 'p: d']],
    [
      'a picture in a link',
      '<p>a<a href="https://a.test/"><img src="https://a.test/b.png" alt="B"></a>c</p>',
      ['p: a', 'picture left: https://a.test/b.png null "B" https://a.test/', 'p: c'],
    ],
    [
      'a variable and its fallback',
      '<p>Hi {{ subscriber.name | default: "there" }}, {{&nbsp;subscriber.email&nbsp;}}</p>',
      ['p: Hi {subscriber.name?there}, {subscriber.email?}'],
    ],
    ['braces that are references as words', '<p>&#123;&#123; subscriber.name }}</p>', ['p: {{ subscriber.name }}']],
    [
      'Liquid that is no variable as words',
      '<p>{% if a %}{{ a | upcase }}{% endif %}</p>',
      ['p: {% if a %}{{ a | upcase }}{% endif %}'],
    ],
    [
      'no addresses that act',
      '<a href="javascript:alert(1)">a</a> <a href=" jAva\tscript:x">b</a> <a href="data:text/html,x">c</a>',
      ['p: a b c'],
    ],
    [
      'nothing of forms, scripts and styles',
      '<style>p{}</style><form><input value=x><textarea>y</textarea><p>a</p></form><script>b</script>',
      ['p: a'],
    ],
    ['code with its lines', '<pre><code>a\n  b\n</code></pre>', ['code: a\n  b']],
    [
      'a layout table as its blocks',
      '<table><tr><td><h1>A</h1><p>b</p></td></tr><tr><td><p>c</p></td></tr></table>',
      ['h1: A', 'p: b', 'p: c'],
    ],
    ['hidden preview text as nothing', '<div style="display:none">x</div><p>a</p>', ['p: a']],
  ];
  const tables: [string, string, string[]][] = [
    ['rows and cells with their marks', '<table><tr><td>a</td><td><b>b</b> c</td></tr></table>', ['td a | td *b* c']],
    [
      'headings of <th> and <thead>, and a row that is bold above one that is not',
      '<table><thead><tr><td>a</td><td>b</td></tr></thead><tr><th>c</th><td>d</td></tr></table><p>x</p><table><tr><td><b>e</b></td><td><p><b>f</b></p></td></tr><tr><td>g</td><td></td></tr></table>',
      ['th a | th b', 'th c | td d', 'p: x', 'th e | th f', 'td g | td '],
    ],
    [
      'no heading where all is bold',
      '<table><tr><td><b>a</b></td><td><b>b</b></td></tr><tr><td><b>c</b></td><td><b>d</b></td></tr></table>',
      ['td *a* | td *b*', 'td *c* | td *d*'],
    ],
    [
      'the place of cells that span others',
      '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>',
      ['td a | td b | td ', 'td  | td c | td d'],
    ],
    [
      'lines of a cell, and no empty rows',
      '<table><tr><td><p>a</p><ul><li>b</li></ul></td><td>c<br>d</td></tr><tr><td></td><td>&nbsp;</td></tr></table>',
      ['td a⏎• b | td c⏎d'],
    ],
    [
      'the cells of rows that are too long in the last one',
      `<table><tr>${'<td>x</td>'.repeat(12)}</tr></table>`,
      [`${'td x | '.repeat(9)}td x x x`],
    ],
    [
      'pictures of a table as blocks',
      '<table><tr><td><img src="https://a.test/b.png" alt="B"></td><td>c</td></tr></table>',
      ['picture left: https://a.test/b.png null "B"', 'p: c'],
    ],
  ];
  for (const [name, html, expected] of tables) test(`keeps ${name}`, () => assert.deepEqual(rowsOf(html), expected));

  test('with a longer table than mail has goes on in another one', () => {
    const html = `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(450)}</table>`;
    const tables = importHtml(html).document.content;
    assert.deepEqual(
      tables.map((block) => block.type === 'table' && block.content.length),
      [200, 200, 50],
    );
  });

  for (const [name, html, expected] of cases) test(`keeps ${name}`, () => assert.deepEqual(read(html), expected));

  test('that is nested ten thousand deep is read to a bound', () => {
    const deep = `${'<div>'.repeat(10_000)}x${'</div>'.repeat(10_000)}<p>y</p>`;
    assert.deepEqual(read(deep), ['p: y']);
  });
});

suite('Markdown', () => {
  test('becomes headings, lists, marks, links, code, quotes and rules', () => {
    const text =
      '# News\n\nHello **you** and _me_, `code`, ~~no~~ [link](https://a.test/)\n\n- one\n  - in\n- two\n\n3. three\n4. four\n\n> said\n\n```js\nlet a = 1 < 2;\n```\n\n---\n\n![Cat](https://a.test/c.png)\n\nHi {{ subscriber.name | default: "there" }}';
    assert.deepEqual(outline(importMarkdown(text).document.content), [
      'h1: News',
      'p: Hello *you* and /me/, `code`, ~no~ [link](https://a.test/)',
      'bulletList',
      '  listItem',
      '    p: one',
      '    bulletList',
      '      listItem',
      '        p: in',
      '  listItem',
      '    p: two',
      'orderedList',
      '  listItem',
      '    p: three',
      '  listItem',
      '    p: four',
      'blockquote',
      '  p: said',
      'code: let a = 1 < 2;',
      '---',
      'picture left: https://a.test/c.png null "Cat"',
      'p: Hi {subscriber.name?there}',
    ]);
  });

  test('that holds html gives no more than the html would', () => {
    assert.deepEqual(outline(importMarkdown('a <script>b</script> [c](javascript:d)').document.content), ['p: a c']);
  });

  test('is told from text that somebody wrote without it', () => {
    for (const text of ['# A', '- a\n- b', '1. a\n2. b', 'a **b** c', '[a](https://b.test)', '> a', '```\na\n```'])
      assert.ok(looksLikeMarkdown(text), text);
    for (const text of ['a', '#1 of 2', 'a * b * c', '2 ** 3', '- a', 'x > y', 'f(a)[b]', '1. a'])
      assert.ok(!looksLikeMarkdown(text), text);
  });
});
