import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateKey, partsOfKey, verifyKeyFormat } from './key-format.ts';

test('a generated key has the documented form, and no two are alike', () => {
  const keys = Array.from({ length: 2_000 }, (_, i) => generateKey(i % 2 === 0 ? 'live' : 'test'));
  for (const key of keys) assert.match(key, /^ph_(live|test)_[0-9A-Za-z]{38}$/);
  assert.ok(keys.every(verifyKeyFormat));
  assert.equal(new Set(keys).size, keys.length);
});

test('the checksum is the CRC-32 of what stands before it, in base62, so that anybody can compute it', () => {
  // crc32('ph_live_' + 32 zeros), by Python's zlib: 1896348171, which is 24Ksmp in base62 (0-9, A-Z, a-z).
  assert.ok(verifyKeyFormat(`ph_live_${'0'.repeat(32)}24Ksmp`));
});

test('no key with one character changed passes the check', () => {
  const key = generateKey('live');
  for (let i = 8; i < key.length; i += 1) {
    const changed = `${key.slice(0, i)}${key[i] === 'a' ? 'b' : 'a'}${key.slice(i + 1)}`;
    assert.equal(verifyKeyFormat(changed), false, `position ${i}`);
  }
  assert.equal(verifyKeyFormat(key.toUpperCase()), false);
  assert.equal(verifyKeyFormat(key.slice(0, -1)), false);
});

test('our keys show twelve characters of their beginning, others four; all are found by their hash', () => {
  const ours = generateKey('test');
  assert.equal(partsOfKey(ours).prefix, ours.slice(0, 12));
  assert.equal(partsOfKey(ours).mode, 'test');
  const chosen = partsOfKey('only-24-characters-long_');
  assert.deepEqual([chosen.prefix, chosen.last4, chosen.mode], ['only', 'ong_', 'live']);
  assert.match(chosen.lookup, /^[0-9a-f]{12}$/);
  assert.equal(chosen.lookup, chosen.hash.toString('hex').slice(0, 12));
});
