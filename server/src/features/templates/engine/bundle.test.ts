import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuTime as cpuMeter } from '../../../../test/harness/cpu-time.ts';
import { parseBundle, type TemplateKind } from './template.ts';
import { TemplateError } from './template-error.ts';

const given = { name: 'Ada <b>', items: [1, 2, 3], shop: { city: 'Bonn' } };
const bundle = (sources: string[], partials: Record<string, string> = {}, kind: TemplateKind = 'html') =>
  parseBundle({ sources, partials }, kind);
const render = async (...[sources, partials, kind]: Parameters<typeof bundle>) =>
  (await bundle(sources, partials, kind)).render(given);
async function failure(work: Promise<unknown>): Promise<TemplateError> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (one: unknown) => one,
  );
  assert.ok(error instanceof TemplateError, String(error));
  return error;
}
const dotted = (paths: readonly (readonly string[])[]) => paths.map((path) => path.join('.')).sort();

describe('layouts and partials', () => {
  const rows: [name: string, sources: string[], partials: Record<string, string>, expected: string][] = [
    ['a layout goes around', ['<p>{{ name }}</p>', '<x>{{ content }}</x>'], {}, '<x><p>Ada &lt;b&gt;</p></x>'],
    ['layouts go around one another', ['a', 'b{{ content }}b', 'c{{ content }}c'], {}, 'cbabc'],
    ['a partial is escaped like the rest', ["{% render 'hi' %}"], { hi: 'Hi {{ name }}' }, 'Hi Ada &lt;b&gt;'],
    ['a partial is given values', ["{% render 'hi', who: shop.city %}"], { hi: 'Hi {{ who }}' }, 'Hi Bonn'],
    [
      'a partial sees nothing that is assigned around it, and assigns nothing around it',
      ["{% assign a = 1 %}{% render 'p' %}{{ a }}"],
      { p: '[{{ a }}]{% assign a = 2 %}' },
      '[]1',
    ],
    ['a partial in a loop', ["{% for i in items %}{% render 'p', i: i %}{% endfor %}"], { p: '{{ i }},' }, '1,2,3,'],
    ['a partial in a layout', ['a', "{{ content }}{% render 'p' %}"], { p: 'p' }, 'ap'],
    ['a partial in a partial', ["{% render 'a' %}"], { a: "a{% render 'b' %}", b: 'b' }, 'ab'],
    [
      'a break in a partial ends no loop around it',
      ["{% for i in items %}{% render 'p' %}{% endfor %}"],
      { p: 'x{% break %}' },
      'xxx',
    ],
  ];
  for (const [name, sources, partials, expected] of rows) {
    test(name, async () => assert.equal(await render(sources, partials), expected));
  }

  test('in a text nothing is escaped', async () => {
    assert.equal(await render(["{% render 'p' %}", '{{ content }}!'], { p: '{{ name }}' }, 'text'), 'Ada <b>!');
  });
});

describe('the variables of a template', () => {
  test('paths are listed, with the required paths apart', async () => {
    const { paths, requiredPaths } = await bundle(
      [
        '{{ name }}{{ nick | default: "you" }}{% if vip %}{{ coupon }}{% endif %}{% for i in items %}{{ i.price }}{% endfor %}' +
          "{% assign c = 1 %}{{ c }}{% capture d %}{{ shop.city }}{% endcapture %}{{ d }}{% render 'p', who: name %}",
        '{{ content }}{{ unsubscribe }}',
      ],
      { p: '{{ who }}{{ phone }}' },
    );
    assert.deepEqual(dotted(paths), ['coupon', 'items', 'name', 'nick', 'phone', 'shop.city', 'unsubscribe', 'vip']);
    assert.deepEqual(dotted(requiredPaths), ['name', 'phone', 'shop.city', 'unsubscribe']);
  });
});

describe('refused', () => {
  const rows: [name: string, sources: string[], partials: Record<string, string>, message: RegExp][] = [
    ['a partial that is not there', ["{% render 'nope' %}"], {}, /There is no published template "nope"/],
    ['a file', ["{% render '../../etc/passwd' %}"], {}, /There is no published template/],
    ['a computed name', ['{% render name %}'], { name: 'x' }, /in quotes/],
    ['a name without end', ["{% render 'a' with b %}"], { a: 'x' }, /in quotes/],
    [
      'a cycle',
      ["{% render 'a' %}"],
      { a: "{% render 'b' %}", b: "{% render 'a' %}" },
      /stands inside itself: a → b → a/,
    ],
    ['itself', ["{% render 'a' %}"], { a: "{% render 'a' %}" }, /stands inside itself/],
    ['six inside one another', ["{% render 'a' %}"], chainOf(5), /More than 5 templates/],
    ['six with a layout', ["{% render 'a' %}", '{{ content }}'], chainOf(4), /More than 5 templates/],
    ['six layouts', ['a', ...Array.from({ length: 5 }, () => '{{ content }}')], {}, /More than 5 templates/],
    [
      'six by a partial that was read before at a lesser depth',
      ["{% render 'd' %}{% render 'a' %}"],
      { a: "{% render 'b' %}", b: "{% render 'c' %}", c: "{% render 'd' %}", d: "{% render 'e' %}", e: 'x' },
      /More than 5 templates/,
    ],
  ];
  for (const [name, sources, partials, message] of rows) {
    test(name, async () => assert.match((await failure(render(sources, partials))).message, message));
  }

  test('five inside one another are fine', async () => {
    assert.equal(await render(["{% render 'a' %}"], chainOf(4)), 'end');
  });

  test('partials that call one another a hundred times each end with the time of one rendering', async () => {
    const hundred = (name: string) => `{% render '${name}' %}`.repeat(100);
    const partials = { a: hundred('b'), b: hundred('c'), c: hundred('d'), d: '{{ nothing }}' };
    const spent = cpuMeter();
    const error = await failure(render([hundred('a')], partials));
    assert.equal(error.limit, 'cpuMs');
    assert.ok(spent() < 2_000);
  });

  test('loops of partials count as loops of one template', async () => {
    const error = await failure(
      render(["{% for i in (1..101) %}{% render 'p' %}{% endfor %}"], { p: '{% for i in (1..100) %}{% endfor %}' }),
    );
    assert.equal(error.limit, 'loopItems');
  });

  test('output of partials and layouts counts as output of one template', async () => {
    const big = 'x'.repeat(100_000);
    const error = await failure(render(["{% for i in (1..30) %}{% render 'p' %}{% endfor %}"], { p: big }));
    assert.equal(error.limit, 'outputChars');
  });
});

/** `a` holds `b` and so on, so many partials inside one another. */
function chainOf(count: number): Record<string, string> {
  const names = ['a', 'b', 'c', 'd', 'e'].slice(0, count);
  return Object.fromEntries(names.map((name, at) => [name, names[at + 1] ? `{% render '${names[at + 1]}' %}` : 'end']));
}
