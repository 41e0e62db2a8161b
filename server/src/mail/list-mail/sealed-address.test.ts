import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newId } from '#platform/ids.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { type PersonLinks, readPersonLink, signPersonLink } from './person-links.ts';
import { openAddress, sealAddress } from './sealed-address.ts';

const LINKS: PersonLinks<'leave'> = { keyPurpose: 'test', purposes: { leave: { path: '/leave' } } };
const ids = () => ({ workspaceId: newId(), listId: newId(), personId: newId() });

test('an address is read back with its key only, and a changed one is none', () => {
  const key = randomBytes(32);
  const sealed = sealAddress(key, 'zoë@bücher.example') ?? '';
  assert.equal(openAddress(key, sealed), 'zoë@bücher.example');
  assert.equal(openAddress(randomBytes(32), sealed), undefined);
  assert.equal(openAddress(key, `A${sealed.slice(1)}`), undefined);
  assert.equal(openAddress(key, ''), undefined);
});

test('an address that would make the link too long is left out', () => {
  const key = randomBytes(32);
  assert.ok(sealAddress(key, `${'a'.repeat(116)}@example.com`) !== undefined);
  assert.equal(sealAddress(key, `${'a'.repeat(117)}@example.com`), undefined);
});

test('a link hides the address that it was mailed to, gives it after a change of the secret, and fits its header', async () => {
  const address = `${'a'.repeat(116)}@example.com`;
  const now = new Date();
  const claims = { ...ids(), address };
  const token = await signPersonLink(LINKS, createSecrets('first'), 'leave', claims, now);
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  assert.ok(!payload.includes('example.com'));
  const link = await readPersonLink(LINKS, createSecrets('second', ['first']), 'leave', token, now);
  assert.equal(link?.address, address);
  assert.ok(token.length < 750, String(token.length));
});
