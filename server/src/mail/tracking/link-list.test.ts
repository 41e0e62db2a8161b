import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinkMatcher, listLinks, numberLinks } from './link-list.ts';

const RULES = { baseUrl: 'https://links.test', ownUrls: ['https://app.test'] };
const listed = (html: string, shared: Record<string, string> = {}): string[] =>
  listLinks(html, RULES, new Map(Object.entries(shared)));

test('the links are the addresses whose clicks are counted, in order, each once', () => {
  const html = `<a href="https://a.test/?x=1&amp;y=2">a</a> <a href=" https://b.test ">b</a>
    <a href="https://a.test/?x=1&amp;y=2"><img alt=""></a> <a href="mailto:ada@example.com">m</a> <a href="#top">t</a>
    <a href="https://c.test/unsubscribe">u</a> <a href="https://app.test/api/n/preferences">p</a>
    <a href="https://d.test" data-posthorn-no-track>d</a> <area href="https://e.test/">`;
  assert.deepEqual(listed(html), ['https://a.test/?x=1&y=2', 'https://b.test', 'https://e.test/']);
});

test('a link with variables is one link, and what all readers share is filled in', () => {
  const html = `<a href="https://a.test/?u={{ subscriber.metadata.id }}">a</a> <a href="{{ view_in_browser_url }}">v</a>
    <a href="{{ unsubscribe_url }}">u</a> <a href="{{ preferences_url }}">p</a> <a href="/{{ subscriber.name }}">r</a>`;
  const links = listed(html, { view_in_browser_url: 'https://app.test/n/news/i/first' });
  assert.deepEqual(links, ['https://a.test/?u={{ subscriber.metadata.id }}', 'https://app.test/n/news/i/first']);
});

test('an address is counted for the link that says most of it', () => {
  const placeOf = createLinkMatcher([
    '{{ subscriber.metadata.url }}',
    'https://a.test/{{ subscriber.name }}/x?u={{ a | append: "}" }}',
    'https://a.test/ada/x?u=1',
    'https://b.test/{% if subscriber.name %}yes{% else %}no{% endif %}',
  ]);
  assert.equal(placeOf('https://a.test/ada/x?u=1'), 3);
  assert.equal(placeOf('https://a.test/bob/x?u=1'), 2);
  assert.equal(placeOf('https://b.test/no'), 4);
  assert.equal(placeOf('https://c.test/'), 1);
  assert.equal(createLinkMatcher(['https://a.test/', 'https://b.test/{{ x }}'])('https://a.test'), 0);
  assert.equal(createLinkMatcher(['https://a.test/a{{ x }}a'])('https://a.test/a'), 0, 'parts do not overlap');
});

test('a hostile address is compared in no time', () => {
  const placeOf = createLinkMatcher([`https://a.test/${'{{ x }}a'.repeat(250)}b`]);
  const startedAt = performance.now();
  for (let n = 0; n < 1_000; n += 1) assert.equal(placeOf(`https://a.test/${'a'.repeat(1_900)}`), 0);
  assert.ok(performance.now() - startedAt < 1_000);
});

test('links of a reader get the number of their address, and nothing else changes', () => {
  const html = `<a href="https://a.test/1">a</a><a href=https://a.test/2 class=x>b</a><a href='https://z.test'>z</a><a href="https://a.test/1">c</a>`;
  const numbered = numberLinks(html, createLinkMatcher(['https://a.test/1', 'https://a.test/{{ n }}']), RULES);
  assert.equal(
    numbered,
    `<a href="https://a.test/1" data-posthorn-link="1">a</a><a href=https://a.test/2 data-posthorn-link="2" class=x>b</a><a href='https://z.test'>z</a><a href="https://a.test/1" data-posthorn-link="1">c</a>`,
  );
});
