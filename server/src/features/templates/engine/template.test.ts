import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuMsOf } from '../../../../test/harness/cpu-time.ts';
import { textOfPieces } from './drawn-piece.ts';
import { createEngine } from './liquid-engine.ts';
import { hasLiquid, parseTemplate, type TemplateKind } from './template.ts';
import { TEMPLATE_LIMITS, TemplateError } from './template-error.ts';

const render = async (source: string, variables: Record<string, unknown> = {}, kind: TemplateKind = 'html') =>
  (await parseTemplate(source, kind)).render(variables);

/** How much time of this thread has passed, in milliseconds. */
function cpuMeter(): () => number {
  const started = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1_000;
  };
}

async function failure(work: Promise<unknown>): Promise<TemplateError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof TemplateError, String(error));
    return error;
  }
  assert.fail('it rendered');
}

const ada = { subscriber: { name: 'Ada <b>', email: 'ada@example.com', metadata: { plan: 'pro', tags: ['a', 'b'] } } };

describe('the result of a template', () => {
  const rows: [name: string, source: string, expected: string, kind?: TemplateKind][] = [
    ['html is escaped', '<p>{{ subscriber.name }}</p>', '<p>Ada &lt;b&gt;</p>'],
    ['unless its author says raw', '{{ subscriber.name | raw }}', 'Ada <b>'],
    ['what a filter makes is escaped too', '{{ "<i>" | append: subscriber.name }}', '&lt;i&gt;Ada &lt;b&gt;'],
    ['text is not escaped', 'Hi {{ subscriber.name }}', 'Hi Ada <b>', 'text'],
    ['nor is a subject', 'Hi {{ subscriber.name }}', 'Hi Ada <b>', 'subject'],
    ['a missing value is nothing', 'Hi {{ subscriber.nickname }}!', 'Hi !'],
    ['or what its author says', 'Hi {{ subscriber.nickname | default: "there" }}!', 'Hi there!'],
    [
      'or a text behind a bar, as others write it',
      'Hi {{first_name|there}}, {{- a.b|dear friend -}} !',
      'Hi there,dear friend!',
    ],
    ['which nobody sees who has a value', 'Hi {{ subscriber.metadata.plan|there }}!', 'Hi pro!'],
    ['a filter without spaces is a filter', '{{subscriber.metadata.plan|upcase}}', 'PRO'],
    ['and raw text stays', '{% raw %}{{first_name|there}}{% endraw %}{{a|b}}', '{{first_name|there}}b'],
    ['dotted paths', '{{ subscriber.metadata.plan }}', 'pro'],
    ['a list', '{% for tag in subscriber.metadata.tags %}[{{ tag }}]{% endfor %}', '[a][b]'],
    ['if and unless', '{% if subscriber.metadata.plan == "pro" %}P{% endif %}{% unless x %}U{% endunless %}', 'PU'],
    ['a record as a whole is nothing', '[{{ subscriber }}]', '[]'],
    [
      'nor has it any to a filter',
      '[{{ subscriber | upcase }}{{ subscriber.metadata | append: "" | date: "%Y" }}]',
      '[]',
    ],
    ['a list of records neither', '[{{ people | join: "," }}{{ people | upcase }}{{ people | date: "%Y" }}]', '[,]'],
    ['an address that cannot be decoded stays as it is', '{{ "%E0%A4%A" | url_decode }}', '%E0%A4%A'],
    ['escape escapes once', '{{ subscriber.name | escape }}', 'Ada &lt;b&gt;'],
    ['however often its author asks', '{{ subscriber.name | escape | escape }}', 'Ada &lt;b&gt;'],
    ['and whatever stands behind it', '{{ subscriber.name | escape | upcase }}', 'ADA &lt;B&gt;'],
    ['escape_once leaves entities', '{{ "a &amp; <b>" | escape_once }}', 'a &amp; &lt;b&gt;'],
    ['newline_to_br makes breaks and escapes the rest', '{{ "a<\nb" | newline_to_br }}', 'a&lt;<br />\nb'],
    ['also behind escape', '{{ "a<\nb" | escape | newline_to_br }}', 'a&lt;<br />\nb'],
    ['raw keeps what escape made', '{{ subscriber.name | escape | raw }}', 'Ada &lt;b&gt;'],
    ['and of newline_to_br only the breaks', '{{ "<i>\n" | newline_to_br | raw }}', '<i><br />\n'],
    [
      'an escaped value compares as its text',
      '{% assign a = "&" | escape %}{% if a == "&amp;" %}{{ a }}{% endif %}',
      '&amp;',
    ],
    [
      'a capture escapes its outputs, and its own output no further',
      '{% capture hi %}<b>{{ subscriber.name }}</b>{% endcapture %}{{ hi }}{% assign again = hi %}{% echo again %}',
      '<b>Ada &lt;b&gt;</b><b>Ada &lt;b&gt;</b>',
    ],
    ['nor behind raw', '{% capture hi %}{{ "&" }}{% endcapture %}{{ hi | raw }}', '&amp;'],
    [
      'a filter behind a capture sees the values as they were',
      '{% capture hi %}{{ subscriber.name }}{% endcapture %}{{ hi | upcase }} {{ "> " | append: hi }}',
      'ADA &lt;B&gt; &gt; Ada &lt;b&gt;',
    ],
    [
      'and a capture of nothing is blank',
      '{% capture no %}{{ x }}{% endcapture %}{% if no == blank and no == empty and no == "" %}{{ no | default: "-" }}{% endif %}',
      '-',
    ],
    [
      'a capture contains',
      '{% capture a %}one two{% endcapture %}{% if a contains "two" %}{{ a.size }}{% endif %}',
      '7',
    ],
    ['in a text nothing is escaped', '{% capture a %}{{ subscriber.name }}{% endcapture %}{{ a }}', 'Ada <b>', 'text'],
    [
      'names of the language itself are nothing',
      '[{{ nil.toString }}{{ empty.valueOf }}{{ blank.constructor }}]',
      '[]',
    ],
    ['objects of the language print nothing', '[{{ nil }}{{ empty }}{{ blank }}]', '[]'],
    [
      'a loop tells where it is and nothing else',
      '{% for tag in subscriber.metadata.tags %}{{ forloop.index }}{{ forloop.toString }}{{ forloop.next }}{% endfor %}',
      '12',
    ],
    [
      'a date in the zone that its author names',
      '{{ "2026-07-05T14:07:09Z" | date: "%H:%M %z %Z", "America/New_York" }}',
      '10:07 -0400 America/New_York',
    ],
    ['the time of now has a year', '{% assign y = "now" | date: "%Y" | size %}{{ y }}', '4'],
    [
      'the inside of a loop knows the loop around',
      '{% for a in (1..2) %}{% for b in (1..1) %}{{ forloop.parentloop.index }}{% endfor %}{% endfor %}',
      '12',
    ],
    ['a captured number is compared as one', '{% capture n %}7{% endcapture %}{% if n < 10 %}less{% endif %}', 'less'],
    ['raw blocks', '{% raw %}{{ not.read }}{% endraw %}', '{{ not.read }}'],
    ['comments', 'a{% comment %}b{% endcomment %}c', 'ac'],
    ['a value that looks like a template is not one', '{{ v }}', '{{ subscriber.email }}'],
  ];
  for (const [name, source, expected, kind] of rows) {
    test(name, async () => {
      const given = { ...ada, v: '{{ subscriber.email }}', people: [{ name: 'Ada' }, { name: 'Bob' }] };
      assert.equal(await render(source, given, kind), expected);
    });
  }

  test('a subject has one line, whatever is put into it', async () => {
    assert.equal(
      await render('Hi {{ name }}', { name: 'a\r\nBcc: x@example.com\u2028y' }, 'subject'),
      'Hi a Bcc: x@example.com y',
    );
  });

  test('a subject that renders as a megabyte of spaces takes no time by their square', async () => {
    const spent = cpuMeter();
    assert.equal(await render('{{ a }}x', { a: ' '.repeat(1_000_000) }, 'subject'), 'x');
    assert.equal(await render('x{{ a }}y', { a: ' '.repeat(1_000_000) }, 'subject'), `x${' '.repeat(1_000_000)}y`);
    assert.ok(spent() < 2_000); // by their square it would be hours
  });

  test('it says what it reads', async () => {
    const { paths } = await parseTemplate(
      '{{ subscriber.name }}{% if a.b %}{% assign c = 1 %}{{ c }}{% endif %}',
      'html',
    );
    assert.deepEqual(paths, [
      ['subscriber', 'name'],
      ['a', 'b'],
    ]);
  });

  test('it says which records it makes text of', async () => {
    const template = await parseTemplate(
      '{{ subscriber.metadata.city | upcase }}{{ subscriber }}{% for a in subscriber.metadata.city %}{% endfor %}',
      'html',
    );
    const shown = template.recordsShown({ subscriber: { metadata: { city: { name: 'London' } } } });
    assert.deepEqual([...shown].sort(), ['subscriber', 'subscriber.metadata.city']);
    assert.deepEqual(template.recordsShown({ subscriber: 'Ada' }), []);
  });

  test('values within a capture are apart from the text of its author', async () => {
    const template = await parseTemplate(
      '{% capture hi %}<b>{{ subscriber.name }}</b>{% endcapture %}{{ hi }}{{ hi | raw }}',
      'html',
    );
    const pieces = template.draw(ada).map((piece) => (typeof piece === 'string' ? piece : { ...piece }));
    const name = { value: 'Ada <b>', text: 'Ada &lt;b&gt;' };
    assert.deepEqual(pieces, ['<b>', name, '</b>', '<b>Ada &lt;b&gt;</b>']);
  });

  test('only what has tags is read as one', () => {
    assert.equal(hasLiquid('a { b } %'), false);
    assert.equal(hasLiquid('{{'), true);
    assert.equal(hasLiquid('{%'), true);
  });
});

