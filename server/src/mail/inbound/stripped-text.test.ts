import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stripText } from './stripped-text.ts';

const NEW = 'Thanks!\n\nSee you.';
const replies: Record<string, string> = {
  Gmail: '\n\nOn Fri, 20 Nov 2026 at 09:00, Shop <shop@acme.example> wrote:\n\n> Hello\n> you\n',
  'Gmail, folded':
    '\n\nOn Fri, 20 Nov 2026 at 09:00, A very long name of a shop\n<shop@acme.example> wrote:\n> Hello\n',
  'Apple Mail in German': '\n\n> Am 20.11.2026 um 09:00 schrieb Shop <shop@acme.example>:\n> \n> Hello\n',
  'Thunderbird in German': '\n\nAm 20.11.26 um 09:00 schrieb Shop:\n> Hello\n',
  French: '\n\nLe ven. 20 nov. 2026 à 09:00, Shop <shop@acme.example> a écrit :\n> Hello\n',
  Spanish: '\n\nEl vie, 20 nov 2026 a las 9:00, Shop (<shop@acme.example>) escribió:\n\n> Hello\n',
  Russian: '\n\n20.11.2026 09:00, Shop пишет:\n> Hello\n',
  Japanese: '\n\n2026年11月20日(金) 9:00 Shop のメール:\n> Hello\n',
  Outlook:
    '\n\n________________________________\nFrom: Shop <shop@acme.example>\nSent: Friday\nTo: Ada\nSubject: x\n\nHello\n',
  'Outlook without a rule':
    '\n\nFrom: Shop <shop@acme.example>\nSent: Friday, 20 November\nTo: Ada\nSubject: x\n\nHello\n',
  'Outlook in German': '\n\nVon: Shop <shop@acme.example>\nGesendet: Freitag\nAn: Ada\nBetreff: x\n\nHello\n',
  'an original message': '\n\n-----Original Message-----\nFrom: Shop\n\nHello\n',
  'a quotation without an introduction': '\n\n> Hello\n> you\n',
  'a signature': '\n\n-- \nAda\nAcme Ltd\n',
};
for (const [program, rest] of Object.entries(replies))
  test(`the new words of a reply: ${program}`, () => {
    const text = NEW + rest;
    const { chars, confidence } = stripText(text, true);
    assert.equal(text.slice(0, chars), NEW);
    assert.ok(confidence >= 0.8);
    const crlf = text.replaceAll('\n', '\r\n');
    assert.equal(crlf.slice(0, stripText(crlf, true).chars), NEW.replaceAll('\n', '\r\n'));
  });

const whole: Record<string, string> = {
  'answers between the lines': '> Will you come?\nYes.\n> When?\nAt noon.\n',
  'an answer below the quotation': 'On Friday Shop wrote:\n> Will you come?\n\nYes, at noon.\n',
  'a sentence that ends in wrote': 'This is what Ada wrote:\nnothing is quoted here\n',
  'a line with From in it': 'From: here to there\nit is a long way\n',
  'words alone': 'Hello\n',
  nothing: '',
};
for (const [what, text] of Object.entries(whole))
  test(`nothing is cut from ${what}`, () => {
    assert.equal(stripText(text, true).chars, text.length);
    assert.ok(stripText(text, true).confidence < 0.8);
  });

test('a message that answers nothing and quotes nothing is all new, for certain', () => {
  assert.deepEqual(stripText('Hello\n', false), { chars: 6, confidence: 1 });
});

test('the cut is within every text, and the time for it is linear', () => {
  const line = fc.constantFrom('> x', 'On a wrote:', '', '-- ', 'From: a', 'Sent: b', 'To: c', 'words', '_'.repeat(30));
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), (lines, isReply) => {
      const text = lines.join('\n');
      const { chars, confidence } = stripText(text, isReply);
      assert.ok(chars >= 0 && chars <= text.length && confidence >= 0 && confidence <= 1);
    }),
  );
  const startedMs = performance.now();
  for (const hostile of ['On a wrote:\n', '> \n', ' ', '_', 'From: a\n', 'x'.repeat(30), `${'wrote:'.repeat(66)}x\n`]) {
    stripText(hostile.repeat(4_000_000 / hostile.length), true);
  }
  assert.ok(performance.now() - startedMs < 2_000);
});
