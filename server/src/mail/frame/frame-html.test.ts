import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'parse5';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { frameHtml } from './frame-html.ts';
import { RefusedHtml } from './refused-html.ts';
import { ancestorsOf, elementsOf } from './read-tree.ts';
import { proof, propertyRuns } from '../../../test/harness/property-runs.ts';

const footer = '<table role=none data-footer><tr><td><a href="https://x.example/leave">Leave</a></td></tr></table>';
const theirs = footer.replace('data-footer', 'data-theirs');
const frame = {
  before: '<!doctype html><html><head><title>t</title></head><body><table data-card><tr><td>',
  after: `</td></tr></table>${footer}</body></html>`,
  preheader: '<div data-preheader style="display:none">p</div>',
  footer,
};

function seenFooter(html: string): boolean {
  const document = parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false });
  const found = [...elementsOf(document)].filter((one) => one.attrs.some(({ name }) => name === 'data-footer'));
  const last = found.at(-1);
  if (last === undefined || ![...elementsOf(last)].some((one) => one.tagName === 'a')) return false;
  return [...ancestorsOf(last)].every(({ tagName }) => tagName === 'html' || tagName === 'body');
}

const refusal = (html: string): string => {
  try {
    frameHtml(html, frame);
  } catch (error) {
    assert.ok(error instanceof RefusedHtml, String(error));
    return error.message;
  }
  return '';
};

describe('the footer is seen', () => {
  const rows = [
    '<p>Hello</p>',
    '',
    'text',
    '<!-- never ends',
    '<!--[if mso]><p>',
    '<p>Hi <!-- a --> <!--> x',
    '<div style="display:none">',
    '<div hidden><div><span>',
    '<table><tr><td><div style="display:none"><table><tr><td>',
    '<style>p { color: red }',
    '<style>.x{}</style><style>',
    '<textarea>',
    '<title>',
    '<xmp>',
    '<noembed>',
    '<button>',
    '<svg><g>',
    '<math><mi>',
    '<svg><foreignObject><div>',
    '<svg><desc><p>',
    '<details><summary>more',
    '<a href="https://e.example/">',
    '<b><i><u><p>',
    '<p><table><p>',
    '<img src="x',
    "<img src='x",
    '<img src=x',
    '<div',
    '<',
    '</td></tr></table>',
    '</td></tr></table><div style="display:none">',
    '</div></div></table></center>',
    '<marquee><font size=1>',
    '<ul><li><ul><li>',
    '<noscript>',
    '<h1>x<h2>y',
    '<template><p>',
    '<dialog>',
    '<table><caption>',
    '<table><colgroup>',
    '<style>* { color: red } table, td, a { display: none !important }</style>',
    theirs,
    `<div style="display:none">${theirs}</div>`,
    '<!doctype html><html><head></head><body><p>Hi</p></body></html>',
    '<html><body><p>Hi</p></body></html><p>more</p>',
    '<html><body><p>Hi</p></body></html><div style="display:none">',
    '<html><body><p>Hi</p></body></html><!-- x',
    '<html><body><p>Hi',
    '<html><body><div style="display:none"><p>Hi</body></html>',
    '<html><head><title>x</title></head>',
    '<html><head><style>',
    '<body>',
    '<body bgcolor="#fff"><table><tr><td>x',
    '<!doctype html><p>no body tag',
    '</body></html><p>late',
    '<p>a</p></body></html>',
  ];
  for (const html of rows) {
    test(JSON.stringify(html).slice(0, 90), () => {
      const framed = frameHtml(html, frame);
      assert.ok(seenFooter(framed), framed);
    });
  }

  test('a body of 50,000 classes below 1,000 rules, in less than a second', () => {
    const css = '.z{top:1px}'.repeat(1_000);
    const html = `<style>${css}</style><body class="${'x '.repeat(50_000)}"><p>Hi`;
    let framed = '';
    const ms = cpuMsOf(() => (framed = frameHtml(html, frame)), 1);
    assert.ok(ms < 1_000, `${ms} ms`);
    assert.ok(seenFooter(framed));
  });

  test('and the author’s html stays as it is, byte for byte, but for a style on the body that breaks long words', () => {
    const part = '<P Class=x>\r\n\t&amp;&nbsp;<br/>ü😀<!--c--></p>';
    assert.ok(frameHtml(part, frame).includes(part));
    const [head, body, end] = ['<!DOCTYPE HTML><HTML Lang=de><Body Bgcolor=red>', '\r\n<P>Hi</P>', '</BODY></HTML>\n'];
    const framed = frameHtml(head + body + end, frame);
    const fitted = head.replace('<Body', '<Body style="word-break:break-word;"');
    assert.ok(framed.startsWith(fitted) && framed.endsWith(`${frame.preheader}${body}${footer}${end}`), framed);
  });

  test('whatever is typed: refused, or seen', () => {
    const bits = fc.constantFrom(
      ...rows,
      '<!--',
      '-->',
      '</body>',
      '<body hidden>',
      '<style>body{display:none}',
      '</style>',
      '<div style="display:none">',
      '</div>',
      '<table>',
      '<tr>',
      '<td>',
      '</table>',
      '<svg>',
      '<template>',
      '</template>',
      '<select>',
      '<frameset>',
      '<plaintext>',
      '<![CDATA[',
      ']]>',
      '<?x',
      '"',
      "'",
      '>',
      '<html class="',
      '<a href="',
    );
    let seen = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(bits, fc.string({ maxLength: 5 })), { maxLength: 12 }), (parts) => {
        const html = parts.join('');
        let framed: string;
        try {
          framed = frameHtml(html, frame);
        } catch (error) {
          assert.ok(error instanceof RefusedHtml, String(error));
          return;
        }
        seen += 1;
        assert.ok(seenFooter(framed), framed);
      }),
      { numRuns: propertyRuns({ test: 100, prove: 250 }) },
    );
    assert.ok(seen > 40, `only ${seen} were not refused`);
  });
});

