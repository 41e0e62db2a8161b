import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp } from '../../../../../test/harness/app.ts';
import { aNewsletter, aWorkspace } from '../../../../../test/harness/builders.ts';
import { noteWords } from '../indexing/note-words.ts';
import { findByWords } from '../search/queries.ts';
import { searchedIn } from '../search/words.ts';
import { type Opened, pagesOf } from './http/test-kit.ts';

let t: TestApp;
before(async () => {
  t = await createTestApp({ env: { POSTHORN_PUBLIC_URL: 'https://mail.example.com/base' } });
});
after(() => t.close());

const { open, newsletter, issue } = pagesOf(() => t);

const policyOf = (answer: Opened): string => String(answer.headers['content-security-policy']);

test('200 for the form of a newsletter, whatever the case of its slug; it posts below the address people reach us at', async () => {
  const { slug } = await newsletter({ description: 'About <b>letters</b>' });
  for (const url of [`/n/${slug}`, `/n/${slug.toUpperCase()}`]) {
    const page = await open(url);
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.text, /About &lt;b&gt;letters&lt;\/b&gt;/);
    assert.ok(page.text.includes(`<form method="post" action="/base/api/n/${slug}/subscribe"`));
    assert.match(page.text, /name="shown_at" value="[\w-]{30}"/);
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.equal(page.headers['set-cookie'], undefined);
    assert.match(policyOf(page), /frame-ancestors 'none'$/);
  }
});

test('301 from every page of a newsletter that has moved, and forms that name the old slug go on working', async () => {
  const { id, slug } = await newsletter();
  await issue(id, { slug: 'first' });
  const now = `${slug}-now`;
  const rename = (body: object) => t.request({ method: 'PATCH', url: `/v1/newsletters/${id}`, body });
  assert.equal((await rename({ slug: now })).status, 200);
  const below = [
    '',
    '/embed',
    '?source=a%20b',
    '/archive?page=1',
    '/archive?q=a%20b',
    '/i/first',
    '/feed.xml',
    '/feed.json',
  ];
  for (const path of below) {
    const { status, headers } = await open(`/n/${slug}${path}`);
    assert.deepEqual([status, headers['location']], [301, `https://mail.example.com/base/n/${now}${path}`]);
    assert.equal(headers['cache-control'], 'max-age=300');
    assert.equal((await open(`/n/${now}${path}`)).status, 200, path);
  }
  const email = 'still.here@example.com';
  const signUp = await t.request({ url: `/api/n/${slug}/subscribe`, key: null, body: { email } });
  assert.equal(signUp.status, 200);
  const { rows } = await sql`select newsletter_id as id from subscribers
    where workspace_id = ${t.workspaceId} and email = ${email}`.execute(t.db);
  assert.deepEqual(rows, [{ id }]);

  assert.equal((await rename({ slug })).status, 200, 'back again');
  assert.equal((await open(`/n/${slug}`)).status, 200);
  assert.equal((await open(`/n/${now}`)).status, 301);
});

test('200 from whoever takes a slug that another newsletter had, and 404 when that one is deleted', async () => {
  const { id, slug } = await newsletter();
  const rename = (to: string) => t.request({ method: 'PATCH', url: `/v1/newsletters/${id}`, body: { slug: to } });
  await rename(`${slug}-one`);
  await rename(`${slug}-two`);
  const name = 'The one that took it';
  const taken = await t.request({ url: '/v1/newsletters', body: { name, slug } });
  assert.equal(taken.status, 201);
  const page = await open(`/n/${slug}`);
  assert.deepEqual([page.status, page.text.includes(name)], [200, true]);
  assert.equal((await open(`/n/${slug}-one`)).headers['location'], `https://mail.example.com/base/n/${slug}-two`);
  assert.equal((await t.request({ method: 'DELETE', url: `/v1/newsletters/${id}` })).status, 200);
  for (const gone of [`${slug}-one`, `${slug}-two`]) assert.equal((await open(`/n/${gone}`)).status, 404, gone);
});

