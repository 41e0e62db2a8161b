/**
 * Templates that nobody would write in good faith, made at random of the pieces of which attacks consist. Whatever they
 * are, they render or are refused in time, print nothing but what they were given, and change nothing in the process.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../../test/harness/cpu-time.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { parseBundle } from './template.ts';
import { TemplateError } from './template-error.ts';

const NAMES = [
  'name',
  'list',
  'record',
  'content',
  'constructor',
  '__proto__',
  'prototype',
  'process',
  'globalThis',
  'this',
  'require',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'env',
  'mainModule',
  'forloop',
  'nil',
  'empty',
  'size',
  'first',
  'page',
] as const;
const FILTERS =
  'append: name|prepend: list|map: "constructor"|join: "__proto__"|sort: "x"|default: record|raw|escape|json|date: "%Y"|' +
  'slice: -9, 99999999|replace: "", name|split: ""|concat: list|reverse|uniq|first|last|size|times: 1e308|divided_by: 0|' +
  'newline_to_br|url_decode|truncate: -1';
const REFUSED_FILTERS = 'where_exp: "x", "y"|instance_eval|sha256|push: record|group_by: "constructor"';

const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.constantFrom(names.join('.'), names.map((name, at) => (at === 0 ? name : `["${name}"]`)).join('')),
  );
const output = fc
  .tuple(
    path,
    fc.array(
      fc.oneof(
        { arbitrary: fc.constantFrom(...FILTERS.split('|')), weight: 60 },
        { arbitrary: fc.constantFrom(...REFUSED_FILTERS.split('|')), weight: 1 },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([read, filters]) => `{{ ${[read, ...filters].join(' | ')} }}`);
const TAGS = [
  (a: string, b: string) => `{% for x in ${a} %}${b}{% endfor %}`,
  (a: string, b: string) => `{% for x in (1..${a}) %}${b}{% endfor %}`,
  (a: string, b: string) => `{% if ${a} contains "a" %}${b}{% endif %}`,
  (a: string, b: string) => `{% assign ${a} = ${a} %}${b}`,
  (a: string, b: string) => `{% capture ${a} %}${b}{% endcapture %}{{ ${a} }}`,
  (a: string, b: string) => `{% render 'p', ${a.split(/[.[]/)[0] ?? ''}: ${a} %}${b}`,
  (a: string, b: string) => `{% case ${a} %}{% when ${a} %}${b}{% endcase %}`,
  (a: string, b: string) => `{%- cycle ${a}: ${a}, "b" -%}${b}`,
];
const REFUSED_TAGS = [
  (a: string, b: string) => `{% render ${a} %}${b}`,
  (a: string, b: string) => `{% include "${a}" %}${b}`,
  (a: string, b: string) => `{% layout '/etc/passwd' %}{% block ${a} %}${b}{% endblock %}`,
  (a: string, b: string) => `{% liquid assign ${a} = 1 %}${b}`,
  (_a: string, b: string) => `{{${b}}}{%${b}`,
];
const template = fc
  .array(
    fc.tuple(
      fc.oneof(
        { arbitrary: fc.constantFrom(...TAGS), weight: 30 },
        { arbitrary: fc.constantFrom(...REFUSED_TAGS), weight: 1 },
      ),
      path,
      output,
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.reduce((inner, [tag, read, written]) => tag(read, `${written}${inner}`), ''));

/** Names of the process that no template may change. */
const state = (): string =>
  JSON.stringify([
    Object.getOwnPropertyNames(Object.prototype),
    Object.getOwnPropertyNames(Array.prototype).length,
    Object.getOwnPropertyNames(Function.prototype),
    Object.keys(globalThis).length,
    process.env.PATH,
  ]);

test('a template that is made to attack reads nothing, changes nothing and ends in time', async () => {
  const before = state();
  let rendered = 0;
  const longest = { ms: 0, source: '' };
  await fc.assert(
    fc.asyncProperty(template, template, async (source, partial) => {
      const given = { name: 'Ada', list: ['a', { b: 1 }], record: { page: 'x', constructor: 'own' } };
      const spent = cpuTime();
      let made = '';
      try {
        const bundle = { sources: [source, `${partial}{{ content }}`], partials: { p: partial } };
        made = (await parseBundle(bundle, 'html')).render(given);
        rendered += 1;
      } catch (error) {
        assert.ok(error instanceof TemplateError, `${source}: ${String(error)}`);
      }
      const ms = spent();
      if (ms > longest.ms) Object.assign(longest, { ms, source });
      for (const word of ['function', 'native code', 'root:', process.cwd(), '[object'])
        assert.ok(!made.includes(word), `${source} printed ${word}`);
      assert.deepEqual(given, { name: 'Ada', list: ['a', { b: 1 }], record: { page: 'x', constructor: 'own' } });
    }),
    { numRuns: propertyRuns({ test: 400, prove: 2_000 }) },
  );
  assert.equal(state(), before);
  assert.ok(rendered > 20, `only ${rendered} were rendered`);
  // A layout and its inside share the 100 ms of one rendering; reading them and a busy machine take the rest.
  assert.ok(longest.ms < 600, `${longest.ms} ms: ${longest.source}`);
});
