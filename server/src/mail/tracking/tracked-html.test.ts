import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { findPlaces } from './find-places.ts';
import { readClickToken, readOpenToken } from './token.ts';
import { fillTrackedHtml, prepareTrackedHtml, type TrackingRules } from './tracked-html.ts';

const key = Buffer.alloc(32, 7);
const baseUrl = 'https://mail.acme.test';
const email = { workspaceId: '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11', emailId: '0197f400-0000-7000-8000-000000000001' };
const linked = { ...email, contentId: '0197f500-0000-7000-8000-0000000000c1' };
const rules: TrackingRules = { opens: true, clicks: true, baseUrl, ownUrls: ['https://app.acme.test'] };
const clicksOnly: TrackingRules = { ...rules, opens: false };

const track = (html: string, given: TrackingRules = clicksOnly): string =>
  fillTrackedHtml(prepareTrackedHtml(html, given), linked, { baseUrl: given.baseUrl, key });

const LINK = /https:\/\/mail\.acme\.test\/t\/c\/([A-Za-z0-9_-]+)/g;
const targetsIn = (html: string): (string | undefined)[] =>
  [...html.matchAll(LINK)].map(([, token = '']) => readClickToken(token, key)?.target);

/** The html with every link of ours replaced by what `back` makes of its target. */
const undone = (html: string, back: (target: string) => string = (target) => target): string =>
  html.replaceAll(LINK, (_link, token: string) => back(readClickToken(token, key)?.target ?? 'NOT OURS'));

const untouched = (html: string, given: TrackingRules = clicksOnly): void => assert.equal(track(html, given), html);

