import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOfHtml } from './blocks-of-html.ts';
import { readStoredDocument } from './normalise.ts';
import { importMarkdown } from './import-markdown.ts';
import { renderDocument } from './render.ts';

const BRAND = '#1f1f26';
const TEXT = `# Spring is near, {{ first_name | default: "friend" }}

Read [the **whole** story](https://example.com/story).

- bread
- soup

> A window.

---

1. Choose
2. Come
`;

test('HTML that blocks have made becomes these blocks again, byte for byte', () => {
  const html = renderDocument(importMarkdown(TEXT).document, { brandColor: BRAND });
  const document = readStoredDocument(blocksOfHtml(html, BRAND));
  assert.ok(document);
  assert.equal(renderDocument(document, { brandColor: BRAND }), html);
});

test('HTML that somebody has written by hand, or nothing, becomes no blocks', () => {
  for (const html of ['', '<p>Hello</p>', '<table><tr><td>a</td></tr></table>\n', '{% if x %}<p>a</p>{% endif %}']) {
    assert.equal(blocksOfHtml(html, BRAND), null, html);
  }
});
