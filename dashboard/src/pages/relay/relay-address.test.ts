import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestPort, relayAddress } from './relay-address.ts';

test('until the address is known, it is the host of the page with the usual ports', () => {
  assert.deepEqual(relayAddress('[::1]', undefined), { host: '::1', port: 2587, tlsPort: 2465 });
});

test('a port that is off is 0, and programs get the other one', () => {
  const told = { host: 'mail.example.com', ports: { starttls: null, tls: 4465 }, username: 'apikey' as const };
  const address = relayAddress('localhost', told);
  assert.deepEqual(address, { host: 'mail.example.com', port: 0, tlsPort: 4465 });
  assert.deepEqual(bestPort(address), { port: 4465, isImplicit: true });
  const usual = relayAddress('localhost', { ...told, ports: { starttls: 2587, tls: 4465 } });
  assert.deepEqual(bestPort(usual), { port: 2587, isImplicit: false });
});
