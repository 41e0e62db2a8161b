import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMacOf, macOf } from './mac.ts';
import { readToken, signToken, tokenChars, withMac, withoutMac } from './signed-bytes.ts';

const key = Buffer.alloc(32, 1);
const form = { macBytes: 16, payloadBytes: { min: 0, max: 200 } };
const payload = Buffer.from('>>>???');

test('the MAC is HMAC-SHA256 over the payload, cut from the left', () => {
  const whole = createHmac('sha256', key).update(payload).digest();
  assert.deepEqual(macOf(key, payload), whole);
  assert.deepEqual(withMac(key, payload, 12), Buffer.concat([payload, whole.subarray(0, 12)]));
});

test('a MAC of no bytes, or of more than a hash has, is none', () => {
  assert.equal(isMacOf(key, payload, macOf(key, payload)), true);
  assert.equal(isMacOf(key, payload, Buffer.alloc(0)), false);
  assert.equal(isMacOf(key, payload, Buffer.concat([macOf(key, payload), Buffer.alloc(1)])), false);
});

test('a token gives its payload back, and is as long as is said', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 7, max: 32 }), (bytes, macBytes) => {
      const token = signToken(key, Buffer.from(bytes), { macBytes });
      assert.equal(token.length, tokenChars(bytes.length, macBytes));
      assert.deepEqual(readToken(key, token, { ...form, macBytes }), Buffer.from(bytes));
    }),
  );
});

test('a token of another key is none, and neither is one of another length of MAC', () => {
  const token = signToken(key, payload, form);
  assert.equal(readToken(Buffer.alloc(32, 2), token, form), undefined);
  assert.equal(readToken(key, token, { ...form, macBytes: 15 }), undefined);
  assert.equal(withoutMac(key, Buffer.alloc(15), 16), undefined);
});

test('a payload shorter or longer than the form allows is refused, though our key signed it', () => {
  const token = signToken(key, payload, form);
  assert.deepEqual(readToken(key, token, { macBytes: 16, payloadBytes: 6 }), payload);
  for (const payloadBytes of [0, 4, 8]) assert.equal(readToken(key, token, { macBytes: 16, payloadBytes }), undefined);
});

test('no bit can be changed, and no other spelling of the same bytes is taken', () => {
  const token = signToken(key, payload, form);
  const signed = Buffer.from(token, 'base64url');
  for (let at = 0; at < signed.length * 8; at += 1) {
    const changed = Buffer.from(signed);
    changed.writeUInt8(changed.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
    assert.equal(readToken(key, changed.toString('base64url'), form), undefined, `bit ${at}`);
  }
  const others = [`${token}=`, ` ${token}`, `${token}\n`, `${token}\0`, signed.toString('base64')];
  for (const other of others) assert.equal(readToken(key, other, form), undefined, other);
  assert.equal(readToken(key, 'A'.repeat(10_000_000), form), undefined);
});
