import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, needsRehash, verifyNothing, verifyPassword } from './password-hash.ts';

test('a hash is a PHC string with the parameters of today, and another each time', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword('correct horse', one), true);
  assert.equal(await verifyPassword('correct horsf', one), false);
  assert.equal(needsRehash(one), false);
});

test('a hash that the reference implementation made is understood, and is to be replaced', async () => {
  // A test vector of github.com/P-H-C/phc-winner-argon2.
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await verifyPassword('password', stored), true);
  assert.equal(await verifyPassword('Password', stored), false);
  assert.equal(needsRehash(stored), true);
});

test('a password is the same however a keyboard composes its letters', async () => {
  assert.equal(await verifyPassword('Cafe\u0301 au lait', await hashPassword('Caf\u00e9 au lait')), true);
});

test('a foreign hash never matches', async () => {
  for (const stored of [
    '',
    'plain',
    '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$2b$10$abc',
  ]) {
    assert.equal(await verifyPassword(stored, stored), false);
  }
  assert.equal(await verifyNothing('anything'), false);
});

test('a flood of sign-ins is refused beyond a bound, with 503 and no line in the log, and those inside it are answered', async () => {
  const results = await Promise.allSettled(Array.from({ length: 70 }, () => verifyNothing('x')));
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 4);
  assert.ok(refused.every((result) => result.reason.name === 'service_unavailable_error'));
  assert.ok(refused.every((result) => result.reason.extras.expected === true));
  assert.equal(await verifyNothing('x'), false);
});
