import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets('the first master key, of 32 characters or more');
const others = createSecrets('another master key, of 32 characters or more');

test('a purpose has one key of 32 bytes, which no other purpose or master key has', () => {
  const key = secrets.key('tokens');
  assert.equal(key.length, 32);
  assert.deepEqual(createSecrets('the first master key, of 32 characters or more').key('tokens'), key);
  assert.notDeepEqual(secrets.key('token'), key);
  assert.notDeepEqual(others.key('tokens'), key);
});

test('keys are those of HKDF-SHA256, so that they stay the same for ever', () => {
  const expected = hkdfSync('sha256', 'the first master key, of 32 characters or more', 'posthorn', 'tokens', 32);
  assert.deepEqual(secrets.key('tokens'), Buffer.from(expected));
});

test('the key that encrypts is not the one that is handed out', () => {
  assert.notDeepEqual(secrets.key('x'), secrets.key('seal:x'));
});

test('any sealed value can be opened again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1_000 }), (bytes) => {
      assert.deepEqual(secrets.open('dkim', secrets.seal('dkim', Buffer.from(bytes))), Buffer.from(bytes));
    }),
  );
});

test('the same value is sealed differently each time, and cannot be read', () => {
  const plain = Buffer.from('a DKIM private key');
  const sealed = secrets.seal('dkim', plain);
  assert.notDeepEqual(secrets.seal('dkim', plain), sealed);
  assert.equal(sealed.includes('private'), false);
  assert.equal(sealed.length, plain.length + 28);
});

test('a value is not opened under another purpose or master key', () => {
  const sealed = secrets.seal('dkim', Buffer.from('x'));
  assert.throws(() => secrets.open('webhook', sealed));
  assert.throws(() => others.open('dkim', sealed));
});

test('a value of which one bit was changed, or that was cut, is not opened', () => {
  const sealed = secrets.seal('dkim', Buffer.from('a value'));
  const nothing = secrets.seal('dkim', Buffer.alloc(0));
  for (const cut of [1, 4, 12]) assert.throws(() => secrets.open('dkim', nothing.subarray(0, -cut)), 'a shorter tag');
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    assert.throws(() => secrets.open('dkim', changed), `byte ${index}`);
  }
  for (let length = 0; length < sealed.length; length += 1)
    assert.throws(() => secrets.open('dkim', sealed.subarray(0, length)), `${length} bytes`);
});

test('a key is found under the name of its master secret, present or previous, and under no other', () => {
  const [first, second, third] = ['first', 'second', 'third'].map((word) => `the ${word} master key of them all`);
  const old = createSecrets(first ?? '');
  const now = createSecrets(third ?? '', [first ?? '', second ?? '']);
  assert.match(now.masterId, /^[A-Za-z0-9_-]{8}$/);
  assert.notEqual(now.masterId, old.masterId);
  assert.deepEqual(now.keyUnder(now.masterId, 'x'), now.key('x'));
  assert.deepEqual(now.keyUnder(old.masterId, 'x'), old.key('x'));
  assert.notDeepEqual(now.key('x'), old.key('x'));
  assert.equal(old.keyUnder(now.masterId, 'x'), undefined);
  for (const id of ['', '__proto__', 'constructor', '../../dev/null', now.masterId.slice(1)])
    assert.equal(now.keyUnder(id, 'x'), undefined, id);
});