test('200 for the frame, which anybody may frame and which keeps its answers inside', async () => {
  const { slug } = await newsletter({ accent_color: '#ffe000' });
  const frame = await open(`/n/${slug}/embed`);
  assert.equal(frame.status, 200);
  assert.match(policyOf(frame), /frame-ancestors \*$/);
  assert.match(frame.text, /name="embed" value="full-light"/);
  assert.match((await open(`/n/${slug}/embed?layout=line&theme=auto`)).text, /name="embed" value="line-auto"/);
  assert.match((await open(`/n/${slug}/embed?layout=x&theme=%22`)).text, /name="embed" value="full-light"/);
  assert.match(frame.text, /--fill:#ffe000;--on-fill:#000000/);
  assert.ok(Buffer.byteLength(frame.text) < 15_000);
  assert.equal(frame.headers['set-cookie'], undefined);
});

test('200 for an address that fills the form in: as text, and no longer than the field', async () => {
  const { slug } = await newsletter();
  const query = new URLSearchParams({
    name: '"><script>alert(1)</script>',
    email: `${'a'.repeat(400)}@example.com`,
    source: 'talk',
    utm_source: '<script>',
    lang: '<script>',
  });
  const page = await open(`/n/${slug}?${query}`);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /<script/);
  assert.match(page.text, /name="name" type="text" value="&quot;&gt;&lt;script&gt;alert\(1\)/);
  assert.match(page.text, /name="source" value="talk"/);
  assert.doesNotMatch(page.text, /a{321}/);
});

test('200 without a form when a newsletter takes nobody', async () => {
  const { slug } = await newsletter({ signup_enabled: false });
  for (const url of [`/n/${slug}`, `/n/${slug}/embed`]) {
    const page = await open(url);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /<form/);
    assert.match(page.text, /is not taking new subscribers/);
  }
});

test('404 as a page for a slug that names nothing, in the language that the browser asks for', async () => {
  const paths = ['', '/embed', '/archive', '/i/x', '/feed.xml', '/feed.json'];
  for (const path of paths) {
    const page = await open(`/n/nobody-has-this${path}`, { 'accept-language': 'xx, de-AT;q=0.9, en;q=0.5' });
    assert.equal(page.status, 404, path);
    assert.match(page.text, /<html lang="de">[^]*<h1>Seite nicht gefunden<\/h1>/);
    assert.match(policyOf(page), /frame-ancestors 'none'$/);
    assert.equal(page.headers['cache-control'], 'no-store');
  }
  for (const slug of ['%00', '%ff', '..%2f..', "x'--", 'a'.repeat(300), '%F0%9F%98%80', '<script>'])
    assert.equal((await open(`/n/${slug}`)).status, 404, slug);
});

