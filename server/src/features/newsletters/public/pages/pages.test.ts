import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, localeOf } from '#features/reader-pages';
import { maskedEmail } from '#platform/pages/masked-email.ts';
import { formVersion } from './subscribe-page.ts';
import { A_NEWSLETTER, everyPage } from './test-kit.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '{{7*7}} ${7*7} <%= 7*7 %> #{7*7} [[7*7]]',
  '{newsletter} {email} {name} {workspace}',
  `jaVasCript:/*-/*\`/*\\\`/*'/*"/**/(/* */oNcliCk=alert() )//</stYle/</titLe/</sCript/--!>\\x3csVg/<sVg/oNloAd=alert()//>\\x3e`,
  '<!--',
  ']]>',
  '<base href="//evil.example">',
  '\u202Egnp.exe',
  'a\u2028b\u2029c',
  '\u0000\u0001\uFFFF',
  '$& $1 $$',
];
const hostilePages = (text: string) =>
  everyPage({
    newsletter: { name: text, description: text, accentColor: text, logoUrl: text },
    email: text,
    name: text,
    workspaceName: text,
    subject: text,
    preheader: text,
  });

/** The tags of a page, without their attributes' values and the style. */
const skeleton = (page: string): string =>
  [...page.replace(/<style>[^]*?<\/style>/, '').matchAll(/<\/?[a-z!][^\s>]*|\s[a-z-]+(?==")/gi)].map(String).join('');

const policyOf = (headers: Readonly<Record<string, string>>): string => headers['content-security-policy'] ?? '';

test('whatever a newsletter, a person or a workspace is called, every page has the same tags and attributes', () => {
  const plain = everyPage();
  for (const text of HOSTILE) {
    for (const [name, shown] of Object.entries(hostilePages(text)))
      assert.equal(skeleton(String(shown.body)), skeleton(String(plain[name]?.body)), `${name}: ${text}`);
  }
});

test('typed text is shown unchanged, and placeholders in it are not filled in', () => {
  const { subscribe, unsubscribed } = everyPage({ newsletter: { name: '{email} & <b>{name}</b>' } });
  assert.match(String(subscribe?.body), /<h1>\{email\} &amp; &lt;b&gt;\{name\}&lt;\/b&gt;<\/h1>/);
  assert.match(String(unsubscribed?.body), /issues of <bdi>\{email\} &amp; /);
});

test('no page has a script (but for a frame that tells its height), a handler, an inline style or anything from another server', () => {
  for (const language of LANGUAGES) {
    for (const [name, { body: shown, headers }] of Object.entries(everyPage({}, language))) {
      const page = String(shown);
      const body = page
        .replace(/<(?:link rel="(?:canonical|icon)"|meta) [^>]*>/g, '')
        .replace(/<article[^]*<\/article>/, '')
        .replace(/<script type="application\/ld\+json">[^<>&]*<\/script>/, '')
        .replace(name.startsWith('embed') ? /<script>[^<]*<\/script>\n<\/body>/ : '', '');
      assert.doesNotMatch(body, /<script|\son\w+=|\sstyle=|javascript:|https?:\/\//i, name);
      assert.match(page, new RegExp(`<html lang="${language}">`), name);
      assert.equal(headers['content-language'], language);
      assert.doesNotMatch(page, /\{[a-z]+\}(?![^<]*<\/style>)/, `${name}: every placeholder is filled`);
    }
  }
});

test('every page says by its policy that nothing runs but the script of the frame, which alone may be framed', () => {
  for (const [name, { headers }] of Object.entries(everyPage())) {
    const policy = policyOf(headers);
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; /, name);
    assert.match(policy, /form-action 'self'; base-uri 'none'/, name);
    assert.match(policy, name.startsWith('issue') ? /img-src data: 'self' https:;/ : /img-src data:;/, name);
    assert.doesNotMatch(policy, /unsafe/, name);
    assert.equal(/script-src 'sha256-[A-Za-z0-9+/]{43}=';/.test(policy), name.startsWith('embed'), name);
    assert.equal(
      policy.endsWith(name.startsWith('embed') ? 'frame-ancestors *' : "frame-ancestors 'none'"),
      true,
      name,
    );
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['set-cookie'], undefined);
  }
});

test('only the front, the archive and issues are for search engines and may be kept; a page of a link never', () => {
  for (const [name, { headers }] of Object.entries(everyPage())) {
    assert.equal(
      headers['x-robots-tag'] === 'all',
      /^(subscribe|subscribe-(?:short|closed|latest)|archive.*|issue.*)$/.test(name),
      name,
    );
    assert.equal(headers['cache-control'] === 'no-store', !/^(archive.*|issue.*)$/.test(name), name);
  }
});

test('a logo is loaded over https, without a referrer, and the policy names its origin and no other', () => {
  const { embed } = everyPage({ newsletter: { logoUrl: 'https://cdn.example.com:8443/a/logo.png?x=1&y="2' } });
  assert.match(policyOf(embed?.headers ?? {}), /; img-src data: https:\/\/cdn\.example\.com:8443; /);
  const image =
    /<img class="logo" src="https:\/\/cdn\.example\.com:8443\/a\/logo\.png\?x=1&amp;y=%222" alt="" referrerpolicy="no-referrer">/;
  assert.match(String(embed?.body), image);
});

test('a logo that is not on https is none', () => {
  const refused = ['http://cdn.example.com/a.png', 'javascript:alert(1)', 'data:image/svg+xml,<svg onload=alert(1)>'];
  for (const logoUrl of [...refused, '//x/y.png', 'https://', "https://a.example;script-src'unsafe-inline'/x"]) {
    const { subscribe } = everyPage({ newsletter: { logoUrl } });
    assert.doesNotMatch(String(subscribe?.body), /<img/, logoUrl);
    assert.doesNotMatch(policyOf(subscribe?.headers ?? {}), /img-src data: |script-src/, logoUrl);
  }
});

test('the frame is below 15 kB in every language, with the longest name, description and logo there can be', () => {
  const logoUrl = `https://cdn.example.com/${'a'.repeat(1_900)}`;
  const longest = { name: '朝'.repeat(200), description: '朝'.repeat(1_000), logoUrl };
  for (const language of LANGUAGES) {
    const bytes = Buffer.byteLength(String(everyPage({ newsletter: longest }, language)['embed-invalid']?.body));
    assert.ok(bytes < 15_000, `${language}: ${bytes} bytes`);
    assert.ok(Buffer.byteLength(String(everyPage({}, language)['embed']?.body)) < 7_500, language);
  }
});

test('errors are tied to their field and announced', () => {
  const page = String(everyPage()['subscribe-invalid']?.body);
  assert.match(page, /<p class="alert" role="alert">/);
  assert.match(page, /<input id="email"[^>]* aria-invalid="true" aria-describedby="email-problem"/);
  assert.match(page, /<p class="problem" id="email-problem">Enter a complete email address/);
  assert.match(page, /value="ada@example\.com"/, 'what was typed is still there');
});

test('a person with a mailbox at a large service finds a link to it, which tells it nothing, and others find none', () => {
  const linkFor = (email: string, language = 'en'): string | undefined =>
    /<a class="button" href="([^"]*)" target="_blank" rel="noopener noreferrer">/.exec(
      String(everyPage({ email }, language)['check-inbox']?.body),
    )?.[1];
  const rows = {
    'ada@gmail.com': 'https://mail.google.com/mail/',
    'ada@GMAIL.com': 'https://mail.google.com/mail/',
    'ada@hotmail.co.uk': 'https://outlook.live.com/mail/',
    'ada@yahoo.fr': 'https://mail.yahoo.com/',
    'ada@yahoo.co.jp': undefined,
    'ada@me.com': 'https://www.icloud.com/mail',
    'ada@pm.me': 'https://mail.proton.me/',
    'ada@gmx.de': 'https://www.gmx.net/',
    'ada@example.com': undefined,
    'ada@notgmail.com': undefined,
    'ada@gmail.com.example.com': undefined,
    '"@gmail.com"@example.com': undefined,
  };
  for (const [email, address] of Object.entries(rows)) assert.equal(linkFor(email), address, email);
  assert.match(String(everyPage({ email: 'a@pm.me' }, 'de')['embed-check-inbox']?.body), />Proton Mail<\/bdi> öffnen</);
});

