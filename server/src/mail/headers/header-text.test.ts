import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeWords } from 'postal-mime';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { formatMailbox } from '../addresses/format-mailbox.ts';
import { encodePhrase, encodeText, encodeValue, headerField } from './header-text.ts';

const unfold = (field: string) => field.replace(/\r\n(?= )/g, '').replace(/\r\n$/, '');
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(fc.constantFrom('=?', '?=', '=?utf-8?Q?', ' ', '  ', 'é', '👩‍👩‍👧‍👦', '"', '\\', 'word', '_', '=0D=0A'), {
      maxLength: 60,
    })
    .map((a) => a.join('')),
);
const controls = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

test('a subject is shown as typed, whatever it looks like', () => {
  fc.assert(
    fc.property(
      anyText.filter((text) => !controls.test(text)),
      (text) => {
        const field = headerField('Subject', encodeText(text));
        assert.match(field, /^Subject: [\x20-\x7e\r\n]*\r\n$/);
        assert.doesNotMatch(field.slice(0, -2), /\r\n[^ ]|\r(?!\n)|(?<!\r)\n|\r\n *(\r\n|$)/);
        for (const line of field.split('\r\n')) assert.ok(line.length <= 78, line);
        assert.equal(decodeWords(unfold(field).slice('Subject: '.length)), text);
      },
    ),
    { numRuns: 1000 },
  );
  const trap = '=?utf-8?Q?=0D=0ABcc:_x?=';
  assert.equal(decodeWords(encodeText(trap)), trap);
  assert.ok(!encodeText(trap).includes(trap));
});

test('every encoded word is at most 75 characters and no control character survives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const encoded of [encodeText(text), encodePhrase(text), encodeValue(text)]) {
        for (const word of encoded.match(/=\?[^ ]*\?=/g) ?? []) assert.ok(word.length <= 75, word);
        assert.match(encoded, /^[\x20-\x7e]*$/);
        assert.doesNotMatch(decodeWords(encoded), controls);
      }
    }),
  );
});

test('a name never ends before its address', () => {
  for (const name of [
    'A" <x@y.test>',
    'a, b',
    'g: x;',
    '<script>',
    'back\\slash',
    '=?utf-8?q?x?=',
    'Bcc:\r\nx@y.test',
    '  ',
    'é"<',
  ]) {
    const text = formatMailbox({ name, address: 'a@x.test' });
    assert.match(
      text,
      /^(?:(?:[A-Za-z0-9 _'-]+|"(?:[^"\\\r\n]|\\["\\])*"|(?:=\?UTF-8\?[BQ]\?[^? ]+\?= ?)+) <a@x\.test>|a@x\.test)$/,
    );
  }
  for (const address of [
    'a@x.test\r\nBcc: b@y.test',
    'a b@x.test',
    'a@b@x.test',
    'ü@x.test',
    '<a@x.test>',
    'a@x.test,b@y.test',
  ]) {
    assert.throws(() => formatMailbox({ name: null, address }));
  }
});

test('a header for programs keeps its web addresses, and shows an encoded word as typed', () => {
  const link = '<https://x.test/u?token=?&a==?>';
  assert.equal(encodeValue(link), link);
  for (const trap of ['=?utf-8?Q?=0D=0ABcc:_x?=', 'a =?X?b?QQ==?=', '=?utf-8?q?a b?=']) {
    assert.equal(decodeWords(encodeValue(trap)), trap);
  }
});

test('a run of spaces or one long word is folded into lines that are not blank', () => {
  for (const value of [`a${' '.repeat(300)}b`, 'x'.repeat(870), 'word '.repeat(170).trim()]) {
    const field = headerField('X-Custom', encodeValue(value));
    assert.equal(unfold(field), `X-Custom: ${value}`);
    for (const line of field.slice(0, -2).split('\r\n')) assert.ok(/[^ ]/.test(line) && line.length <= 998);
  }
});

test('100 KB of hostile text is encoded in less than 50 ms', () => {
  for (const unit of ['=?', ' ', 'é', '"', 'a ', '=?utf-8?q?']) {
    const text = unit.repeat(100_000 / unit.length);
    const encoders = { text: encodeText, phrase: encodePhrase, value: encodeValue };
    for (const [name, encode] of Object.entries(encoders)) {
      const took = cpuMsOf(() => headerField('X', encode(text)));
      assert.ok(took < 50, `${unit} as ${name} took ${took} ms`);
    }
  }
});
