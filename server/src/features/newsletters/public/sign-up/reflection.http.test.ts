import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestAnswer, TestApp } from '../../../../../test/harness/app.ts';
import type { Newsletter } from '../../newsletter.ts';
import { aMember, aPublicApp, newsletterOf, rowOf, sendForm, subscribe, tokenFor, visit } from '../test-kit.ts';

/** Inputs that have attacked browsers, templates, shells and databases; each carries a mark that can be looked for. */
const NAUGHTY = [
  '<script>zqx()</script>',
  '"><img src=x onerror=zqx()>',
  "'-zqx()-'",
  '</title><script>zqx()</script>',
  '</textarea><svg/onload=zqx()>',
  'javascript:zqx()',
  '<a href="javascript:zqx()">x</a>',
  '{{zqx}}{{7*7}}',
  '${zqx}${7*7}',
  '<%= zqx 7*7 %>',
  '#{zqx 7*7}',
  '[[zqx 7*7]]',
  "zqx'; drop table subscribers; --",
  'zqx\u202egnp.exe',
  'zqx\u2028\u2029',
  '<!--zqx',
  '&lt;script&gt;zqx()',
  '<ScRiPt >zqx()</sCrIpT>',
  'jaVasCript:/*-/*`/*\\`/*\'/*"/**/(/* */onerror=zqx() )//%0D%0A//</stYle/</titLe/</teXtarEa/--!>\\x3csVg/<sVg/oNloAd=zqx()//>',
  '=cmd|zqx!A0',
  '%00zqx%0d%0aset-cookie: zqx=1',
  '𝓩𝓺𝔁 zqx 田中さん 😀',
  '../../../etc/passwd zqx',
];

let app: TestApp;
let newsletter: Newsletter;
before(async () => {
  app = await aPublicApp();
  newsletter = await newsletterOf(app, { slug: 'weekly', name: NAUGHTY[1] ?? '', description: NAUGHTY[3] ?? '' });
});
after(() => app.close());

const ELEMENTS =
  'html head meta title link style body main header footer h1 h2 h3 p bdi br form div label input button a span section nav ul li'.split(
    ' ',
  );

/** Nothing that was given is an element, an attribute, a header or computed; a page has no scripts at all. */
function assertInert(answer: TestAnswer, given: string): void {
  assert.ok(answer.status < 500, `${given}: ${answer.status}`);
  // The one header that names the fields it did not know: one line, and no markup wherever it is read.
  const { 'x-unknown-fields': unknown = '', ...headers } = answer.headers;
  assert.match(String(unknown), /^[\x20-\x7e]*$/, given);
  assert.doesNotMatch(JSON.stringify(headers), /zqx/i, given);
  const markup = answer.text
    .replace(/<!doctype html>/, '')
    .replace(/<style>[\s\S]*?<\/style>/, '')
    // Of a frame, and let run by its policy alone.
    .replace(/<script>[^<]*<\/script>\n<\/body>/, '</body>');
  assert.doesNotMatch(markup, /(?:href|src|action)="javascript:/i, given);
  // Without the quoted values, in which a quote or an angle bracket would have ended the value.
  const bare = markup.replace(/="[^"<>]*"/g, '=""');
  for (const [tag, name = ''] of bare.matchAll(/<\/?([^\s>]*)[^>]*>/g)) {
    assert.ok(ELEMENTS.includes(name), `${given} made ${tag}`);
    assert.doesNotMatch(tag, /zqx|\son\w+=/i, given);
  }
  if (given.includes('7*7')) assert.doesNotMatch(bare.replace(/<[^>]*>/g, ''), /\b49\b/, given);
}

test('naughty strings in every field of the form are text on the page, or are refused', async () => {
  for (const given of NAUGHTY) {
    const text = encodeURIComponent(given);
    for (const body of [
      `email=${text}&name=x`,
      `email=ok%40example.com&name=${text}&source=${text}&website=${text}`,
      `email=${text}%40example.com&redirect_url=${text}&url=${text}&embed=${text}&shown_at=${text}&form_version=${text}`,
    ]) {
      assertInert(await sendForm(app, '/api/n/weekly/subscribe', body), given);
    }
    assertInert(await sendForm(app, '/api/n/weekly/resend', `email=${text}`), given);
    const json = await subscribe(app, 'weekly', {
      email: `${given}@example.com`,
      name: given,
      source: given,
      [given]: given,
    });
    assert.ok([200, 400, 422].includes(json.status), given);
  }
});

test('naughty strings in addresses, in links and in what stands beside them are shown by no page', async () => {
  const row = await aMember(app, newsletter, 'reader@example.com');
  const token = await tokenFor(app, 'nl_unsub', row);
  for (const given of NAUGHTY) {
    const text = encodeURIComponent(given);
    for (const url of [
      `/api/n/unsubscribe?token=${text}`,
      `/api/n/confirm?token=${text}&redirect=${text}&next=${text}`,
      `/api/n/preferences?token=${token}&lang=${text}`,
      `/api/n/unsubscribe?token=${token}&redirect=${text}&lang=${text}&${text}=1`,
    ]) {
      const answer = await visit(app, url, { 'sec-purpose': 'prefetch', 'accept-language': 'de;q=<script>' });
      assertInert(answer, given);
      assert.equal(answer.headers.location, undefined);
    }
    const unknown = await sendForm(app, `/api/n/${text}/subscribe`, 'email=a%40example.com');
    assertInert(unknown, given);
    assert.doesNotMatch(unknown.text, /zqx/);
  }
});

test('naughty strings that were stored are text on the pages behind links', async () => {
  const names = NAUGHTY.filter((name) => name.length <= 64);
  for (const [index, name] of names.entries()) {
    const email = `stored${index}@example.com`;
    if ((await subscribe(app, 'weekly', { email, name, source: name })).status !== 200) continue;
    const row = await rowOf(app, newsletter, email);
    assert.ok(row);
    const page = await visit(app, `/api/n/preferences?token=${await tokenFor(app, 'nl_prefs', row)}`);
    assert.equal(page.status, 200);
    assertInert(page, name);
  }
});