describe('refused, with its name', () => {
  const rows: [html: string, word: string][] = [
    ['<script>alert(1)</script>', '<script>'],
    ['<svg><script>1</script></svg>', '<script>'],
    ['<iframe src="https://e.example/"></iframe>', '<iframe>'],
    ['<form action="https://e.example/"><input></form>', '<form>'],
    ['<object data="x"></object>', '<object>'],
    ['<embed src=x>', '<embed>'],
    ['<base href="https://e.example/">', '<base>'],
    ['<meta http-equiv="Refresh" content="0">', 'http-equiv="refresh"'],
    ['<img src=x onerror=alert(1)>', 'onerror'],
    ['<body onload=x>', 'onload'],
    ['<p>x</p><body onload=x>', 'onload'],
    ['<a href="java\tscript:alert(1)">x</a>', 'javascript:'],
    ['<a href=" &#106;avascript:alert(1)">x</a>', 'javascript:'],
    ['<a href="data:text/html,x">x</a>', 'data:text/html'],
    ['<svg><a xlink:href="javascript:x"/></svg>', 'javascript:'],
    ['<link rel=stylesheet href="https://e.example/x.css">', '<link>'],
    ['<style>@import "https://e.example/x.css";</style>', '@import'],
    ['<style>@im\\70ort url(https://e.example/x.css)</style>', '@import'],
    ['<p style="width: expr/**/ession(alert(1))">', 'expression()'],
    ['<p style="behavior: url(x)">', 'behavior'],
    ['<button formaction="x">', 'formaction'],
    ['<plaintext>', '<plaintext>'],
    ['<select><option>', '<select>'],
    ['<body><template shadowrootmode=open>', 'shadowrootmode'],
    ['<body inert>x', 'inert'],
    ['<html><frameset><frame></frameset></html>', '<frameset>'],
    ['<body style="display:none">x', 'hide or move'],
    ['<body hidden>x', 'hide or move'],
    ['<style>body{display:none}</style>', 'hide or move'],
    ['<style>@media screen { html > body { visibility : hidden } }</style>', 'hide or move'],
    ['<style>*{opacity:0}</style>', 'hide or move'],
    ['<style>:root{display:none}</style>', 'hide or move'],
    ['<body class="a b"><style>p, .b.a {max-height:0}</style>', 'hide or move'],
    ['<html id=x><style>#x{dis\\70lay:none}</style>', 'hide or move'],
    ['<style>p{margin-bottom:-99999px}</style>', 'hide or move'],
    ['<style>[style]{display:none!important}</style><body style="margin:0">', 'display: none'],
    ['<style>:is(p, body){visibility:hidden}</style>', ':is(p, body)'],
    ['<style>html > :last-child{opacity:.05}</style>', 'opacity: .05'],
    ['<style>:root{--x:none}body{display:var(--x)}</style>', 'var(--x)'],
    ['<style>body{-webkit-transform:scale(0)}</style>', 'transform: scale(0)'],
    ['<style>body{overflow:hidden}</style>', 'overflow: hidden'],
    ['<style>a:after{content:"";position:fixed}</style>', 'position: fixed'],
    ['<style>/*</style>*/body{display:none}</style><style>.a{}/**/body{display:none}</style>', 'display: none'],
    ['<style>.a{content:"/*"}body{display:none}.b{content:"*/"}</style>', 'display: none'],
    ['<style>body{dis/**/play:none;display/**/:/**/none/**/!/**/important}</style>', 'display'],
    ['<style>b\\6f dy{\\64\\69\\73play:\\6eone}</style>', 'for b\\6f dy'],
    ['<style>body{DISPLAY:NONE}</style>', 'DISPLAY: NONE'],
    ['<style>.a{}}body{display:none}</style>', 'display: none'],
    ['<style>.a{color:red;(;}]body{x:y}body{display:none}</style><style>body{display:none}</style>', 'display: none'],
    ['<style>.a{color:"red\nbody{display:none}\n}body{display:none}</style>', 'display: none'],
    ['<style>.a{background:url(a b"c)}body{display:none}</style>', 'display: none'],
    ['<style><!-- body{display:none} --></style>', 'display: none'],
    ['<style>body{display:none', 'display: none'],
    ['<style>body{color:red;;;*zoom:1;display:none}</style>', 'display: none'],
    ['<style>@media print{@supports (display:grid){@layer a{body{display:none}}}}</style>', 'display: none'],
    ['<style>@layer a, b;@layer b{html body{opacity:0}}</style>', 'opacity: 0'],
    ['<style>@unheard of{body{display:none}}</style>', 'display: none'],
    ['<style>@scope (html){body{display:none}}</style>', 'display: none'],
    ['<style>@scope (body){:scope{display:none}}</style>', ':scope'],
    ['<style>@scope (body){display:none}</style>', 'display: none'],
    ['<style>html{body{display:none}}</style>', 'display: none'],
    ['<style>html{color:red;& > body{display:none}}</style>', '& > body'],
    ['<style>body{color:red;&{display:none}}</style>', 'for &'],
    ['<style>body{&:hover,&.x{@media screen{opacity:0}}}</style>', 'opacity: 0'],
    ['<style>&{display:none}</style>', 'display: none'],
    ['<style>body{a:hover{color:red}display:none}</style>', 'display: none'],
    ['<style>.x{b:c{d:e}}body{display:none}</style>', 'display: none'],
    ['<style>:root{--a:{};--b:none;--c:}body{display:var(--b)}</style>', 'var(--b)'],
    ['<style>body{margin-top:calc(1px * -9999)}</style>', 'margin'],
    ['<style>p{margin:0 0 -1e5px}</style>', 'margin'],
    ['<style>p{margin:0 0 -.99999e5px}</style>', 'margin'],
    ['<style>body{opacity:calc(0)}</style>', 'opacity: calc(0)'],
    ['<style>body{opacity:1e-3}</style>', 'opacity: 1e-3'],
    ['<style>body{max-height:+0.0px!important}</style>', 'max-height'],
    ['<style>body{width:1e1px}</style>', 'width: 1e1px'],
    ['<style>*|body{display:none}</style>', 'for *|body'],
    ['<style>[CLASS~=x i]{display:none}</style><body class="X">', 'display: none'],
    ['<style>.BIG{display:none}</style><body class="big">', 'display: none'],
    ['<style>body:not(.x):nth-child(2 of :is(p,body)){display:none}</style>', 'display: none'],
    ['<style>:where(:is(p,:is(html>body))){display:none}</style>', 'display: none'],
    ['<style>a::after{content:"";border:300px solid #fff}</style>', 'border: 300px'],
    ['<style>a:after{content:" "}a::after{padding:20em;color:red}</style>', 'padding: 20em'],
    ['<style>[role=none]::before{content:"";background:#fff;padding:30px}</style>', 'padding: 30px'],
    ['<style>[role]::after{content:"";background:#fff}[role]::after{padding:0 0 30px}</style>', 'padding: 0 0 30px'],
    ['<style>a::after{content:"x";background:#fff;line-height:0}</style>', 'line-height: 0'],
    ['<style>a::after{content:"x";background:#fff;font-size:80px}</style>', 'font-size: 80px'],
    ['<style>a::after{content:"x";background:#fff;vertical-align:40px}</style>', 'vertical-align: 40px'],
    ['<style>a::after{content:"x";background:#fff;padding:calc(9px*9)}</style>', 'padding: calc(9px*9)'],
    ['<style>a::after{content:"x";background:#fff}a::after{height:90px}</style>', 'height: 90px'],
    ['<style>a::backdrop{background:#fff}</style>', 'background: #fff'],
    ['<style>table::before{content:attr(x);inset:0}td{&::after{content:"x";float:left}}</style>', 'float: left'],
    ['<style>@import"https://e.example/x.css";</style>', '@import'],
    ['<style>@import/**/url(https://e.example/x.css);</style>', '@import'],
    ['<style>.a{content:"/*"}@import url(https://e.example/x.css);.b{content:"*/"}</style>', '@import'],
    ['<style>@IMPORT url( "https://e.example/x.css" ) layer(a);</style>', '@import'],
    ['<p style="width:EXPRES\\53 ION(alert(1))">', 'expression()'],
    ["<p style=\"content:'/*';behavior:url(x);a:'*/'\">", 'behavior'],
    ['<p style="background:url( \\6a avascript:x)">', 'javascript:'],
    [`<style>${'a{'.repeat(60)}`, 'nested more than 50'],
    [`<style>a{width:${'('.repeat(2000)}`, 'nested more than 50'],
    ['<style>@font-face{font-family:"Arial";src:url(data:,)}</style>', 'Arial'],
    ['<p>x</p><noscript><p title="</noscript><!-- ">y</p></noscript>', 'leaves something open'],
    ['<div>'.repeat(400), 'nested'],
    ['<p>'.repeat(20_001), 'elements'],
  ];
  for (const [html, word] of rows) {
    test(html.slice(0, 80), () => assert.ok(refusal(html).includes(word), refusal(html)));
  }

  for (const html of [
    '<link href="https://fonts.googleapis.com/css?family=Ubuntu:300" rel="stylesheet" type="text/css">',
    '<style>@import url(https://fonts.googleapis.com/css?family=Ubuntu);</style>',
    '<!--[if mso]><xml><o:OfficeDocumentSettings></o:OfficeDocumentSettings></xml><![endif]-->',
    '<style>body{margin:0;min-width:0}table{width:100%}.hide{display:none}</style><p class=hide>x</p>',
    '<p style="display:none">preview</p>',
    '<meta http-equiv="Content-Type" content="text/html"><meta http-equiv="X-UA-Compatible" content="IE=edge">',
    '<a href="mailto:a@example.com">a</a><a href="tel:1">b</a><a href="#c">c</a>',
    '<img src="data:image/png;base64,AAAA" alt="x">',
    '<style>*{animation:none;transform:none}</style>',
    '<style>*[class="hide"],.hide *,[x-apple-data-detectors]{display:none!important}</style><body class="body">x',
    '<style>u + .body .full{display:none}body .x > *{position:absolute}</style><body class="body">x',
    '<style>[role]::after{content:"";background:#fff}a::after{content:" ›";background:url(x.png);line-height:1.5}</style>',
    '<style>[role]::after{background:#fff}a::before{position:absolute}</style>',
    '<style>[role=article]::after{content:"";background:#fff;position:absolute}</style>',
    '<style>a:after{content:none;position:absolute}.b:after{content:"";position:absolute}</style>',
    '<style>a::after{content:" ›";padding-left:4px;border-bottom:1px solid;font-size:80%}</style>',
    '<style>.card{&:hover{display:none}& p{display:none}body.x &{opacity:0}> div{visibility:hidden}}</style>',
    '<style>.a{body{display:none}}</style><body class="b">x',
    '<style>@keyframes a{from{opacity:0}to{opacity:1}}@page{size:0;margin:0}@-webkit-keyframes b{0%{opacity:0}}</style>',
    '<style>@property --x{syntax:"*";inherits:false}.a{--body:{display:none};color:red}</style>',
    '<style>.a{content:"}body{display:none}"}/* body{display:none} */.b{background:url(x?}body{display:none})}</style>',
    '<style>.a{filter:progid:DXImageTransform.Microsoft.gradient(startColorstr="#1",endColorstr="#2");*zoom:1}</style>',
    '<style>body{width:100%!important;-webkit-text-size-adjust:100%;mso-line-height-rule:exactly;margin:0 auto!important}</style>',
    '<style>body{max-width:min(100%, 600px);width:calc(100% - 20px);opacity:1.0e0}</style>',
    '<style>a::constructor{content:"x";position:fixed}body{constructor:x;toString:y;width:9000constructor}</style>',
    '<style>body\\:x{display:none}.a\\,body{display:none}</style>',
    '<style>a:after{content:" ›"}*,*::before{box-sizing:border-box}body{zoom:1;overflow-x:hidden;height:100%}</style>',
    '<style>@font-face{font-family:Inter;src:url(https://e.example/i.woff2)}p{margin:-1px 0 -20px}</style>',
    '<input type="checkbox"><label>hover trick</label>',
  ]) {
    test(`taken: ${html.slice(0, 70)}`, () => assert.equal(refusal(html), ''));
  }
});