describe('attacks on a template', () => {
  const hostile = [
    '{{ constructor }}',
    "{{constructor.constructor('return process')()}}",
    '{{ subscriber.constructor }}',
    '{{ subscriber.constructor.constructor }}',
    '{{ subscriber.__proto__ }}',
    '{{ __proto__ }}',
    '{{ subscriber.name.constructor }}',
    '{{ subscriber.name.length.constructor.name }}',
    '{{ subscriber.toString }}',
    '{{ subscriber.hasOwnProperty }}',
    '{{ subscriber["__proto__"]["polluted"] }}',
    '{{ subscriber.metadata.tags.constructor }}',
    '{{ subscriber.metadata.tags.join }}',
    '{{ getter }}',
    '{{ run }}',
    '{{ process.env.HOME }}',
    '{{ globalThis }}',
    '{{ this }}',
    '{% assign __proto__ = "x" %}{{ polluted }}',
    '{% capture constructor %}x{% endcapture %}',
  ];
  for (const source of hostile) {
    test(source, async () => {
      const given = {
        ...ada,
        run: () => 'ran',
        get getter() {
          return () => 'ran';
        },
        ...JSON.parse('{"__proto__": {"polluted": "yes"}, "constructor": "own"}'),
      };
      const made = await render(source, given).catch((error: unknown) => {
        assert.ok(error instanceof TemplateError);
        return '';
      });
      assert.equal(made, '');
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });
  }

  for (const source of [
    "{% include '/etc/passwd' %}",
    "{% render './README.md' %}",
    "{% layout 'x' %}",
    '{% block a %}{% endblock %}',
    '{% increment x %}',
    '{% liquid echo 1 %}',
    '{% tablerow a in b %}{% endtablerow %}',
    '{{ "a" | where_exp: "x", "x" }}',
    '{{ "a" | sha256 }}',
    '{{ "a" | strip_html }}',
    '{{#with "s" as |string|}}{{/with}}',
    '{{{html}}}',
  ]) {
    test(`refused: ${source}`, async () => {
      await failure(render(`one\n${source}`));
    });
  }
});