const pieceOfUrl = fc.oneof(
  fc.constantFrom(
    '[x]',
    '(y)',
    '%',
    '%20',
    '%zz',
    '&',
    '&amp;',
    '&copy;',
    '&copy=1',
    '&#x26;',
    '&lt',
    '=',
    '?',
    '??',
    '#',
    '#a#b',
    '+',
    '~',
    '|',
    '^',
    '`',
    '\\',
    '//',
    '/../',
    ' ',
    '\t',
    '\n',
    '\r\n',
    'ü',
    'ß',
    '日本',
    '😀',
    '\u200b',
    '\u202e',
    '{{x}}',
    '{',
    '}',
    '*|TAG|*',
    '%%t%%',
    '$',
    '!',
    "'",
    '"',
    '<',
    '>',
    ',',
    ';',
    ':',
    '@',
    'user:pw@',
    ':8080',
    '\u0001',
    '\u007f',
    '\u0085',
    '\ufffd',
    'utm_source=a',
    'unsubscribe',
  ),
  fc.string({ maxLength: 6 }),
  // As fc.webPath() and fc.webQueryParameters(), which take a second to make themselves ready.
  fc.stringMatching(/^(\/[a-zA-Z0-9._~!$&'()*+,;=:@-]{0,6}){0,3}$/),
  fc.stringMatching(/^[a-zA-Z0-9._~!$&'()*+,;=:@%/?-]{0,12}$/),
);
const anyUrl = fc
  .tuple(
    fc.constantFrom(
      'https://',
      'http://',
      'HTTPS://',
      ' https://',
      '\thttps://',
      'https:',
      'https:/',
      '//',
      'mailto:',
      'tel:',
      'javascript:',
      '{{u}}',
      '',
      '#',
      'https://',
      'https://',
      'http://',
      'https://',
      'https://',
      'http://',
    ),
    fc.constantFrom(
      'example.com',
      'münchen.example',
      '日本.example',
      '[::1]',
      '127.0.0.1',
      'xn--mnchen-3ya.example',
      'EXAMPLE.com',
      'a_b.example',
      '',
    ),
    fc.constantFrom('/', '?', '#', ''),
    fc.array(pieceOfUrl, { maxLength: 5 }),
  )
  .map(([scheme, host, first, rest]) => `${scheme}${host}${first}${rest.join('')}`);

const references = (text: string): string => text.replace(/[&<>"'\0]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const anyLink = fc
  .tuple(
    anyUrl,
    fc.constantFrom('"', "'", 'raw"', "raw'", '', 'other'),
    fc.constantFrom('a', 'A', 'area', 'a id=x', 'a title=">"'),
  )
  .map(([url, quoting, tag]) => {
    switch (quoting) {
      case '"':
      case "'":
        return `<${tag} href=${quoting}${references(url)}${quoting}>x</a>`;
      case 'raw"':
        return `<${tag} href = "${url.replaceAll('"', '')}">x</a>`;
      case "raw'":
        return `<${tag} HREF='${url.replaceAll("'", '')}'>x`;
      case 'other':
        return `<${tag} data-href="${references(url)}" target=_blank href=\n"${references(url)}"/>x</a>`;
      default:
        return `<${tag} href=${url.replace(/[\s>"'`<=]/g, '')} class=y>x</a>`;
    }
  });
const anyMarkup = fc.oneof(
  fc.constantFrom(
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<table><tr><td>',
    '</table>',
    '</a>',
    '<div>',
    '</div>',
    '<!-- <a href="https://c.example"> -->',
    '<br/>',
    '\r\n',
    '<!--[if mso]><a href="https://m.example"><![endif]-->',
    '<style>a{}</style>',
    '<title><a href=https://t.example></title>',
    '<ul><li>',
    '</html>',
    '</body>',
    '<body>',
    '<img src="https://i.example">',
    '&nbsp;',
    '<',
    '>',
    '"',
    "<a href='https://torn.example",
    '&amp;',
    'text',
    '😀',
    '\u0000',
    '<script>if (a<b) "<a href=https://s.example>"</script>',
    '<a name=x>',
    '<noscript>',
    '</noscript>',
    '<center>',
    '<!doctype html>',
    '<a href>',
  ),
  fc.string({ maxLength: 5 }),
);

test('an http or https link leads through us to the same place', () => {
  const html = '<p>Go <a class=x href="https://example.com/a?b=c&amp;d=e#f" title="href">there</a></p>';
  const tracked = track(html);
  assert.deepEqual(targetsIn(tracked), ['https://example.com/a?b=c&d=e#f']);
  assert.equal(
    undone(tracked, (target) => target.replaceAll('&', '&amp;')),
    html,
  );
});

test('the link of an image map is tracked too', () => {
  assert.deepEqual(targetsIn(track('<map><area href=http://example.com/x></map>')), ['http://example.com/x']);
});

for (const [what, href] of [
  ['javascript', 'javascript:alert(1)'],
  ['javascript in references', '&#106;avascript:alert(1)'],
  ['javascript broken by a tab', 'java&Tab;script:alert(1)'],
  ['data', 'data:text/html,x'],
  ['mailto', 'mailto:ada@example.com'],
  ['tel', 'tel:+4930123'],
  ['sms', 'sms:+4930123'],
  ['cid', 'cid:logo'],
  ['a fragment', '#top'],
  ['a path', '/pricing'],
  ['a relative one', 'pricing.html'],
  ['one without a scheme', '//example.com/x'],
  ['one whose slashes are missing', 'https:example.com'],
  ['backslashes', 'https:\\\\example.com'],
  ['nothing', ''],
  ['a merge tag', '{{url}}'],
  ['a merge tag in an address', 'https://example.com/{{id}}'],
  ['a host that cannot be', 'https://exa mple.com/'],
  ['no host', 'https://'],
  ['our own tracking link', `${baseUrl}/t/c/abc`],
  ['our own pixel', `${baseUrl}/t/o/abc.gif`],
  ['our unsubscribe page', `${baseUrl}/api/n/unsubscribe?token=x`],
  ['our preferences page on the other host', 'https://app.acme.test/api/n/preferences?token=x'],
  ['our confirm page, written otherwise', 'HTTPS://APP.ACME.TEST:443/api/../api/n/confirm?token=x'],
  ["somebody's unsubscribe page", 'https://example.com/Unsubscribe?u=1'],
  ['an unsubscribe action', 'https://example.com/mail?action=unsubscribe'],
  ['an opt-out page', 'https://example.com/opt-out'],
] as const) {
  test(`untouched: ${what}`, () => untouched(`<p><a href="${href}">x</a></p>`));
}

for (const [what, html] of [
  ['a picture', '<img src="https://example.com/a.png" srcset="https://example.com/b.png 2x">'],
  ['a form', '<form action="https://example.com/"><button formaction="https://example.com/x">go</button></form>'],
  ['links of a picture in svg', '<svg><a xlink:href="https://example.com/" href="https://example.com/">x</a></svg>'],
  ['html inside a picture', '<svg><foreignObject><a href="https://example.com/">x</a></foreignObject></svg>'],
  ['an attribute that only ends like href', '<a data-href="https://example.com/">x</a>'],
  ['base', '<base href="https://example.com/"><a href="x">y</a>'],
  ['link and other elements', '<link href="https://example.com/"><div href="https://example.com/">x</div>'],
  ['a comment for Outlook', '<!--[if mso]><a href="https://example.com/">x</a><![endif]-->'],
  ['text of a style', '<style>a:after{content:\'<a href="https://example.com/">\'}</style>'],
  ['text of a script', '<script>let a = \'<a href="https://example.com/">\'</script>'],
  ['text of a text field', '<textarea><a href="https://example.com/"></textarea>'],
  ['a tag that never ends', '<p>x</p><a href="https://example.com/"'],
  ['an end tag', '</a href="https://example.com/">'],
  ['escaped markup', '&lt;a href="https://example.com/"&gt;'],
  ['what the sender marks', '<a data-posthorn-no-track href="https://example.com/">x</a>'],
] as const) {
  test(`untouched: ${what}`, () => untouched(html));
}

test('the shown half of a conditional comment is tracked', () => {
  const html = '<!--[if !mso]><!--><a href="https://example.com/">x</a><!--<![endif]-->';
  assert.equal(undone(track(html)), html);
  assert.deepEqual(targetsIn(track(html)), ['https://example.com/']);
});

test('every way to write the attribute is kept', () => {
  for (const html of [
    '<a href=https://example.com/>x</a>',
    "<a href='https://example.com/'>x</a>",
    '<A HREF = "https://example.com/" >x</A>',
    '<a\nhref\t=\r\n"https://example.com/"id=x>x</a>',
    '<a/href="https://example.com/"/>x',
  ]) {
    const tracked = track(html);
    assert.deepEqual(targetsIn(tracked), ['https://example.com/'], html);
    assert.equal(undone(tracked), html);
  }
});

test('the first of two hrefs counts, as in a browser; the second stays', () => {
  const tracked = track('<a href="https://a.test/" href="https://b.test/">x</a>');
  assert.deepEqual(targetsIn(tracked), ['https://a.test/']);
  assert.match(tracked, / href="https:\/\/b\.test\/">/);
});

test('white space around and line breaks in an address are passed over', () => {
  assert.deepEqual(targetsIn(track('<a href=" \n https://exam\r\nple.com/a\tb \t">x</a>')), ['https://example.com/ab']);
});

test('links of broken and nested html are found', () => {
  const html =
    '<table><a href="https://a.test/"><tr><a href="https://b.test/">x<p><a href=https://c.test/>y<b><div></a>';
  assert.deepEqual(targetsIn(track(html)), ['https://a.test/', 'https://b.test/', 'https://c.test/']);
  assert.equal(undone(track(html)), html);
});

test('a tag named like a property of every object is a tag like others, and the links in it are found', () => {
  for (const name of ['constructor', 'toString', 'valueOf', '__proto__']) {
    const html = `<${name}><a href="https://a.test/1">x</a></${name}>`;
    assert.deepEqual(targetsIn(track(html)), ['https://a.test/1'], name);
  }
});

test('5,000 links are rewritten, each to its own target, in time', () => {
  const targets = Array.from({ length: 5_000 }, (_, index) => `https://example.com/article/${index}`);
  const html = targets.map((target) => `<a href="${target}">x</a>`).join('\n');
  assert.deepEqual(targetsIn(track(html)), targets);
  const took = cpuMsOf(() => track(html), 2);
  assert.ok(took < 2_000, `${took} ms`);
});

test('a link whose tracked address would be longer than 2,000 characters stays', () => {
  const long = (chars: number) => `<a href="https://example.com/${'x'.repeat(chars)}">x</a>`;
  untouched(long(1_500));
  const tracked = track(long(1_300));
  assert.equal(undone(tracked), long(1_300));
  assert.ok((/"(https:[^"]+)"/.exec(tracked)?.[1]?.length ?? 0) <= 2_000);
});

test('rewriting adds no more than a megabyte; the links beyond stay', () => {
  const html = '<a href=http://a.b/>x</a>'.repeat(20_000);
  const tracked = track(html);
  assert.ok(tracked.length > html.length + 900_000 && tracked.length <= html.length + 1024 * 1024);
  assert.equal(undone(tracked), html);
});

test('tracked html is not tracked again', () => {
  const once = track('<body><a href="https://example.com/">x</a></body>');
  assert.equal(track(once), once);
});

test('a base address below a path keeps its own pages', () => {
  const below = { ...clicksOnly, baseUrl: 'https://acme.test/mail' };
  untouched('<a href="https://acme.test/mail/t/c/x">x</a>', below);
  assert.match(track('<a href="https://acme.test/t/c/x">x</a>', below), /"https:\/\/acme\.test\/mail\/t\/c\//);
});

const withoutPixel = (html: string): string => html.replace(/<img src="https:\/\/mail[^>]*>/, '¦');
for (const [what, html, expected] of [
  ['before the end of body', '<body><p>x</p></body></html>', '<body><p>x</p>¦</body></html>'],
  ['in upper case', '<BODY>x</BODY >', '<BODY>x¦</BODY >'],
  ['before the last of several', '<body>x</body>y</body>', '<body>x</body>y¦</body>'],
  ['at the end of html without body', '<p>x</p>\n', '<p>x</p>\n¦'],
  ['not at an end of body in a comment', '<p>x</p><!-- </body> -->', '<p>x</p><!-- </body> -->¦'],
  ['before a comment that never ends', '<p>x</p><!-- y', '<p>x</p>¦<!-- y'],
  ['before a comment that only looks ended', '<p>x</p><!-- y>', '<p>x</p>¦<!-- y>'],
  ['before another kind of torn comment', '<p>x</p><!y', '<p>x</p>¦<!y'],
  ['before a style that never ends', '<p>x</p><style>a{}</body>', '<p>x</p>¦<style>a{}</body>'],
  ['before a tag that is cut off', '<p>x</p><a href="y', '<p>x</p>¦<a href="y'],
  ['before text that takes everything', '<p>x</p><plaintext>y</body>', '<p>x</p>¦<plaintext>y</body>'],
  ['in nothing', '', '¦'],
] as const) {
  test(`the pixel stands ${what}`, () => {
    assert.equal(withoutPixel(track(html, { ...rules, clicks: false })), expected);
  });
}

test('the pixel is one dot that nobody sees, and says which email it is of', () => {
  const pixel = track('', rules);
  assert.match(pixel, /^<img src="[^"]+" width="1" height="1" alt="" style="[^"]*opacity:0">$/);
  const token = /\/t\/o\/([^.]+)\.gif"/.exec(pixel)?.[1] ?? '';
  assert.deepEqual(readOpenToken(token, key), email);
});

for (const [what, part] of [
  ['open elements', '<div>'],
  ['open formatting of many kinds', (n: number) => `<b a${n}><p>`],
  ['links in links', '<a href="https://a.test/"><a><table>'],
  ['pictures in pictures', '<svg><math><foreignObject>'],
  ['attributes', (n: number) => ` a${n}="`],
  ['torn tags', '<a href="<a href='],
  ['torn comments', '<!--<!-'],
  ['references', '&#x&amp&notit;'],
  ['spaces in an address', '                '],
] as const) {
  test(`500 KB of ${what} take time by their length`, () => {
    const unit = typeof part === 'string' ? () => part : part;
    let html = '<a href="';
    if (!what.includes('attributes') && !what.includes('address')) html = '';
    for (let count = 0; html.length < 500_000; count += 1) html += unit(count);
    const took = cpuMsOf(() => findPlaces(html), 1);
    assert.ok(took < 1_000, `${took} ms`);
  });
}

test('off is off: not a byte changes', () => {
  untouched('<body>\r\n<a href=https://example.com/>\0\ufeff</a></body>', { ...rules, opens: false, clicks: false });
});

test('thousands of nasty addresses in random html: the target is what a browser reads, everything else is what it was', () => {
  let links = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(anyLink, anyLink, anyMarkup), { maxLength: 20 }), (parts) => {
      const html = parts.join('');
      const tracked = track(html);
      const found = linksOfWholeParser(html);
      // Every edit undone gives the source; what is left of an edit is one link of ours.
      const rest: string[] = [];
      let done = 0;
      const expected: string[] = [];
      for (const { start, end, href } of found) {
        const target = browserTarget(href);
        if (target === null) continue;
        expected.push(target);
        rest.push(html.slice(done, start));
        done = end;
      }
      rest.push(html.slice(done));
      assert.deepEqual(targetsIn(tracked), expected);
      assert.deepEqual(tracked.split(/https:\/\/mail\.acme\.test\/t\/c\/[A-Za-z0-9_-]+/), rest);
      assert.equal(track(tracked), tracked);
      links += expected.length;
    }),
    { numRuns: 3_000 },
  );
  assert.ok(links >= 3_000, `${links} links`);
});

/** The same by other means: the whole parser of parse5, and URL for what a browser makes of it. */
function linksOfWholeParser(html: string): { start: number; end: number; href: string }[] {
  const found = new Map<number, { start: number; end: number; href: string }>();
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node && (node.tagName === 'a' || node.tagName === 'area') && node.namespaceURI.endsWith('xhtml')) {
      const href = node.attrs.find(({ name }) => name === 'href');
      const place = node.sourceCodeLocation?.attrs?.['href'];
      const opening = /^href\s*=\s*(["']?)/i.exec(html.slice(place?.startOffset, place?.endOffset));
      if (href !== undefined && place !== undefined && opening !== null) {
        const start = place.startOffset + opening[0].length;
        // Reopened elements are shown more than once, and stand in the source once.
        found.set(start, { start, end: place.endOffset - (opening[1] ?? '').length, href: href.value });
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
    if ('content' in node) visit(node.content);
  };
  visit(parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }));
  return [...found.values()].sort((a, b) => a.start - b.start);
}

function browserTarget(href: string): string | null {
  const stripped = href
    .replace(/^[\0-\x20]+/, '')
    .replace(/(?<![\0-\x20])[\0-\x20]+$/, '')
    .replace(/[\t\n\r]/g, '');
  if (!/^https?:\/\//i.test(stripped) || !URL.canParse(stripped) || stripped.includes('{{')) return null;
  const { pathname, search, hash } = new URL(stripped);
  return /unsubscrib|opt-?out/i.test(`${pathname}${search}${hash}`) ? null : stripped;
}