proof('2 MB of anything takes its time by its length', () => {
  for (const bit of [
    '<p>',
    '<b a=1>',
    '<',
    '<!--',
    '&amp;',
    '<a href=x>',
    '<table><td>',
    '<style>a{',
    '<style>@a:;{',
    'x ',
    '{',
    '<svg>',
  ]) {
    const html = bit.repeat(Math.ceil((2 * 1024 * 1024) / bit.length));
    const ms = cpuMsOf(() => refusal(html), 1);
    assert.ok(ms < 2_500, `${bit}: ${ms} ms`);
  }
});

proof('100 KB in one place of a style sheet, an attribute or behind the end take no time by their square', () => {
  const long = (bit: string): string => bit.repeat(100_000 / bit.length);
  for (const html of [
    `<p>x</p></body></html>${long('<!--x')}`,
    `<style>[a${long(' ')}!]{display:none}</style><p>x</p>`,
    `<style>[a=b${long(' ')}x]{display:none}</style><p>x</p>`,
    `<body style="width:${long('0')}!"><p>x</p>`,
    `<body style="opacity:${long('0')}!"><p>x</p>`,
    ...['a:b{}', '&{}', '/*', '\\\\', 'url(', '"', 'a,', '--a:{}', '- ', 'a '].flatMap((bit) => [
      `<style>body{${long(bit)}`,
      `<style>${long(bit)}{opacity:0}`,
    ]),
    `<style>${'&,&{'.repeat(48)}opacity:0`,
    `<style>${':is(body,'.repeat(300)}{opacity:0}`,
    `<style>${'a{'.repeat(48)}${long('&,')}&{opacity:0}`,
  ]) {
    const ms = cpuMsOf(() => refusal(html), 1);
    assert.ok(ms < 1_500, `${html.slice(0, 40)}: ${ms} ms`);
  }
});