test('pages have the status of what they say', () => {
  const pages = everyPage();
  const statuses = Object.fromEntries(Object.entries(pages).map(([name, { status = 200 }]) => [name, status]));
  assert.deepEqual(
    [statuses['subscribe'], statuses['subscribe-invalid'], statuses['subscribe-refused'], statuses['bad-link']],
    [200, 400, 422, 400],
  );
  assert.deepEqual(
    [statuses['gone'], statuses['not-found'], statuses['too-many'], statuses['broken'], statuses['closed']],
    [404, 404, 429, 500, 422],
  );
  assert.equal(pages['too-many']?.headers['retry-after'], '240');
});

test('an address is masked: a link may have been forwarded', () => {
  assert.equal(maskedEmail('ada@example.com'), 'a•••@example.com');
  assert.equal(maskedEmail('"a@b"@example.com'), '"•••@example.com');
  assert.equal(maskedEmail('nothing'), '•••');
  assert.doesNotMatch(String(everyPage({ email: 'ada.lovelace@example.com' })['unsubscribed']?.body), /lovelace/);
});

test('the version of the form changes with its wording and with what it promises, and not otherwise', () => {
  const english = formVersion(localeOf('en'), true);
  assert.match(english, /^en-[0-9a-f]{12}$/);
  assert.equal(formVersion(localeOf('en'), true), english);
  assert.notEqual(formVersion(localeOf('en'), false), english);
  assert.notEqual(formVersion(localeOf('de'), true), english);
  assert.match(String(everyPage()['subscribe']?.body), new RegExp(`name="form_version" value="${english}"`));
  assert.equal(A_NEWSLETTER.doubleOptIn, true);
});