describe('mistakes', () => {
  const rows: [source: string, line: number, message: string][] = [
    ['a\nb {{ name', 2, 'Line 2: Output "{{ name" not closed.'],
    ['{% if a %}', 1, 'Line 1: Tag {% if a %} not closed.'],
    ['\n\n{% nothing %}', 3, 'Line 3: There is no tag "nothing".'],
    ['x\n{{ a | nothing }}', 2, 'Line 2: There is no filter "nothing".'],
    ['x\n{{a|there}}{{ a|upcse }}', 2, 'Line 2: There is no filter "upcse".'],
    ['{{a|strip_html}}', 1, 'Line 1: There is no filter "strip_html".'],
    ['{{a|where}}', 1, 'Line 1: There is no filter "where".'],
    ['{{a|url_param_escape}}', 1, 'Line 1: There is no filter "url_param_escape".'],
    ['{% raw %}', 1, 'Line 1: Tag {% raw %} not closed.'],
    ['{% comment %}{% comment %}{% endcomment %}', 1, 'Line 1: Tag {% comment %} not closed.'],
    ['{{ "2026-01-01" | date: "%H", "No/Where" }}', 1, 'Line 1: The filter "date" does not know this time zone.'],
  ];
  for (const [source, line, message] of rows) {
    test(message, async () => {
      const error = await failure(render(source));
      assert.equal(error.message, message);
      assert.equal(error.line, line);
    });
  }
});