test('404 as a page below /n/ for everybody, elsewhere for a browser; as JSON for a program or below the API', async () => {
  const { slug } = await newsletter();
  const accept = 'text/html,*/*;q=0.8';
  for (const url of ['/', '/favicon.html', `/n/${slug}/foo`, `/n/${slug}/i/x/content`, '/n/nobody/foo']) {
    const page = await open(url, { accept, 'accept-language': 'de' });
    assert.equal(page.status, 404, url);
    assert.match(page.text, /<h1>Seite nicht gefunden<\/h1>/, url);
    assert.match(policyOf(page), /^default-src 'none'/);
    for (const headers of [{}, { accept: 'application/json' }]) {
      const plain = await open(url, headers);
      const name = url.startsWith('/n/') ? /<h1>Page not found<\/h1>/ : /"name":"not_found_error"/;
      assert.equal(plain.status, 404, url);
      assert.match(plain.text, name, url);
    }
  }
  for (const url of ['/v1/foo', '/api/v1/foo']) assert.match((await open(url, { accept })).text, /^\{/, url);
  assert.match((await open(`/n/${slug}/foo`, { accept }, 'DELETE')).text, /^\{/);
});

test('200 for robots.txt, which keeps links of mail and the API out, and lets pages say for themselves', async () => {
  const robots = await open('/robots.txt');
  assert.deepEqual([robots.status, robots.headers['content-type']], [200, 'text/plain; charset=utf-8']);
  assert.match(robots.text, /^User-agent: \*\nAllow: \/n\/\nDisallow: \/api\/\n/);
});

test('200 for favicon.ico, an icon that is kept for a day, also when a browser asks that would get a page', async () => {
  for (const accept of ['image/avif,image/webp,*/*;q=0.8', 'text/html,*/*;q=0.8']) {
    const icon = await open('/favicon.ico', { accept });
    assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/svg+xml; charset=utf-8']);
    assert.equal(icon.headers['cache-control'], 'public, max-age=86400');
    assert.equal(icon.headers['set-cookie'], undefined);
    assert.match(icon.text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>$/);
  }
  const head = await open('/favicon.ico', {}, 'HEAD');
  assert.deepEqual([head.status, head.text], [200, '']);
});

test('200 with a slash at the end of an address that people type; links on the page hold there, too', async () => {
  const { id, slug } = await newsletter();
  await issue(id, { slug: 'one' });
  const untimed = ({ text }: Opened) => text.replace(/name="shown_at" value="[^"]*"/, '');
  for (const path of ['', '/archive', '/i/one']) {
    const page = await open(`/n/${slug}${path}/?email=a%40b.co`);
    assert.equal(page.status, 200, path);
    assert.equal(untimed(page), untimed(await open(`/n/${slug}${path}?email=a%40b.co`)));
    for (const [, link = ''] of page.text.matchAll(/(?:href|action|src)="([^"]*)"/g))
      assert.match(link, /^(?:https:\/\/mail\.example\.com)?\/base\/|^data:image\/svg|^mailto:\?/);
  }
  assert.equal((await open(`/n/${slug}//`)).status, 404);
});

test('200 with what a preview of a link shows, and the one address that counts, for the form and an issue', async () => {
  const { id, slug } = await newsletter({ name: 'A & "B"', description: `Two\nlines ${'x'.repeat(400)}` });
  await issue(id, { slug: 'one', subject: 'Hi {{ subscriber.name }}<b>', preheader: '">& more' });
  const front = await open(`/n/${slug.toUpperCase()}/`);
  const base = `https://mail.example.com/base/n/${slug}`;
  const says = (page: Opened, ...metas: string[]): void => {
    for (const meta of metas) assert.ok(page.text.includes(`<meta property="${meta}">`), `${meta}\n${page.text}`);
  };
  assert.ok(front.text.includes(`<link rel="canonical" href="${base}">`));
  says(front, 'og:title" content="A &amp; &quot;B&quot;', `og:url" content="${base}`);
  assert.match(front.text, /<meta name="description" content="Two lines x{290}">/);
  const shown = await open(`/n/${slug}/i/one/`);
  assert.ok(shown.text.includes(`<link rel="canonical" href="${base}/i/one">`));
  says(
    shown,
    'og:title" content="Hi &lt;b&gt;',
    'og:type" content="article',
    `og:url" content="${base}/i/one`,
    'og:description" content="&quot;&gt;&amp; more',
    'article:published_time" content="2026-11-15T07:00:00.000Z',
  );
  assert.match(shown.text, /<meta name="twitter:card" content="summary">/);
  const archive = await open(`/n/${slug}/archive`);
  says(archive, `og:url" content="${base}/archive`);
  assert.doesNotMatch((await open(`/n/${slug}/embed`)).text, /og:|canonical/);
  const htmlBody =
    '<p>What it says</p><img src="https://cdn.example.com/a.png" alt="A"><img src="https://b.example/b.png">';
  await issue(id, { slug: 'two', subject: 'None', htmlBody });
  const two = await open(`/n/${slug}/i/two`);
  says(two, 'og:image" content="https://cdn.example.com/a.png', 'og:description" content="What it says');
  assert.match(two.text, /<meta name="twitter:card" content="summary_large_image">/);
});

test('405 for a method that pages do not have', async () => {
  const { slug } = await newsletter();
  for (const method of ['POST', 'DELETE'] as const) {
    const answer = await open(`/n/${slug}`, {}, method);
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers['allow'], 'GET, HEAD');
  }
  assert.equal((await open(`/n/${slug}`, {}, 'HEAD')).status, 200);
});

test('200 for the archive: what was sent and nothing else, newest first, twenty a page, days in the zone of the newsletter', async () => {
  const { id, slug } = await newsletter({ timezone: 'Pacific/Auckland', language: 'de' });
  for (let day = 1; day <= 23; day += 1)
    await issue(id, {
      slug: `i-${day}`,
      subject: `Nr. ${day}.`,
      sentAt: `2026-10-${String(day).padStart(2, '0')}T20:00:00Z`,
    });
  for (const status of ['draft', 'scheduled', 'sending', 'cancelled', 'failed'])
    await issue(id, { slug: status, subject: `a secret ${status}`, status, sentAt: null });
  const other = await newsletter();
  await issue(other.id, { slug: 'other', subject: 'of another' });

  const first = await open(`/n/${slug}/archive`);
  assert.equal(first.status, 200);
  const subjects = (page: Opened): string[] =>
    [...page.text.matchAll(/<a class="row" href="[^"]*">(Nr\. \d+|a secret \w+|of another)/g)].map(
      (found) => found[1] ?? '',
    );
  assert.deepEqual(
    subjects(first),
    Array.from({ length: 20 }, (_, index) => `Nr. ${23 - index}`),
  );
  assert.ok(first.text.includes(`<a class="row" href="/base/n/${slug}/i/i-23">`));
  assert.match(first.text, /datetime="2026-10-23T20:00:00\.000Z">24\. Oktober 2026</, 'it is the next day in Auckland');
  assert.ok(first.text.includes(`rel="next" href="/base/n/${slug}/archive?page=2"`));
  const second = await open(`/n/${slug}/archive?page=2`);
  assert.deepEqual(subjects(second), ['Nr. 3', 'Nr. 2', 'Nr. 1']);
  assert.ok(second.text.includes(`rel="prev" href="/base/n/${slug}/archive"`));
  assert.doesNotMatch(second.text, /rel="next"/);
  for (const page of ['3', '0', '-1', '01', '1e1', 'x', '9999', '99999999999', '1;drop'])
    assert.equal((await open(`/n/${slug}/archive?page=${page}`)).status, 404, page);
});

test('404 for everything of an archive that is not kept, and for an issue that was not sent', async () => {
  const closed = await newsletter({ archive_enabled: false });
  await issue(closed.id, { slug: 'one' });
  for (const path of ['/archive', '/i/one', '/feed.xml', '/feed.json'])
    assert.equal((await open(`/n/${closed.slug}${path}`)).status, 404, path);
  const front = (await open(`/n/${closed.slug}`)).text.replaceAll(closed.slug, ''); // an id, in which "feed" is a number
  assert.doesNotMatch(front, /archive|feed/);

  const kept = await newsletter();
  await issue(kept.id, { slug: 'draft', status: 'draft', sentAt: null });
  await issue(kept.id, { slug: 'sent' });
  for (const path of ['/i/draft', '/i/one', '/i/SENT']) {
    assert.equal((await open(`/n/${kept.slug}${path}`)).status, 404, path);
  }
  assert.equal((await open(`/n/${kept.slug}/i/sent`)).status, 200);
});

test('404 of a newsletter leads to its archive and its form, as far as it has them', async () => {
  const { id, slug } = await newsletter();
  const ways = async (): Promise<string[]> => {
    const page = await open(`/n/${slug}/i/none`);
    assert.equal(page.status, 404);
    const [, nav = ''] = /<nav [^>]*>([^]*?)<\/nav>/.exec(page.text) ?? [];
    return [...nav.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to);
  };
  const set = (column: string) =>
    sql`update newsletters set ${sql.ref(column)} = false
         where workspace_id = ${t.workspaceId} and id = ${id}`.execute(t.db);
  assert.deepEqual(await ways(), [`/base/n/${slug}/archive`, `/base/n/${slug}`]);
  await set('signup_enabled');
  assert.deepEqual(await ways(), [`/base/n/${slug}/archive`]);
  await set('archive_enabled');
  assert.deepEqual(await ways(), []);
});

test('200 for the form with the three newest issues to read first, where there is an archive, and in no frame', async () => {
  const { id, slug } = await newsletter();
  const toArchive = async () => (await open(`/n/${slug}`)).text.includes(`href="/base/n/${slug}/archive">`);
  assert.equal(await toArchive(), false, 'there is nothing to read yet');
  for (const day of [1, 2, 3, 4])
    await issue(id, { slug: `i-${day}`, subject: `Nr. ${day}`, sentAt: `2026-11-0${day}T07:00:00Z` });
  const read = async (path: string): Promise<string[]> =>
    [...(await open(`/n/${slug}${path}`)).text.matchAll(/href="[^"]*\/i\/([^"]*)"/g)].map(([, to = '']) => to);
  assert.deepEqual(await read(''), ['i-4', 'i-3', 'i-2']);
  assert.equal(await toArchive(), true);
  assert.deepEqual(await read('/embed'), []);
  const set = (column: string, value: boolean) =>
    sql`update newsletters set ${sql.ref(column)} = ${value}
         where workspace_id = ${t.workspaceId} and id = ${id}`.execute(t.db);
  await set('signup_enabled', false);
  assert.deepEqual(await read(''), ['i-4', 'i-3', 'i-2'], 'nobody can subscribe, and everybody can read');
  await set('archive_enabled', false);
  assert.deepEqual(await read(''), []);
});

test('200 after a sign-up with the newest issues to begin with, where there are some, and in no frame', async () => {
  const { id, slug } = await newsletter();
  const read = async (path: string): Promise<string[]> =>
    [...(await open(`/n/${slug}/subscribed${path}`)).text.matchAll(/href="[^"]*\/(archive|i\/[^"]*)"/g)].map(
      ([, to = '']) => to,
    );
  assert.deepEqual(await read(''), [], 'there is nothing to read yet');
  await issue(id, { slug: 'first' });
  assert.deepEqual(await read(''), ['i/first', 'archive']);
  assert.deepEqual(await read('?layout=full'), []);
  await sql`update newsletters set archive_enabled = false
             where workspace_id = ${t.workspaceId} and id = ${id}`.execute(t.db);
  assert.deepEqual(await read(''), []);
});

test('200 for the archive: whose it is, the form, and then the issues; the second page has no description', async () => {
  const { id, slug } = await newsletter({ name: 'Letters', description: 'About walking' });
  const inOrder = /<h1>Letters<\/h1>\n<p class="lead">About walking<\/p>[^]*<form [^]*<h2 id="past">Past issues<\/h2>/;
  const empty = await open(`/n/${slug}/archive`);
  assert.match(empty.text, inOrder);
  assert.match(empty.text, /No issue has been sent yet/);
  assert.match(empty.text, /<title>Past issues · Letters<\/title>/);
  for (let day = 1; day <= 21; day += 1) await issue(id, { slug: `i-${day}` });
  assert.match((await open(`/n/${slug}/archive`)).text, inOrder);
  assert.doesNotMatch((await open(`/n/${slug}/archive?page=2`)).text, /class="lead"/);
});

test('the archive is for search engines where its owner wants that, and the sign-up page in any case', async () => {
  for (const [columns, robots] of [
    [{}, 'all'],
    [{ archive_indexable: false }, 'noindex'],
  ] as const) {
    const { id, slug } = await newsletter(columns);
    await issue(id, { slug: 'one' });
    for (const path of ['/archive', '/i/one', '/feed.xml', '/feed.json'])
      assert.equal((await open(`/n/${slug}${path}`)).headers['x-robots-tag'], robots, path);
    assert.equal((await open(`/n/${slug}`)).headers['x-robots-tag'], 'all');
  }
});

test('200 for a form that asks for the address alone where the newsletter wants no name', async () => {
  const { slug } = await newsletter({ ask_name: false });
  assert.doesNotMatch((await open(`/n/${slug}`)).text, /name="name"/);
});

/** The end of a CDATA section, a character that XML cannot have, and a link within the issue. */
const RISKY = '<p onclick="x()">a & b\u0001 ]]> <a href="#x">c</a><script>alert(1)</script></p>';

test('200 for the RSS feed: absolute links, everything escaped, and characters that XML cannot have left out', async () => {
  const { id, slug } = await newsletter({ name: 'A & <B>', description: 'x\u0001y ]]>', language: 'pt' });
  const issueId = await issue(id, { slug: 'one', subject: `"T" & <t> \u000B`, preheader: "it's", htmlBody: RISKY });
  const feed = await open(`/n/${slug}/feed.xml`);
  assert.equal(feed.status, 200);
  assert.equal(feed.headers['content-type'], 'application/rss+xml; charset=utf-8');
  assert.equal(feed.headers['access-control-allow-origin'], '*');
  const base = `https://mail.example.com/base/n/${slug}`;
  assert.equal(
    feed.text,
    `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>A &amp; &lt;B&gt;</title>
<link>${base}/archive</link>
<atom:link href="${base}/feed.xml" rel="self" type="application/rss+xml"/>
<description>x\uFFFDy ]]&gt;</description>
<language>pt</language>
<generator>Posthorn</generator>
<lastBuildDate>Sun, 15 Nov 2026 07:00:00 GMT</lastBuildDate>
<item>
<title>&quot;T&quot; &amp; &lt;t&gt; \uFFFD</title>
<link>${base}/i/one</link>
<guid isPermaLink="false">urn:uuid:${issueId}</guid>
<pubDate>Sun, 15 Nov 2026 07:00:00 GMT</pubDate>
<description>it&#39;s</description>
<content:encoded>&lt;p&gt;a &amp;amp; b\uFFFD ]]&amp;gt; &lt;a href=&quot;${base}/i/one#i-x&quot;&gt;c&lt;/a&gt;&lt;/p&gt;</content:encoded>
</item>
</channel>
</rss>
`,
  );
});

test('200 for the JSON feed, and for a feed of a newsletter that has sent nothing', async () => {
  const { id, slug } = await newsletter({ logo_url: 'https://cdn.example.com/l.png' });
  const empty = await open(`/n/${slug}/feed.json`);
  assert.deepEqual(JSON.parse(empty.text).items, []);
  assert.equal((await open(`/n/${slug}/feed.xml`)).status, 200);
  const issueId = await issue(id, { slug: 'one', subject: '</script>', preheader: 'p' });
  const feed = await open(`/n/${slug}/feed.json`);
  assert.equal(feed.headers['content-type'], 'application/feed+json; charset=utf-8');
  const base = `https://mail.example.com/base/n/${slug}`;
  assert.deepEqual(JSON.parse(feed.text), {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Acme Weekly',
    home_page_url: `${base}/archive`,
    feed_url: `${base}/feed.json`,
    icon: 'https://cdn.example.com/l.png',
    language: 'en',
    items: [
      {
        id: `urn:uuid:${issueId}`,
        url: `${base}/i/one`,
        title: '</script>',
        content_html: '<p>Hello</p>',
        summary: 'p',
        date_published: '2026-11-15T07:00:00.000Z',
      },
    ],
  });
});

test('200 for a feed with the whole of the newest issues, and with a summary of what is too much for it', async () => {
  const { id, slug } = await newsletter();
  const large = `<p>${'Word '.repeat(110_000)}</p>`;
  for (const day of [1, 2, 3])
    await issue(id, { slug: `i-${day}`, subject: `Nr. ${day}`, htmlBody: large, sentAt: `2026-11-0${day}T07:00:00Z` });
  const { text } = await open(`/n/${slug}/feed.json`);
  const { items } = JSON.parse(text);
  assert.deepEqual(
    items.map(({ title, content_html, content_text }: Record<string, unknown>) => [
      title,
      String(content_html ?? '').length,
      content_text,
    ]),
    [
      ['Nr. 3', large.length, undefined],
      ['Nr. 2', 0, 'Nr. 2'],
      ['Nr. 1', 0, 'Nr. 1'],
    ],
  );
  assert.ok(Buffer.byteLength((await open(`/n/${slug}/feed.xml`)).text) < 1_100_000);
});

test('304 for an archive, an issue or a feed that the caller has, until it changes', async () => {
  const { id, slug } = await newsletter();
  await issue(id, { slug: 'one' });
  for (const path of ['/archive', '/i/one', '/feed.xml', '/feed.json']) {
    const first = await open(`/n/${slug}${path}`);
    assert.equal(first.headers['cache-control'], 'public, max-age=300', path);
    const etag = String(first.headers['etag']);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await open(`/n/${slug}${path}`, { 'if-none-match': known });
      assert.equal(again.status, 304, path);
      assert.equal(again.text, '');
      assert.equal(again.headers['etag'], etag);
    }
    assert.equal((await open(`/n/${slug}${path}`, { 'if-none-match': '"x"' })).status, 200);
  }
  const before = await open(`/n/${slug}/feed.xml`);
  await issue(id, { slug: 'two', sentAt: '2026-11-16T07:00:00Z' });
  const now = await open(`/n/${slug}/feed.xml`, { 'if-none-match': String(before.headers['etag']) });
  assert.equal(now.status, 200);
  assert.match(now.text, /\/i\/two/);
});

const notesWords = () => noteWords({ db: t.db, settings: t.settings, log: createLog({ level: 'silent' }) });

/** The links of a page to issues, in the order of the page. */
const issuesOn = ({ text }: Opened): string[] => [...text.matchAll(/\/i\/([^"]+)"/g)].map((link) => link[1] ?? '');

async function found(slug: string, q: string, more: Record<string, string> = {}): Promise<string[]> {
  const page = await open(`/n/${slug}/archive?${new URLSearchParams({ q, ...more })}`);
  assert.equal(page.status, 200, q);
  return issuesOn(page);
}

test('200 for the issues with all the words that somebody typed, of subject, preheader or text, newest first', async () => {
  await notesWords(); // of other tests
  const { id, slug } = await newsletter({ name: 'Walks' });
  const at = (day: number) => `2026-11-${day}T07:00:00Z`;
  await issue(id, { slug: 'subject', subject: 'A map of {{ newsletter.name }}', sentAt: at(10) });
  await issue(id, { slug: 'preheader', preheader: 'Café, and maps', sentAt: at(12) });
  await issue(id, { slug: 'text', htmlBody: '<p class="river">Old <b>ma</b>p, 地図と山</p>', sentAt: at(11) });
  assert.deepEqual(await found(slug, 'map'), [], 'their words are not noted yet');
  assert.equal(await notesWords(), 3);
  assert.equal(await notesWords(), 0);
  assert.deepEqual(await found(slug, 'map'), ['preheader', 'text', 'subject']);
  assert.deepEqual(await found(slug, '"MAPS"'), ['preheader']);
  assert.deepEqual(await found(slug, 'map walks'), ['subject'], 'as nobody in particular reads it');
  assert.deepEqual(await found(slug, 'cafe map'), ['preheader']);
  assert.deepEqual(await found(slug, '図と'), ['text']);
  for (const none of ['river', 'class', 'a p', 'map cafe walks']) assert.deepEqual(await found(slug, none), [], none);
});

test('nothing finds an issue of another newsletter or workspace, one that was not sent, or one of a test key', async () => {
  const { id, slug } = await newsletter();
  const others = [await newsletter(), await aNewsletter(t.db, await aWorkspace(t.db))];
  const foreign = await Promise.all(others.map((other) => issue(other.id, { slug: 'foreign', subject: 'Secret' })));
  await sql`update issues set workspace_id = n.workspace_id from newsletters n
    where n.id = issues.newsletter_id and issues.workspace_id = ${t.workspaceId} and issues.id = any(${foreign})`.execute(
    t.db,
  );
  for (const status of ['draft', 'scheduled', 'sending', 'cancelled', 'failed'])
    await issue(id, { slug: status, subject: 'Secret', status, sentAt: null });
  const test = await issue(id, { slug: 'test', subject: 'Secret' });
  await sql`update issues set sent_by = '{"mode":"test"}'
    where workspace_id = ${t.workspaceId} and id = ${test}`.execute(t.db);
  const sent = await issue(id, { slug: 'sent', subject: 'Secret' });
  assert.equal(await notesWords(), 4);
  // As if the ids of two newsletters ended alike, and two workspaces had the same newsletter.
  await sql`update issue_words set words = (select words from issue_words where newsletter_id = ${id}),
      newsletter_id = case when workspace_id = ${t.workspaceId} then newsletter_id else ${id} end
    where issue_id = any(${foreign})`.execute(t.db);
  assert.deepEqual(await found(slug, 'secret'), ['sent']);
  const of = { workspaceId: t.workspaceId, id };
  const first = { behind: null, isNewer: false, limit: 9 };
  assert.deepEqual(await findByWords(t.db, of, searchedIn('secret'), first), [sent]);
  await sql`update issues set status = 'cancelled'
    where workspace_id = ${t.workspaceId} and newsletter_id = ${id} and slug = 'sent'`.execute(t.db);
  assert.deepEqual(await found(slug, 'secret'), []);
});

test('200 for twenty issues that were found, and each once on the way to the oldest and back', async () => {
  const { id, slug } = await newsletter();
  const all = Array.from({ length: 45 }, (_, n) => `n${n}`);
  for (const one of all) await issue(id, { slug: one, subject: 'Found', sentAt: '2026-11-15T07:00:00.000123Z' });
  await notesWords();
  const newestFirst = all.toReversed();
  const visit = async (query: string) => {
    const page = await open(`/n/${slug}/archive?${query}`);
    const link = (rel: string) =>
      new RegExp(`rel="${rel}" href="[^"]*\\?([^"]+)"`).exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    return { issues: issuesOn(page), next: link('next'), prev: link('prev') };
  };
  const first = await visit('q=found');
  const second = await visit(first.next ?? '');
  const third = await visit(second.next ?? '');
  assert.deepEqual([...first.issues, ...second.issues, ...third.issues], newestFirst);
  assert.deepEqual([first.prev, third.next], [undefined, undefined]);
  const back = await visit(third.prev ?? '');
  assert.deepEqual(back.issues, second.issues);
  const start = await visit(back.prev ?? '');
  assert.deepEqual([start.issues, start.prev], [first.issues, undefined]);
  for (const nothing of [`before=${newId()}`, 'before=x', "after='"])
    assert.equal((await open(`/n/${slug}/archive?q=found&${nothing}`)).status, 404, nothing);
});

test('200 for words that no issue has, which stay in the field as text, and say so on a page that is listed nowhere', async () => {
  const { id, slug } = await newsletter({ archive_indexable: true });
  await issue(id, { slug: 'one' });
  await notesWords();
  const typed = [`"><script>alert(1)</script>`, ':* & !', "a'b", '\u0001\u202e', 'x'.repeat(5_000)];
  for (const q of typed) {
    const page = await open(`/n/${slug}/archive?${new URLSearchParams({ q })}`);
    assert.deepEqual([page.status, issuesOn(page)], [200, []], q);
    assert.match(page.text, /No issue contains “<bdi>[^<]+<\/bdi>”/);
    assert.doesNotMatch(page.text, /<script|\u0001|x{201}/);
    assert.match(page.text, new RegExp(`href="/base/n/${slug}/archive">Read past issues`));
    assert.equal(page.headers['x-robots-tag'], 'noindex');
  }
  const page = await open(`/n/${slug}/archive?q=%22%3E%26amp%3B`);
  assert.match(page.text, /name="q" type="search" value="&quot;&gt;&amp;amp;"/);
  for (const empty of ['', '%20']) assert.deepEqual(issuesOn(await open(`/n/${slug}/archive?q=${empty}`)), ['one']);
  for (const bad of ['q=%00', 'q=a&q=b']) assert.equal((await open(`/n/${slug}/archive?${bad}`)).status, 400, bad);
});

test('the archive has a box to search from eight issues on, which asks the same page without a script', async () => {
  const { id, slug } = await newsletter();
  const box = new RegExp(`<form class="line search" role="search" method="get" action="/base/n/${slug}/archive"`);
  for (let n = 1; n <= 8; n += 1) {
    await issue(id, { slug: `n${n}` });
    const page = await open(`/n/${slug}/archive`);
    assert.equal(box.test(page.text), n === 8, `${n}`);
    assert.match(page.headers['x-robots-tag'] as string, /^all$/); // a header that is sent once
  }
});

test('400 as a page for a query that cannot be read, which shows nothing of it', async () => {
  const { slug } = await newsletter();
  for (const query of ['email=a&email=b', 'name=%ff', 'name=%00']) {
    const page = await open(`/n/${slug}?${query}`);
    assert.equal(page.status, 400, query);
    assert.match(page.text, /<h1>That did not work<\/h1>/);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    const german = await open(`/n/${slug}?${query}`, { 'accept-language': 'de' });
    assert.match(german.text, /<html lang="de">/, 'in the language that the browser asks for');
  }
});
