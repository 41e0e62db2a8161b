import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { judgeBounce } from './bounce-judgement.ts';

type Meaning = 'hard' | 'soft' | 'sender' | 'unclear';

interface Wording {
  meaning: string;
  status: string | null;
  said: string;
}

/** `hard | 5.1.1 | smtp; 550 user unknown`, one a line. */
function wordingsOf(file: string): Wording[] {
  const lines = readFileSync(new URL(`wordings/${file}`, import.meta.url), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [meaning = '', status = '', ...said] = line.split(' | ');
      return { meaning, status: status === '-' ? null : status, said: said.join(' | ') };
    });
}

function meaningOf({ status, said }: Wording): Meaning {
  const { cause } = judgeBounce(status, said);
  if (cause === 'address') return 'hard';
  if (cause === 'full' || cause === 'later') return 'soft';
  return cause === 'unclear' ? 'unclear' : 'sender';
}

const tuned = wordingsOf('tuned.txt');
const heldOut = wordingsOf('held-out.txt');
const all = [...tuned, ...heldOut];
const listed = (some: readonly Wording[]): string =>
  some.map((one) => `${one.meaning} | ${one.status ?? '-'} | ${one.said}`).join('\n');

test('the wordings are many, and of every kind', () => {
  for (const [some, atLeast] of [
    [tuned, 300],
    [heldOut, 300],
    [heldOut.filter((one) => one.meaning === 'hard'), 140],
  ] as const)
    assert.ok(some.length >= atLeast);
  assert.deepEqual([...new Set(all.map((one) => one.meaning))].sort(), ['hard', 'sender', 'soft', 'unclear']);
});

test('nothing but a refusal of the address is judged as one', () => {
  const blamed = all.filter((one) => one.meaning !== 'hard' && meaningOf(one) === 'hard');
  assert.equal(listed(blamed), '');
});

test('no refusal that is about the sender or the message counts against the mailbox', () => {
  const counted = all.filter((one) => one.meaning === 'sender' && meaningOf(one) === 'soft');
  assert.equal(listed(counted), '');
});

test('every wording of a missing address that the rules were made for is recognised', () => {
  const missed = tuned.filter((one) => one.meaning === 'hard' && meaningOf(one) !== 'hard');
  assert.equal(listed(missed), '');
});

test('of the wordings that the rules were not made for, 97 in 100 missing addresses are recognised', () => {
  const hard = heldOut.filter((one) => one.meaning === 'hard');
  const seen = hard.filter((one) => meaningOf(one) === 'hard');
  assert.ok(seen.length / hard.length >= 0.97, `${seen.length} of ${hard.length}`);
});

test('a word that a line end broke is read as one', () => {
  assert.equal(judgeBounce(null, 'smtp; 550 User un-\r\n known').cause, 'address');
  assert.equal(judgeBounce(null, 'smtp; 550 The account does not\n exist').cause, 'address');
});

test('words in an address or a link are not taken for those of the server', () => {
  assert.equal(judgeBounce('5.1.1', 'smtp; 550 5.1.1 <ada@no-spam-policy.example>: User unknown').cause, 'address');
  assert.equal(judgeBounce(null, 'smtp; 550 Failed, see https://example.com/user-unknown').cause, 'unclear');
});
