import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32, codeOf, otpauthUrl, stepAt, stepOfCode } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B, in six digits', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(codeOf(SECRET, stepAt(new Date(seconds * 1_000))), code);
  }
});

test('a code is good for its half minute and the one before and behind it', () => {
  const now = new Date(1_111_111_111_000);
  const step = stepAt(now);
  for (const offset of [-2, -1, 0, 1, 2]) {
    const found = stepOfCode(SECRET, codeOf(SECRET, step + offset), now);
    assert.equal(found, Math.abs(offset) < 2 ? step + offset : undefined, `${offset}`);
  }
  assert.equal(stepOfCode(SECRET, '', now), undefined);
  assert.equal(stepOfCode(SECRET, '１２３４５６', now), undefined, 'full-width digits');
});

test('base32 is that of RFC 4648, without padding', () => {
  const of = (text: string) => base32(Buffer.from(text));
  assert.deepEqual(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map(of), [
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ]);
  assert.equal(
    otpauthUrl(SECRET, 'a b@example.com'),
    'otpauth://totp/Posthorn:a%20b%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Posthorn',
  );
});
