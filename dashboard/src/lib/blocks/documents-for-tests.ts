/** Documents of every shape for property tests, with words that are meant to break what reads them. */
import fc from 'fast-check';
import type {
  Block,
  BlockDocument,
  Column,
  Inline,
  List,
  ListItem,
  Mark,
  Quote,
  TableCell,
  TableRow,
} from './document.ts';

/** Words that are markup somewhere: html, attributes, Liquid, and the naughty strings of people. */
export const ATTEMPTS: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</title><script>alert(1)</script>',
  '<!--',
  '-->',
  '</td></tr></table>',
  '</p></div></body></html>',
  '{{7*7}}',
  '{{ 7 | times: 7 }}',
  '{% raw %}',
  '{% endif %}',
  '{{ subscriber.email | raw }}',
  '{{{html}}}',
  '${7*7}',
  '<%= 7*7 %>',
  '#{7*7}',
  '[[7*7]]',
  '&lt;b&gt; &amp; &#123;&#123;',
  'a & b < c > d "e" \'f\'',
  'javascript:alert(1)',
  '\u202Egnp.exe',
  'a\u2028\u2029b',
  'Ω≈ç√∫ 😀 田中',
  '{',
  '%}',
  '`"\'',
];

const words = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ATTEMPTS) },
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 4, arbitrary: fc.constantFrom('Hello', 'two words', ' lead', 'trail ', 'a  b') },
);
const path = fc.constantFrom('subscriber.name', 'subscriber.email', 'subscriber.metadata.city', 'unsubscribe_url');
const fallback = fc.oneof(fc.constant(''), fc.constant('there'), words);
const align = fc.constantFrom('left', 'center', 'right');
const address = fc.oneof(
  fc.constantFrom(
    'https://example.com/?a=1&b=2',
    'mailto:me@example.com',
    'https://example.com/?e={{ subscriber.email }}&n={{ subscriber.name | default: "x" }}',
    '{{ unsubscribe_url }}',
    'https://example.com/"onmouseover="alert(1)',
    'javascript:alert(1)',
    'https://example.com/{% if x %}',
  ),
  words.map((text) => `https://example.com/${text}`),
);

type Any = fc.Arbitrary<unknown>;
const mark: Any = fc.oneof(
  fc.constantFrom('bold', 'italic', 'underline', 'strike', 'code').map((type) => ({ type })),
  address.map((href) => ({ type: 'link', attrs: { href } })),
);
const marks = fc.array(mark, { maxLength: 3 });
const inline: Any = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('text'), text: words, marks }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('variable'), attrs: fc.record({ path, fallback }), marks }) },
  { weight: 1, arbitrary: fc.constant({ type: 'hardBreak' }) },
);
const inlines = fc.array(inline, { maxLength: 5 });
const paragraph = fc.record({ type: fc.constant('paragraph'), attrs: fc.record({ align }), content: inlines });

const { list } = fc.letrec((tie) => ({
  item: fc.record({
    type: fc.constant('listItem'),
    content: fc
      .tuple(
        paragraph,
        fc.array(fc.oneof({ maxDepth: 5, withCrossShrink: true }, paragraph, tie('list')), { maxLength: 2 }),
      )
      .map(([first, rest]) => [first, ...rest]),
  }),
  list: fc.oneof(
    fc.record({ type: fc.constant('bulletList'), content: fc.array(tie('item'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type: fc.constant('orderedList'),
      attrs: fc.record({ start: fc.integer({ min: 1, max: 20 }) }),
      content: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

const simple: readonly Any[] = [
  paragraph,
  fc.record({
    type: fc.constant('heading'),
    attrs: fc.record({ level: fc.constantFrom(1, 2, 3), align }),
    content: inlines,
  }),
  list as Any,
  fc.record({
    type: fc.constant('blockquote'),
    content: fc.array(fc.oneof(paragraph, list as Any), { minLength: 1, maxLength: 3 }),
  }),
  words.map((text) => ({ type: 'codeBlock', content: text === '' ? [] : [{ type: 'text', text }] })),
  fc.constant({ type: 'horizontalRule' }),
  fc.record({
    type: fc.constant('picture'),
    attrs: fc.record({
      src: address,
      alt: words,
      width: fc.option(fc.integer({ min: 3, max: 900 })),
      decorative: fc.boolean(),
      href: address,
      align,
    }),
  }),
  fc.record({ type: fc.constant('button'), attrs: fc.record({ text: words, href: address, align }) }),
];
const cell = fc.record({
  type: fc.constantFrom('tableCell', 'tableHeader'),
  content: fc.oneof(
    { weight: 4, arbitrary: paragraph.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(fc.oneof(...simple), { maxLength: 2 }) },
  ),
});
const row = fc.record({ type: fc.constant('tableRow'), content: fc.array(cell, { maxLength: 4 }) });
const table = fc.record({ type: fc.constant('table'), content: fc.array(row, { maxLength: 4 }) });
const blocks = fc.array(fc.oneof(...simple, table), { minLength: 1, maxLength: 3 });
const columns = fc.record({
  type: fc.constant('columns'),
  content: fc.array(fc.record({ type: fc.constant('column'), content: blocks }), { minLength: 2, maxLength: 3 }),
});

/** As JSON of which nothing is known yet. */
export const anyDocument: Any = fc.record({
  type: fc.constant('doc'),
  content: fc.array(fc.oneof(...simple, columns, table), { maxLength: 5 }),
});

type Walked = Block | Inline | ListItem | List | Column | Quote | TableRow | TableCell | Mark;

/** Every node of a document, parents first. */
export function* nodesOf(node: BlockDocument | Walked): Generator<Walked> {
  if (node.type !== 'doc') yield node as Walked;
  if ('content' in node) for (const child of node.content) yield* nodesOf(child);
}
