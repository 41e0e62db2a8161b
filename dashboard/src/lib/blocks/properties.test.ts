import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import type { BlockDocument, Variable } from './document.ts';
import { anyDocument, nodesOf } from './documents-for-tests.ts';
import { type Element, isElement, type Node } from './html-tree.ts';
import { importHtml } from './import-html.ts';
import { normaliseDocument } from './normalise.ts';
import { renderDocument } from './render.ts';
import { piecesOf } from './template-text.ts';

const RUNS = { numRuns: 100 };

function* elementsIn(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    yield node;
    yield* elementsIn(node.childNodes);
  }
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  p: ['style'],
  h1: ['style'],
  h2: ['style'],
  h3: ['style'],
  ul: ['style'],
  ol: ['style', 'start'],
  li: ['style'],
  blockquote: ['style'],
  pre: ['style'],
  hr: ['style'],
  br: [],
  a: ['href', 'style'],
  span: ['style'],
  strong: [],
  em: [],
  u: [],
  s: [],
  code: ['style'],
  div: ['style', 'align'],
  img: ['src', 'alt', 'role', 'width', 'height', 'style'],
  table: ['role', 'align', 'width', 'cellpadding', 'cellspacing', 'border', 'style'],
  tbody: [],
  tr: [],
  th: ['scope', 'valign', 'align', 'style'],
  td: ['width', 'valign', 'align', 'bgcolor', 'height', 'style'],
};

/** The variables that a document shows: its nodes, and those in its addresses and texts. */
function variablesOf(document: BlockDocument): number {
  let count = 0;
  const inText = (text: string) => piecesOf(text).filter((piece) => typeof piece !== 'string').length;
  for (const node of nodesOf(document)) {
    if (node.type === 'variable') count += 1;
    if (node.type === 'picture') count += inText(node.attrs.src) + inText(node.attrs.alt) + inText(node.attrs.href);
    if (node.type === 'button' && node.attrs.text !== '') count += inText(node.attrs.text) + inText(node.attrs.href);
  }
  return count;
}

const withoutLinkMarks = (json: unknown): unknown =>
  JSON.parse(
    JSON.stringify(json, (key, value) =>
      key === 'marks' ? value.filter((mark: { type: string }) => mark.type !== 'link') : value,
    ),
  );

suite('any document', () => {
  test('is rendered with no element and no attribute but those of blocks', () => {
    fc.assert(
      fc.property(anyDocument, (json) => {
        const html = renderDocument(normaliseDocument(json));
        for (const { tagName, attrs } of elementsIn(parseFragment(html).childNodes)) {
          const known = KNOWN[tagName];
          assert.ok(known !== undefined, `a <${tagName}> in ${html}`);
          for (const { name, value } of attrs) {
            assert.ok(known.includes(name), `${name} on <${tagName}> in ${html}`);
            if (name === 'href' || name === 'src') assert.match(value, /^(?:https?:|mailto:|#|\{\{ |\{% if )/);
            if (name === 'style') assert.doesNotMatch(value, /url\(|expression|@|\{/);
          }
        }
      }),
      RUNS,
    );
  });

  test('is rendered with the tags that are open closed, in their order', () => {
    fc.assert(
      fc.property(anyDocument, (json) => {
        const html = renderDocument(normaliseDocument(json));
        const open: string[] = [];
        for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*>/g)) {
          if (['br', 'hr', 'img'].includes(tag)) continue;
          if (slash === '') open.push(tag);
          else assert.equal(open.pop(), tag, html);
        }
        assert.deepEqual(open, []);
      }),
      RUNS,
    );
  });

  test('has no Liquid in its html but each of its variables once', () => {
    fc.assert(
      fc.property(anyDocument, (json) => {
        const document = normaliseDocument(withoutLinkMarks(json));
        const html = renderDocument(document);
        const outputs =
          html.match(/\{\{ [a-z_.]+(?: \| default: (?:"[^"{}<>]*"|'[^'"{}<>]*'))?(?: \| url_encode)? \}\}/g) ?? [];
        const choices = html.match(/\{% if [a-z_.]+ != blank %\}|\{% else %\}|\{% endif %\}/g) ?? [];
        assert.equal(html.split('{{').length - 1, outputs.length, html);
        assert.equal(html.split('{%').length - 1, choices.length, html);
        assert.equal(choices.length % 3, 0);
        assert.equal(outputs.length, variablesOf(document), html);
      }),
      RUNS,
    );
  });

  test('gives the same bytes again, and so does its normal form', () => {
    fc.assert(
      fc.property(anyDocument, (json) => {
        const once = normaliseDocument(json);
        assert.deepEqual(normaliseDocument(JSON.parse(JSON.stringify(once))), once);
        assert.equal(renderDocument(normaliseDocument(json)), renderDocument(once));
      }),
      RUNS,
    );
  });

  test('comes back from its html, and a second time unchanged', () => {
    fc.assert(
      fc.property(anyDocument, (json) => {
        const html = renderDocument(normaliseDocument(json));
        const once = importHtml(html, { keepsGaps: true }).document;
        const again = importHtml(renderDocument(once), { keepsGaps: true }).document;
        assert.deepEqual(again, once, html);
        assert.equal(renderDocument(once).split('{{').length, html.split('{{').length);
      }),
      RUNS,
    );
  });

  test('nests its JSON no deeper than a request may', () => {
    const depthOf = (value: unknown): number =>
      typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
    fc.assert(
      fc.property(anyDocument, (json) => {
        const editor = { kind: 'blocks', version: 2, document: normaliseDocument(json) };
        assert.ok(depthOf({ editor }) <= 32);
      }),
      RUNS,
    );
  });
});

test('a variable node keeps its path and fallback whatever the fallback is', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), (words) => {
      const variable = { type: 'variable', attrs: { path: 'subscriber.name', fallback: words } };
      const document = normaliseDocument({ type: 'doc', content: [{ type: 'paragraph', content: [variable] }] });
      const [kept] = [...nodesOf(document)].filter((node): node is Variable => node.type === 'variable');
      const back = importHtml(renderDocument(document)).document;
      const [read] = [...nodesOf(back)].filter((node): node is Variable => node.type === 'variable');
      assert.deepEqual(read, kept);
    }),
    RUNS,
  );
});
