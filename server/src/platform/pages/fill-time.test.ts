import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from '../crypto/secrets.ts';
import { fillTimeToken, readFillTime } from './fill-time.ts';

const secrets = createSecrets('a master key of thirty-two characters or more');
const NOW = new Date('2026-11-21T10:00:00.000Z');
const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const token = fillTimeToken(secrets, NOW);

test('a form is good from one second after it was shown until seven days after', () => {
  assert.match(token, /^[0-9a-z._-]{20,40}$/i);
  const at = (ms: number) => readFillTime(secrets, token, after(ms));
  assert.deepEqual([0, 999, 1_000, 60_000].map(at), ['too_soon', 'too_soon', 'good', 'good']);
  assert.deepEqual([7 * 86_400_000, 7 * 86_400_000 + 1].map(at), ['good', 'too_old']);
  // From a server whose clock is ahead.
  assert.equal(at(-5_000), 'too_soon');
});

test('a value that we did not write is invalid: another secret, time or spelling', () => {
  const signed = Buffer.from(token, 'base64url');
  const earlier = Buffer.from(fillTimeToken(secrets, after(-60_000)), 'base64url');
  const others = [
    fillTimeToken(createSecrets('another master key, of 32 characters or more'), NOW),
    Buffer.concat([earlier.subarray(0, 6), signed.subarray(6)]).toString('base64url'),
    Buffer.concat([Buffer.alloc(1), signed]).toString('base64url'),
    token.toUpperCase(),
    token.slice(0, -1),
    `${token}=`,
    `${token}\n`,
    ` ${token}`,
    token.slice(0, 8),
    token.slice(8),
    '',
    'x'.repeat(8_192),
  ];
  for (const other of others) assert.equal(readFillTime(secrets, other, after(5_000)), 'bad', other.slice(0, 80));
});