test('styles and attributes beyond any mail are refused before they are judged', () => {
  const sheet = (characters: number): string => {
    const rule = 'td.k::before{content:"x";background:red}';
    return rule.repeat(Math.floor(characters / rule.length));
  };
  const long = 'Its styles have more than 150,000 characters, and are too long to be judged.';
  const rows: [html: string, message: string][] = [
    [`<style>${sheet(1_000_000)}</style><p>x`, long],
    [`<style>${sheet(100_000)}</style><style>${sheet(100_000)}</style><p>x`, long],
    [`<style>a{x:data:}${'td.k{color:red}'.repeat(70_000)}</style><p>x`, long],
    [`<p style="/**/${'color:red;'.repeat(100_000)}">x`, long],
    [`<body style="${'color:red;'.repeat(100_000)}">x`, long],
    [
      `<p ${Array.from({ length: 20_000 }, (_, index) => `a${index}=1`).join(' ')}>x`,
      'A <p> element has more than 1,000 attributes.',
    ],
  ];
  for (const [html, message] of rows) {
    let said = '';
    const took = cpuMsOf(() => {
      said = refusal(html);
    });
    assert.equal(said, message);
    assert.ok(took < 500, `${took} ms`);
  }
  assert.equal(refusal(`<style>${sheet(140_000)}</style><p>x`), '');
  const font = `@font-face{font-family:Own;src:url(data:font/woff2;base64,${'A'.repeat(400_000)})}`;
  assert.equal(refusal(`<style>${font}</style><p>x`), '');
});
