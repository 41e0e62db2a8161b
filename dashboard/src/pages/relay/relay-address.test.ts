import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingInForce } from '../../api/generated/types.gen.ts';
import { bestPort, relayAddress } from './relay-address.ts';

const setting = (name: string, value: string | null): SettingInForce => ({
  name,
  value,
  source: value === null ? 'default' : 'environment',
  secret: false,
  default: '2587',
  meaning: '',
});

test('without the settings the ports are the usual ones, and the page says so', () => {
  assert.deepEqual(relayAddress('mail.example.com', undefined), {
    host: 'mail.example.com',
    port: 2587,
    tlsPort: 2465,
    isKnown: false,
  });
});

test('the operator sees the ports in force; 0 is off', () => {
  const settings = [setting('POSTHORN_SMTP_RELAY_PORT', '0'), setting('POSTHORN_SMTP_RELAYS_PORT', '4465')];
  const address = relayAddress('[::1]', settings);
  assert.deepEqual(address, { host: '::1', port: 0, tlsPort: 4465, isKnown: true });
  assert.deepEqual(bestPort(address), { port: 4465, isImplicit: true });
  assert.deepEqual(bestPort(relayAddress('a.example', [setting('POSTHORN_SMTP_RELAY_PORT', null)])), {
    port: 2587,
    isImplicit: false,
  });
});
