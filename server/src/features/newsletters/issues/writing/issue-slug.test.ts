import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { freeSlug, slugOf } from './issue-slug.ts';

for (const [subject, slug] of [
  ['News of October', 'news-of-october'],
  ["What's new: 3 things!", 'whats-new-3-things'],
  ['  --Hello,   world--  ', 'hello-world'],
  ['Größe & Übermaß', 'grosse-ubermass'],
  ['Crème brûlée à São Paulo', 'creme-brulee-a-sao-paulo'],
  ['Łódź, Øresund, Þór', 'lodz-oresund-thor'],
  ['İstanbul ISTANBUL', 'istanbul-istanbul'],
  ['今週のニュースが届きました', '今週のニュースが届きました'],
  ['हिन्दी समाचार', 'हिन्दी-समाचार'],
  ['Новости недели', 'новости-недели'],
  ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full-width'],
  ['{{ subscriber.name | default: "there" }}, look', 'look'],
  ['{% if x %}A{% endif %} b', 'a-b'],
  ['🎉🎉', 'issue'],
  ['../../etc/passwd', 'etc-passwd'],
  ['<script>alert(1)</script>', 'script-alert-1-script'],
  ['a'.repeat(300), 'a'.repeat(80)],
  [`${'word '.repeat(40)}`, Array(16).fill('word').join('-')],
  ['漢'.repeat(200), '漢'.repeat(53)],
] as const) {
  test(`${JSON.stringify(subject.slice(0, 30))} is ${slug.slice(0, 30)} in a URL`, () =>
    assert.equal(slugOf(subject), slug));
}

test('whatever the subject, the slug is short, in one case, and has nothing that a path would be read by', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (subject) => {
      const slug = slugOf(subject);
      assert.ok(slug.length > 0 && Buffer.byteLength(slug) <= 160);
      assert.match(slug, /^[^\s/?#%.\\-]+(-[^\s/?#%.\\-]+)*$/u);
      assert.equal(slug, slug.normalize('NFC'));
      assert.equal(decodeURIComponent(encodeURIComponent(slug)), slug);
    }),
  );
});

test('a slug that is taken gets the next number', () => {
  assert.equal(freeSlug('news', new Set()), 'news');
  assert.equal(freeSlug('news', new Set(['news'])), 'news-2');
  assert.equal(freeSlug('news', new Set(['news', 'news-2', 'news-4'])), 'news-3');
});
