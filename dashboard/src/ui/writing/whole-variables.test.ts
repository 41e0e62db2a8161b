import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { deletedAt, fallbackAt, type Span, spanAround, spansIn, wholeEdit, wholeSelection } from './whole-variables.ts';

const RUNS = { numRuns: 300 };

/** Each variable has a name of its own, so it is found again after an edit. */
const lines = fc
  .array(
    fc.oneof(
      fc.constantFrom('Hello ', 'a', 'aaa', ' ', '}', '} }', '!', '%}', 'http://x.test/?a=', 'ü\u0301', '👍'),
      fc.constantFrom('{{ NAME }}', '{{NAME}}', '{{- NAME -}}', '{{ NAME | default: "you all" }}'),
      fc.constant('{% if NAME != blank %}{{ NAME }}{% else %}“you”{% endif %}'),
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.map((part, index) => part.replaceAll('NAME', `of.n${index}`)).join(''));
const typed = fc.constantFrom('', 'x', ' ', '}', 'two words', '{{ other }}', 'of.', '\u0301');

/** A text with two places in it. */
const places = fc
  .tuple(lines, fc.nat(), fc.nat())
  .map(([text, one, two]) => ({ text, one: one % (text.length + 1), two: two % (text.length + 1) }));

const replaced = (text: string, { from, to }: Span, by: string) => text.slice(0, from) + by + text.slice(to);
const NOWHERE = { from: 0, to: 0 };

suite('a line of text with variables', () => {
  test('has no caret and no end of a selection inside a variable, by key and by pointer', () => {
    fc.assert(
      fc.property(places, fc.nat(300), fc.boolean(), ({ text, one, two }, was, byPointer) => {
        const before = { anchor: was, focus: was };
        const now = wholeSelection(text, { anchor: one, focus: two }, before, byPointer);
        assert.equal(spanAround(text, now.anchor), undefined);
        assert.equal(spanAround(text, now.focus), undefined);
        if (spanAround(text, one) === undefined && spanAround(text, two) === undefined)
          assert.deepEqual(now, { anchor: one, focus: two }, 'what is whole stays as it is');
        if (byPointer && spanAround(text, one) !== undefined) assert.notEqual(now.anchor, now.focus);
      }),
      RUNS,
    );
  });

  test('is walked over from end to end by one key for each variable', () => {
    const text = 'a{{ b }}{{ c }}d';
    const walk = (step: 1 | -1, from: number) => {
      const stops = [from];
      for (let at = from; at + step >= 0 && at + step <= text.length; ) {
        const next = { anchor: at + step, focus: at + step };
        at = wholeSelection(text, next, { anchor: at, focus: at }, false).focus;
        stops.push(at);
      }
      return stops;
    };
    assert.deepEqual(walk(1, 0), [0, 1, 8, 15, 16]);
    assert.deepEqual(walk(-1, 16), [16, 15, 8, 1, 0]);
  });

  test('has a place for the fallback in each form of a variable', () => {
    const fallbackOf = (text: string) => {
      const found = fallbackAt(text, { from: 0, to: text.length });
      return found && { text: found.text, fallback: found.text.slice(found.fallback.from, found.fallback.to) };
    };
    for (const [text, fallback] of [
      ['{{ a.b | default: "you all" }}', 'you all'],
      ["{{a|default:'you'|url_encode}}", 'you'],
      ['{% if a != blank %}{{ a }}{% else %}“you”{% endif %}', '“you”'],
    ] as const)
      assert.deepEqual(fallbackOf(text), { text, fallback });
    assert.deepEqual(fallbackOf('{{ a.b }}'), { text: '{{ a.b | default: "" }}', fallback: '' });
    assert.deepEqual(fallbackOf('{{- a | url_encode -}}'), {
      text: '{{- a | default: "" | url_encode -}}',
      fallback: '',
    });
    assert.equal(fallbackOf('words'), undefined);
  });

  test('keeps each variable whole or loses it whole, whatever an edit does', () => {
    fc.assert(
      fc.property(places, typed, ({ text, one, two }, by) => {
        const edited = { from: Math.min(one, two), to: Math.max(one, two) };
        const after = replaced(text, edited, by);
        const result = wholeEdit(text, after, NOWHERE)?.text ?? after;
        for (const { from, to } of spansIn(text)) {
          const whole = text.slice(from, to);
          const [name = ''] = /n\d+/.exec(whole) ?? [];
          assert.ok(result.includes(whole) || !result.includes(name), `${text} became ${result}`);
        }
        if (edited.from === edited.to)
          for (const { from, to } of spansIn(text)) assert.ok(result.includes(text.slice(from, to)), 'nothing is lost');
      }),
      RUNS,
    );
  });

  test('is left as it was edited, byte by byte, when the edit cut no variable', () => {
    fc.assert(
      fc.property(places, typed, ({ text, one, two }, by) => {
        const { anchor, focus } = wholeSelection(text, { anchor: one, focus: two }, { anchor: 0, focus: 0 }, true);
        const selected = { from: Math.min(anchor, focus), to: Math.max(anchor, focus) };
        assert.equal(wholeEdit(text, replaced(text, selected, by), selected), undefined);
        assert.equal(wholeEdit(text, text, NOWHERE), undefined);
      }),
      RUNS,
    );
  });

  test('lets a variable be replaced by one that begins and ends with the same letters', () => {
    assert.equal(wholeEdit('a {{ of.one }}!', 'a {{ of.two }}!', { from: 2, to: 14 }), undefined);
    assert.deepEqual(wholeEdit('a {{ of.one }}!', 'a {{ of.oxne }}!', NOWHERE), {
      text: 'a {{ of.one }}x!',
      caret: 15,
    });
    assert.deepEqual(wholeEdit('a {{ of.one }}!', 'a {{ of.one }!', { from: 14, to: 14 }), { text: 'a !', caret: 2 });
  });

  test('deletes a variable by one key, and a word beside it alone', () => {
    const kept = (line: string, inputType: string) => {
      const at = line.indexOf('|');
      const text = line.replace('|', '');
      const span = deletedAt(text, at, inputType);
      return span === undefined ? undefined : replaced(text, span, '');
    };
    assert.equal(kept('a {{ b }}|c', 'deleteContentBackward'), 'a c');
    assert.equal(kept('a|{{ b }} c', 'deleteContentForward'), 'a c');
    assert.equal(kept('a {{ b }}c|', 'deleteContentBackward'), undefined);
    assert.equal(kept('a|b {{ b }}', 'deleteContentForward'), undefined);
    assert.equal(kept('a {{ b }}!!|', 'deleteWordBackward'), 'a {{ b }}');
    assert.equal(kept('a {{ b }} two words |', 'deleteWordBackward'), 'a {{ b }} two ');
    assert.equal(kept('a {{ b }} |c', 'deleteWordBackward'), 'a c');
    assert.equal(kept('|!{{ b }}', 'deleteWordForward'), '{{ b }}');
    assert.equal(kept('a | {{ b }} c', 'deleteWordForward'), 'a  c');
    assert.equal(kept('{{ b }} two|', 'deleteSoftLineBackward'), undefined);
    assert.equal(kept('two| words', 'deleteWordForward'), undefined);
  });
});