describe('limits', () => {
  const items = Array.from({ length: 5_001 }, (_, index) => index);
  const rows: [limit: keyof typeof TEMPLATE_LIMITS, source: string][] = [
    ['loopItems', '{% for i in (1..10001) %}{% endfor %}'],
    ['loopItems', '{% for i in items %}{% endfor %}{% for i in items %}{% endfor %}'],
    ['loopItems', '{% for i in (1..101) %}{% for j in (1..100) %}{% endfor %}{% endfor %}'],
    ['outputChars', '{% for i in (1..1000) %}{{ big }}{% endfor %}'],
    ['outputChars', '{% capture x %}{% for i in (1..1000) %}{{ big }}{% endfor %}{% endcapture %}'],
    ['memory', `{% assign a = big %}${'{% assign a = a | append: a %}'.repeat(40)}`],
    ['memory', `{% for i in (1..9999) %}{% assign x = "2026-01-01" | date: "${'%999d'.repeat(100)}" %}{% endfor %}`],
    ['memory', '{% assign a = (1..9999999) %}{% for i in (1..99999999) %}{% endfor %}'],
    ['tags', '{{ a }}'.repeat(20_001)],
    ['sourceChars', ' '.repeat(2 * 1024 * 1024 + 1)],
    [
      'cpuMs',
      `{% for i in (1..9999) %}${'{% assign x = words | sort | reverse | join: "," %}'.repeat(20)}{% endfor %}`,
    ],
  ];
  for (const [limit, source] of rows) {
    test(`${limit}: ${source.slice(0, 60)}`, async () => {
      const given = {
        items,
        big: 'x'.repeat(10_000),
        words: Array.from({ length: 50 }, (_, index) => `w${index % 7}`),
      };
      const spent = cpuMeter();
      const error = await failure(render(source, given, 'text'));
      assert.equal(error.limit, limit, error.message);
      assert.ok(spent() < 2_000);
    });
  }

  test('a pause that counts as time of one rendering refuses nothing; the template is rendered again', () => {
    const engine = createEngine({ escaped: false, partials: false });
    const chain = engine.parse(['{{ record }}{% assign x = 1 %}{{ x }}'], new Map());
    const drawnWith = (pauses: number): [text: string, times: number] => {
      let times = 0;
      const busy = (): string => {
        times += 1;
        const spent = cpuMeter();
        while (times <= pauses && spent() < TEMPLATE_LIMITS.cpuMs + 20);
        return 'made';
      };
      const record = Object.defineProperty(Object.create(null), Symbol.toPrimitive, { value: busy });
      return [textOfPieces(engine.draw(chain, { record })), times];
    };
    assert.deepEqual(drawnWith(0), ['made1', 1]);
    assert.deepEqual(drawnWith(1), ['made1', 2]);
    assert.throws(() => drawnWith(2), { limit: 'cpuMs' });
  });

  test('meanCpuMs: what is slow for everybody ends soon, though each rendering is within its limit', async (t) => {
    let tookMs = 26;
    const asked = t.mock.method(process, 'threadCpuUsage', (before?: NodeJS.CpuUsage) => ({
      user: before === undefined ? 0 : tookMs * 1_000,
      system: 0,
    }));
    const slow = await parseTemplate('{{ name }} is slow', 'text');
    for (let times = 0; times < 20; times += 1) slow.render({ name: 'Ada' });
    const before = asked.mock.callCount();
    assert.throws(() => slow.render({ name: 'Ada' }), { limit: 'meanCpuMs' });
    assert.equal(asked.mock.callCount(), before, 'it was rendered');

    tookMs = 25;
    const quick = await parseTemplate('{{ name }} is quick', 'text');
    for (let times = 0; times < 320; times += 1) assert.equal(quick.render({ name: 'Ada' }), 'Ada is quick');
  });

  test('the time is asked for within one condition and one output, too', async () => {
    const record = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
    const given = { big: 'x'.repeat(1024 * 1024), part: `${'x'.repeat(20)}y`, digits: '9'.repeat(1024 * 1024), record };
    const often = (text: string, between: string): string => Array.from({ length: 300 }, () => text).join(between);
    const sources: [source: string, limit: keyof typeof TEMPLATE_LIMITS | null][] = [
      [`{% if ${often('big.size == 1', ' or ')} %}{% endif %}`, 'memory'],
      [`{% if ${often('record.size == 1', ' or ')} %}{% endif %}`, 'cpuMs'],
      [`{% if ${often('big contains part', ' or ')} %}{% endif %}`, 'cpuMs'],
      [`{{ record | ${often('default: 1', ' | ')} }}`, 'cpuMs'],
      [`{{ 1 | ${often('plus: digits', ' | ')} }}`, null],
      ['{% assign a = big | size %}'.repeat(9), 'memory'],
    ];
    for (const [source, limit] of sources) {
      const template = await parseTemplate(source, 'text');
      const name = source.slice(0, 40);
      const work = (): unknown => {
        try {
          return template.render(given);
        } catch (error) {
          return error;
        }
      };
      work(); // code that was not compiled yet can use up the time before the memory
      const result = work();
      assert.equal(result instanceof TemplateError ? result.limit : null, limit, name);
      const ms = cpuMsOf(work, 2);
      assert.ok(ms < 400, `${ms} ms: ${name}`);
    }
  });

  test('a date takes time linear in its format, which has at most 1,000 characters and widths', async () => {
    const zeros = await parseTemplate(`{{ "2026-01-01" | date: "%${'0'.repeat(900)}" }}`.repeat(500), 'text');
    assert.ok(cpuMsOf(() => zeros.render({}), 3) < 60);
    const date = (format: string) => render('{{ "2026-01-05" | date: format }}', { format }, 'text');
    assert.equal(await date(`%${'0'.repeat(200_000)}`), '2026-01-05');
    assert.equal(await date('%99999999d'), '5'.padStart(1_000, '0'));
    assert.equal(await date('%05d %-3d %03L'), '00005 5 000');
  });

  test('10,000 items are fine', async () => {
    assert.equal((await render('{% for i in (1..10000) %}.{% endfor %}')).length, 10_000);
  });

  test('one rendering takes nothing from the next', async () => {
    const template = await parseTemplate('{% for i in (1..6000) %}.{% endfor %}', 'html');
    assert.equal(template.render({}).length, template.render({}).length);
  });

  test('tags nested without end are refused, not fatal', async () => {
    await failure(render(`${'{% if a %}'.repeat(10_000)}${'{% endif %}'.repeat(10_000)}`, { a: true }));
  });
});

