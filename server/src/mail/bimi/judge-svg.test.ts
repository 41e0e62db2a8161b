import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { judgeSvg } from './judge-svg.ts';
import { GOOD_LOGO } from './test-kit.ts';

const good = GOOD_LOGO.toString();
const judge = (text: string | Buffer) => judgeSvg(Buffer.from(text), 'logo.svg');
const codesOf = (text: string | Buffer): string[] => judge(text).map(({ code }) => code);
const withElement = (element: string): string => good.replace('</svg>', `${element}</svg>`);
const withRoot = (from: string | RegExp, to: string): string => good.replace(from, to);

test('a good logo has no fault', () => {
  assert.deepEqual(judge(good), []);
  assert.deepEqual(judge(withElement('<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a"/>')), []);
  assert.deepEqual(judge(withElement('<metadata><x:y xmlns:x="urn:x">made by a program</x:y></metadata>')), []);
});

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const faulty: Readonly<Record<string, [text: string | Buffer, code: string]>> = {
  'has another profile': [withRoot('tiny-ps', 'tiny'), 'svg_profile'],
  'has no version': [withRoot(' version="1.2"', ''), 'svg_version'],
  'has no title': [withRoot('<title>Acme</title>', ''), 'svg_title'],
  'has an empty title': [withRoot('>Acme<', '> <'), 'svg_title'],
  'has its title further in': [withRoot('<title>Acme</title>', '<g><title>Acme</title></g>'), 'svg_title'],
  'has a title that is too long': [withRoot('Acme', 'A'.repeat(65)), 'svg_title_long'],
  'has x at its root': [withRoot('<svg ', '<svg x="0" '), 'svg_position'],
  'has no view box': [withRoot(' viewBox="0 0 512 512"', ''), 'svg_view_box'],
  'has a broken view box': [withRoot('0 0 512 512', '0 0 512'), 'svg_view_box'],
  'is no square': [withRoot('0 0 512 512', '0 0 512 256'), 'svg_not_square'],
  'has a relative width': [withRoot('<svg ', '<svg width="100%" '), 'svg_size'],
  'can be zoomed': [withRoot('<svg ', '<svg zoomAndPan="magnify" '), 'svg_attribute'],
  'is in no namespace': [withRoot(' xmlns="http://www.w3.org/2000/svg"', ''), 'svg_root'],
  'has a script': [withElement('<script>alert(1)</script>'), 'svg_element'],
  'has a bitmap': [withElement('<image width="1" height="1"/>'), 'svg_element'],
  'has an animation': [withElement('<animate attributeName="x"/>'), 'svg_element'],
  'has a foreign object': [withElement('<foreignObject/>'), 'svg_element'],
  'has a style sheet': [withElement('<style>a{}</style>'), 'svg_element'],
  'has a style sheet of another place': [
    `<?xml-stylesheet href="https://x.example/"?>${good.replace(/^.*\n/, '')}`,
    'svg_instruction',
  ],
  'has a link': [withElement('<a/>'), 'svg_element'],
  'has an event handler': [withRoot('<rect ', '<rect onclick="a()" '), 'svg_handler'],
  'has a style attribute': [withRoot('<rect ', '<rect style="fill:red" '), 'svg_style'],
  'refers to a file': [withElement(`<use ${XLINK} xlink:href="https://x.example/a.svg#b"/>`), 'svg_reference'],
  'refers to data': [withElement('<use href="data:image/png;base64,AA"/>'), 'svg_reference'],
  'is painted from elsewhere': [withElement('<rect fill="url( \'https://x.example/#a\')"/>'), 'svg_reference'],
  'has entities of its own': [good.replace('?>', '?><!DOCTYPE svg [<!ENTITY a "b">]>'), 'svg_doctype'],
  'is no XML': [good.replace('</svg>', ''), 'svg_xml'],
  'is HTML': ['<!doctype html><p>not found', 'svg_xml'],
  'is empty': ['', 'svg_xml'],
  'is compressed': [gzipSync(good), 'svg_compressed'],
  'is not UTF-8': [Buffer.concat([Buffer.from('<svg>'), Buffer.from([0xff, 0xfe])]), 'svg_encoding'],
  'is too deep': [withElement('<g>'.repeat(70)), 'svg_depth'],
  'is too large': [withElement(`<path d="${'M0 0'.repeat(9_000)}"/>`), 'svg_too_large'],
  'is far too large': [Buffer.alloc(5_000_000, 'a'), 'svg_too_large'],
};

for (const [what, [text, code]] of Object.entries(faulty)) {
  test(`a fault says that a logo ${what}`, () => {
    const codes = codesOf(text);
    assert.ok(codes.includes(code), codes.join(', '));
  });
}

test('the fault of one place is the only one', () => {
  for (const [what, [text, code]] of Object.entries(faulty)) {
    if (/HTML|namespace|empty$|UTF-8|namespace/.test(what)) continue;
    assert.deepEqual(codesOf(text), [code], what);
  }
});

test('all faults are named at once, each with its line, and the same one once', () => {
  const text = withRoot('tiny-ps', 'full')
    .replace('<title>Acme</title>', '')
    .replace('</svg>', '<script/>\n<script/>\n<image/>\n</svg>');
  assert.deepEqual(
    judge(text).map(({ code, place }) => [code, place]),
    [
      ['svg_profile', 'logo.svg, line 2'],
      ['svg_element', 'logo.svg, line 8'],
      ['svg_element', 'logo.svg, line 10'],
      ['svg_title', 'logo.svg'],
    ],
  );
});

test('a hostile logo takes no time by its square, and fills no answer', () => {
  const attacks = [
    `<svg>${'<g>'.repeat(20_000)}`,
    `<svg ${Array.from({ length: 8_000 }, (_, n) => `a${n}=""`).join(' ')}>`,
    `<svg>${'<a b="url(  '.repeat(5_000)}`,
    `<svg>${Array.from({ length: 6_000 }, (_, n) => `<e${n}/>`).join('')}</svg>`,
    `<!DOCTYPE x [${'<!ENTITY a "aaaaaa">'.repeat(2_000)}]><svg/>`,
  ];
  for (const attack of attacks) {
    const begun = performance.now();
    const faults = judge(attack);
    assert.ok(faults.length > 0 && faults.length <= 30, `${faults.length} faults of ${attack.slice(0, 20)}`);
    const tookMs = performance.now() - begun;
    assert.ok(tookMs < 3_000, `${attack.slice(0, 20)} took ${tookMs} ms`);
  }
});
