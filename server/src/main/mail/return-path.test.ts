import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVerp } from '#mail/returned/verp.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { returnPathOf } from './return-path.ts';

const secrets = createSecrets('a master key of thirty-two characters or more');
const email = { workspaceId: '0197f500-0000-7000-8000-000000000001', emailId: '0197f500-0000-7000-8000-00000000000f' };

test('with a mail server and a bounce domain, the return path names the email and is no longer than SMTP allows', () => {
  const bounceDomain = `Bounces.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(40)}.example`;
  const address = returnPathOf({ bounceDomain, providerUrl: 'smtp://mail.example.net' }, secrets)?.(email) ?? '';
  const [local = '', domain] = address.split('@');
  assert.deepEqual(parseVerp(local, secrets.key('return path')), email);
  assert.equal(domain, bounceDomain.toLowerCase());
  assert.ok(address.length <= 254);
});

test('without a bounce domain, or with a provider that reports bounces itself, the sender stays the return path', () => {
  assert.equal(returnPathOf({ bounceDomain: null, providerUrl: 'smtp://mail.example.net' }, secrets), undefined);
  for (const providerUrl of ['capture:', 'ses://us-east-1', 'nonsense'])
    assert.equal(returnPathOf({ bounceDomain: 'bounces.example.com', providerUrl }, secrets), undefined);
});
