import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuMsOf } from '../../../../test/harness/cpu-time.ts';
import { AppError } from '../../errors/app-error.ts';
import { parseStrictJson } from './strict-json.ts';

const parse = (text: string): unknown => parseStrictJson(Buffer.from(text));

/** The error of a refused body. */
function refusal(body: string | Buffer): AppError {
  try {
    parseStrictJson(Buffer.from(body));
  } catch (error) {
    assert.ok(error instanceof AppError, `not an error of ours: ${String(error)}`);
    assert.equal(error.name, 'validation_error');
    assert.ok(error.message.length < 500, 'a refusal does not repeat the body');
    return error;
  }
  return assert.fail(`accepted: ${body.toString('utf8').slice(0, 80)}`);
}

/** Of this thread's own computing, so that a busy machine does not count. */
function milliseconds(work: () => void): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}

const MALFORMED = [
  '',
  ' ',
  '{',
  '[1,',
  '{"a"}',
  '{"a":}',
  '[1 2]',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  'Infinity',
  "{'a':1}",
  '{"a":1,}',
  '"a',
  '"\\x"',
  '"\t"',
  '{}{}',
  ']',
  '}}}',
  '[}',
  '// a\n1',
  'undefined',
  '"\\ud8"',
];

for (const text of MALFORMED) {
  test(`refuses ${JSON.stringify(text)}, which is no JSON`, () => {
    assert.match(refusal(text).message, /^The body is not valid JSON: ./);
  });
}

test('says which rule of Posthorn a body breaks that is JSON by the standard', () => {
  const rows: [text: string, rule: string][] = [
    ['[123e65]', 'the number 123e65 cannot be kept exactly; write it as a string'],
    ['{"to":"a","to":"b"}', 'the key "to" stands twice in one object'],
    ['{"__proto__":1}', 'the key "__proto__" is not allowed'],
    ['['.repeat(33) + ']'.repeat(33), 'it is nested deeper than 32 levels'],
    ['"\\u0000"', 'it must not have a NUL character'],
  ];
  for (const [text, rule] of rows)
    assert.equal(refusal(text).message, `The body is JSON that Posthorn does not accept: ${rule}.`);
});

test('refuses a byte order mark', () => {
  refusal('\ufeff{}');
});

test('refuses what is not UTF-8 instead of storing replacement characters', () => {
  for (const bytes of [
    [0x22, 0x61, 0xff, 0x62, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ])
    assert.match(refusal(Buffer.from(bytes)).message, /UTF-8/);
  refusal(Buffer.from('{"a":1}', 'utf16le'));
  refusal(Buffer.from('"caf\u00e9"', 'latin1'));
});

test('refuses a key that stands twice in one object, also when it is written differently', () => {
  assert.match(refusal('{"to":"a","to":"b"}').message, /"to" stands twice/);
  refusal('{"a":{"b":[{"c":1,"d":2,"c":3}]}}');
  refusal('{"to":1,"t\\u006f":2}');
  refusal('{"to":1, "to" \n\t:2}');
  assert.deepEqual(parse('[{"to":1},{"to":{"to":"to"}}]'), [{ to: 1 }, { to: { to: 'to' } }]);
});

test('refuses __proto__ at any depth and takes constructor and prototype as plain data', () => {
  refusal('{"__proto__":{"isAdmin":true}}');
  refusal('{"metadata":{"\\u005f_proto__":{"isAdmin":true}}}');
  const value = parse('{"constructor":{"prototype":{"isAdmin":true}},"":1}');
  assert.equal(JSON.stringify(value), '{"constructor":{"prototype":{"isAdmin":true}},"":1}');
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
});

test('takes 32 levels and refuses 33', () => {
  assert.ok(parse('['.repeat(32) + ']'.repeat(32)));
  assert.match(refusal('['.repeat(33) + ']'.repeat(33)).message, /32 levels/);
  assert.match(refusal('{"a":'.repeat(100_000)).message, /32 levels/);
});

test('takes a million values and refuses more', () => {
  assert.match(refusal(`[${'1,'.repeat(1_000_001)}1]`).message, /1000000 values/);
  assert.ok(parse(`[${'1,'.repeat(999_999)}1]`));
});

test('takes 100,000 names of fields in all objects together and refuses more, before the values are made', () => {
  const items = (each: number): string => `[${Array.from({ length: 100 }, () => fields(each)).join()}]`;
  const fields = (n: number): string => `{${Array.from({ length: n }, (_, index) => `"x${index}":1`).join()}}`;
  assert.ok(parse(items(1_000)));
  assert.match(refusal(items(1_001)).message, /100000 names/);
  assert.match(refusal(`${items(1_001)} and no JSON`).message, /100000 names/);
});

test('counts the fields of the outermost object alone', () => {
  const within = (text: string): unknown => parseStrictJson(Buffer.from(text), { fieldsMax: 2 });
  assert.ok(within('{"a":1,"b":{"c":1,"d":2,"e":[{"f":1,"g":2,"h":3}]}}'));
  assert.ok(within('[{"a":1,"b":2,"c":3}]'));
  assert.throws(() => within('{"a":{"x":1},"b":2,"c":3,"d":4'), {
    name: 'validation_error',
    message: 'The body has more than 1,000 fields.',
    extras: { param: 'c' },
  });
});

test('refuses numbers that would become another number', () => {
  for (const text of [
    '1e400',
    '-1e400',
    '9007199254740993',
    '-9007199254740992',
    '9007199254740993.0',
    '1e300',
    '1.0000000000000001',
    '0.99999999999999999',
    '1e-400',
    '0.0000001e-320',
    '123456789012345678.5',
  ])
    assert.match(refusal(`{"limit":${text}}`).message, /cannot be kept exactly/, text);
});

test('takes every number that stays what it is', () => {
  for (const text of [
    '0',
    '-0',
    '0.0',
    '0e5',
    '0.000e-400',
    '1',
    '-1',
    '9007199254740991',
    '1.0',
    '1.50',
    '1e2',
    '10e-1',
    '150e-1',
    '0.1',
    '-12.75',
    '1E+2',
    '3.141592653589793',
    '5e-324',
  ])
    assert.equal((parse(`[${text}]`) as number[])[0], Number(text), text); // an array of one number
});

test('refuses half of a surrogate pair and NUL in any text and key, naming the field', () => {
  const lone = refusal('{"to":["a",{"name":"x\\ud800"}]}');
  assert.equal(lone.extras.param, 'to[1].name');
  assert.match(lone.message, /to\[1\]\.name has half of a surrogate pair/);
  assert.equal(refusal('{"subject":"a\\u0000b"}').extras.param, 'subject');
  assert.equal(refusal('{"metadata":{"\\udc00":1}}').extras.param, 'metadata');
  assert.equal(refusal('"\\u0000"').extras.param, undefined);
  assert.equal(refusal(`{"${'k'.repeat(100_000)}":"\\u0000"}`).extras.param?.length, 256);
  assert.deepEqual(parse('"\\ud83d\\ude00\\u00e9"'), '😀é');
});

test('does not repeat the body in its message', () => {
  assert.doesNotMatch(refusal('{"password":"hunter2hunter2", x}').message, /hunter2/);
  assert.doesNotMatch(refusal('[hunter2]').message, /unter2/);
  assert.doesNotMatch(refusal(`{"a":"${'x'.repeat(50)}","password":hunter2}`).message, /unter2/);
});

test('whatever else JSON can say is read as JSON.parse reads it', () => {
  const key = fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .filter((text) => text !== '__proto__' && !text.includes('\u0000'));
  const text = fc.string({ unit: 'grapheme' }).filter((some) => !some.includes('\u0000') && some.isWellFormed());
  const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -1e9, max: 1e9 }));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constant(null),
      fc.boolean(),
      number,
      text,
      fc.array(tie('value')),
      fc.dictionary(key, tie('value')),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom('', ' ', '\n\t'), (data, space) => {
      const written = JSON.stringify(data, null, space);
      assert.deepEqual(parse(written), JSON.parse(written));
    }),
    { numRuns: 300 },
  );
});

