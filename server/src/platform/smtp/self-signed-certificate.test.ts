import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const NOW = new Date('2026-11-23T10:00:00Z');

test('a certificate can be read, whatever the length of its name', () => {
  for (let length = 1; length <= 63; length += 1) {
    const name = `${'a'.repeat(length)}.example`;
    const { cert, key } = selfSignedCertificate({ commonName: name, dnsNames: [name], now: NOW, days: 30 });
    assert.doesNotMatch(cert, /\n\n/, name);
    const read = new X509Certificate(cert);
    assert.equal(read.subjectAltName, `DNS:${name}`);
    assert.ok(read.checkPrivateKey(createPrivateKey(key)), name);
    assert.deepEqual(
      [read.validFromDate, read.validToDate],
      [new Date('2026-11-22T10:00:00Z'), new Date('2026-12-23T10:00:00Z')],
    );
  }
});