test('a template of many variables is read in less than two seconds', async () => {
  const operands = `{% if ${Array(20_000).fill('a').join(' and ')} %}x{% endif %}`;
  for (const source of ['{{ a }}'.repeat(15_000), operands]) {
    const spent = cpuMeter();
    assert.deepEqual((await parseTemplate(source, 'html')).paths, [['a']]);
    assert.ok(spent() < 2_000, `${spent()} ms for ${source.slice(0, 20)}`);
  }
});

test('nobody gets what is another’s: 10,000 recipients, in turns', async () => {
  const source =
    '{% assign who = subscriber.name %}{% capture greeting %}Hi {{ who }}{% endcapture %}{{ greeting }} ' +
    '{% for tag in subscriber.metadata.tags %}{% cycle "a", "b" %}{{ tag }}{% endfor %} {{ subscriber.email }}';
  const template = await parseTemplate(source, 'html');
  const same = await parseTemplate(source, 'html');
  assert.equal(template, same);
  const shared = { shared: { list: ['x'] } };
  for (let n = 0; n < 10_000; n += 1) {
    const subscriber = {
      ...(n % 3 === 0 ? {} : { name: `Name${n}` }),
      email: `p${n}@example.com`,
      metadata: n % 2 === 0 ? { tags: [`t${n}`] } : {},
    };
    const expected = `Hi ${n % 3 === 0 ? '' : `Name${n}`} ${n % 2 === 0 ? `at${n}` : ''} p${n}@example.com`;
    assert.equal(template.render({ subscriber, ...shared }), expected);
  }
  assert.deepEqual(shared, { shared: { list: ['x'] } });
});