test('arbitrary bytes are refused or read as JSON.parse reads them, and never anything else', () => {
  const noise = fc.array(
    fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', '-', 'e', '.', 'u0041', ' ', 'true', '\u00e9'),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(noise, (parts) => {
      const text = parts.join('');
      let read: unknown;
      try {
        read = parse(text);
      } catch (error) {
        assert.ok(error instanceof AppError);
        return;
      }
      assert.deepEqual(read, JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

test('a body of 40 MB with one large attachment takes less than 150 ms', () => {
  const body = Buffer.from(`{"attachments":[{"content":"${'QUJD'.repeat(10_000_000)}"}]}`);
  const times = [1, 2, 3, 4, 5].map(() => ({
    ours: milliseconds(() => parseStrictJson(body)),
    plain: milliseconds(() => JSON.parse(body.toString())),
  }));
  const best = Math.min(...times.map((time) => time.ours));
  // On a machine that is busy with other work, what the parser itself needs is the measure.
  const plain = Math.min(...times.map((time) => time.plain));
  assert.ok(best < 150 || best < 3 * plain, `${best} ms, and JSON.parse ${plain} ms`);
});

test('hostile bodies of 100 KB take time by their length: less than 40 ms of a processor', () => {
  const hostile = [
    '['.repeat(100_000),
    '"'.repeat(100_000),
    `"${'\\'.repeat(99_999)}`,
    `"${'\\"'.repeat(50_000)}`,
    `{"a"${' '.repeat(100_000)}`,
    `["a"${' '.repeat(50_000)},"b"${' '.repeat(50_000)}`,
    '-'.repeat(100_000),
    `1${'0'.repeat(100_000)}`,
    `0.${'0'.repeat(100_000)}1`,
    `0.${'10'.repeat(50_000)}`,
    `1e${'9'.repeat(100_000)}`,
    `{"${'a'.repeat(100_000)}":`,
    `{${'"a":1,'.repeat(16_000)}`,
    '\\u0000'.repeat(16_000),
  ];
  for (const body of hostile) {
    const bytes = Buffer.from(body);
    const once = (): void => {
      try {
        parseStrictJson(bytes);
      } catch {
        // most are refused; only the time counts here
      }
    };
    const took = cpuMsOf(once);
    assert.ok(took < 40, `${body.slice(0, 12)}… took ${took} ms`);
  }
});
