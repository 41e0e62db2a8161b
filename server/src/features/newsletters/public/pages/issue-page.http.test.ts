import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../../../test/harness/app.ts';
import { type Opened, pagesOf } from './http/test-kit.ts';

let t: TestApp;
before(async () => {
  t = await createTestApp({ env: { POSTHORN_PUBLIC_URL: 'https://mail.example.com/base' } });
});
after(() => t.close());

const { open, newsletter, issue } = pagesOf(() => t);

const policyOf = (answer: Opened): string => String(answer.headers['content-security-policy']);

test('200 for an issue: an article of what its author wrote, with pictures over https alone and nothing that runs', async () => {
  const { id, slug } = await newsletter();
  const htmlBody =
    '<!doctype html><body><script>alert(1)</script><p onclick="x()">Hello {{ subscriber.name | default: "there" }}</p>';
  await issue(id, {
    slug: 'one',
    subject: 'One & <two>',
    htmlBody: `${htmlBody}<a href="{{ unsubscribe_url }}">leave</a><a href="{{ view_in_browser_url }}">here</a>`,
  });
  const page = await open(`/n/${slug}/i/one`);
  assert.equal(page.status, 200);
  assert.match(page.text, /<header dir="auto">\n<h1>One &amp; &lt;two&gt;<\/h1>/);
  assert.doesNotMatch(page.text, /<script>|<script src|onclick|alert\(/);
  const base = `https://mail.example.com/base/n/${slug}`;
  const links = `<a href="${base}" rel="noopener">leave</a><a href="${base}/i/one" rel="noopener">here</a>`;
  assert.ok(
    page.text.includes(`<article class="written" lang="en" dir="auto">\n<p>Hello there</p>${links}\n</article>`),
  );
  assert.match(
    policyOf(page),
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data: 'self' https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  assert.match(page.text, new RegExp(`<form class="line" method="post" action="/base/api/n/${slug}/subscribe"`));
  assert.match(page.text, /name="source" value="issue"/);
  assert.doesNotMatch(page.text, /shown_at/, 'a page that caches keep says no time');
});

test('200 for an issue with who wrote it, when, and how long it takes, a way to subscribe and a letter about it', async () => {
  const { id, slug } = await newsletter({ name: 'Letters', from_name: 'Ada & <b>', language: 'de' });
  await issue(id, { slug: 'long', subject: 'Brot & "Salz"', htmlBody: `<p>${'Wort '.repeat(960)}</p>` });
  await issue(id, { slug: 'short' });
  const bylineOf = ({ text }: Opened) => /<p class="quiet dated">(.*)<\/p>/.exec(text)?.[1]?.replace(/<[^>]*>/g, '');
  const long = await open(`/n/${slug}/i/long`);
  assert.equal(bylineOf(long), 'Ada &amp; &lt;b&gt; · 15. November 2026 · 4 Min. Lesezeit');
  assert.equal(bylineOf(await open(`/n/${slug}/i/short`)), 'Ada &amp; &lt;b&gt; · 15. November 2026');
  const subscribe = `<a class="button" href="/base/n/${slug}">Abonnieren</a>`;
  assert.ok(long.text.includes(subscribe));
  const letter = new URL(/href="(mailto:[^"]*)"/.exec(long.text)?.[1]?.replaceAll('&amp;', '&') ?? '');
  assert.deepEqual(
    [letter.pathname, letter.searchParams.get('subject'), letter.searchParams.get('body')],
    ['', 'Brot & "Salz"', `https://mail.example.com/base/n/${slug}/i/long`],
  );
  assert.match((await open(`/n/${slug}/feed.xml`)).text, /<dc:creator>Ada &amp; &lt;b&gt;<\/dc:creator>/);
  assert.deepEqual(JSON.parse((await open(`/n/${slug}/feed.json`)).text).authors, [{ name: 'Ada & <b>' }]);

  await sql`update newsletters set from_name = ' Letters', signup_enabled = false
             where workspace_id = ${t.workspaceId} and id = ${id}`.execute(t.db);
  const closed = await open(`/n/${slug}/i/short`);
  assert.equal(bylineOf(closed), '15. November 2026', 'the name of the newsletter stands above it');
  assert.ok(!closed.text.includes(subscribe));
  assert.equal(JSON.parse((await open(`/n/${slug}/feed.json`)).text).authors, undefined);
});

test('200 for an issue with links to the one before and the one after, but to nothing that a test key sent', async () => {
  const { id, slug } = await newsletter();
  for (const day of [1, 2, 3])
    await issue(id, { slug: `i-${day}`, subject: `Nr. ${day}`, sentAt: `2026-11-0${day}T07:00:00.123456Z` });
  const test = await issue(id, { slug: 'test', subject: 'Of a test key', sentAt: '2026-11-02T08:00:00Z' });
  await sql`update issues set sent_by = '{"mode":"test"}'
             where workspace_id = ${t.workspaceId} and id = ${test}`.execute(t.db);
  const around = async (one: string): Promise<string[]> =>
    [...(await open(`/n/${slug}/i/${one}`)).text.matchAll(/rel="(prev|next)" href="[^"]*\/i\/([^"]*)"/g)].map(
      ([, rel, to]) => `${rel} ${to}`,
    );
  assert.deepEqual(await around('i-1'), ['next i-2']);
  assert.deepEqual(await around('i-2'), ['prev i-1', 'next i-3']);
  assert.deepEqual(await around('i-3'), ['prev i-2']);
});

test('200 for a subject that the author wrote as a heading too: it is on the page once', async () => {
  const { id, slug } = await newsletter();
  const htmlBody = '<h1>It\'s "A" &amp; B</h1><h2>More</h2>';
  await issue(id, { slug: 'one', subject: `It's "A" & B`, htmlBody });
  await issue(id, { slug: 'two', subject: `It's "A" & B`, htmlBody: `<div dir="rtl"> ${htmlBody}</div>` });
  const { text } = await open(`/n/${slug}/i/one`);
  assert.match(text, /<article [^>]*>\n<h3>More<\/h3>\n<\/article>/);
  assert.match(text, /<meta name="description" content="More">/);
  assert.match((await open(`/n/${slug}/i/two`)).text, /<article [^>]*>\n<div dir="rtl"> <h3>More<\/h3><\/div>/);
});

test('200 for an issue with what search engines read of it as data, where its owner wants that, and nothing that ends it', async () => {
  const { id, slug } = await newsletter({ name: 'A </script>', logo_url: 'https://cdn.example.com/logo.png' });
  const htmlBody = '<p>Text</p><img src="https://cdn.example.com/a.png">';
  await issue(id, { slug: 'one', subject: '</script><!-- & \u2028"', htmlBody });
  const dataIn = ({ text }: Opened) => /<script type="application\/ld\+json">(.*)<\/script>/.exec(text)?.[1];
  const written = dataIn(await open(`/n/${slug}/i/one`)) ?? assert.fail();
  assert.doesNotMatch(written, /[<>&\u2028]/);
  const base = `https://mail.example.com/base/n/${slug}`;
  const author = { '@type': 'Organization', name: 'A </script>', url: base };
  assert.deepEqual(JSON.parse(written), {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: '</script><!-- & \u2028"',
    description: 'Text',
    url: `${base}/i/one`,
    mainEntityOfPage: `${base}/i/one`,
    inLanguage: 'en',
    datePublished: '2026-11-15T07:00:00.000Z',
    isAccessibleForFree: true,
    image: ['https://cdn.example.com/a.png'],
    author,
    publisher: { ...author, logo: { '@type': 'ImageObject', url: 'https://cdn.example.com/logo.png' } },
  });
  const hidden = await newsletter({ archive_indexable: false });
  await issue(hidden.id, { slug: 'one' });
  assert.equal(dataIn(await open(`/n/${hidden.slug}/i/one`)), undefined);
});

test('200 for an issue whose subject and preheader are templates: read as nobody in particular, wherever they stand', async () => {
  const { id, slug } = await newsletter();
  await issue(id, {
    slug: 'one',
    subject: 'News for {{ subscriber.name | default: "you & me" }}',
    preheader: '{% if subscriber.metadata.plan %}Your plan{% else %}Three things{% endif %}',
  });
  await issue(id, { slug: 'two', subject: '{{ subscriber.metadata.title }}', preheader: '{{ subscriber.name }}' });
  for (const path of ['/archive', '/i/one', '/feed.xml', '/feed.json']) {
    const { status, text } = await open(`/n/${slug}${path}`);
    assert.equal(status, 200);
    assert.match(text, /News for you (?:&amp;|&) me/, path);
    assert.doesNotMatch(text, /\{\{|\{%/, path);
  }
  assert.match((await open(`/n/${slug}/archive`)).text, /<p>Three things<\/p>/);
  const { items } = JSON.parse((await open(`/n/${slug}/feed.json`)).text);
  assert.deepEqual(
    items.map(({ title, summary }: Record<string, unknown>) => [title, summary]),
    [
      ['Acme Weekly', 'Hello'],
      ['News for you & me', 'Three things'],
    ],
  );
});

test('200 for an issue that cannot be rendered any more: it was sent, and is shown as it was written', async () => {
  const { id, slug } = await newsletter();
  await issue(id, { slug: 'one', htmlBody: '<p>Hello</p>{% for i in (1..20000) %}{% endfor %}' });
  const content = await open(`/n/${slug}/i/one`);
  assert.equal(content.status, 200);
  assert.match(content.text, /<p>Hello<\/p>/);
});
