import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relaySamples } from './relay-samples.ts';

const relay = { host: 'mail.example.com', port: 2587, isImplicit: false, from: 'hello@acme.example' };

test('the settings of each program name host, port and user, and never a key', () => {
  const samples = relaySamples(relay);
  assert.deepEqual(
    samples.map(({ id }) => id),
    ['wordpress', 'django', 'rails', 'laravel', 'nodemailer', 'listmonk', 'msmtp', 'postfix'],
  );
  for (const { id, code } of samples) {
    assert.match(code, /mail\.example\.com/, id);
    assert.match(code, /2587/, id);
    assert.match(code, /apikey/, id);
    assert.doesNotMatch(code, /ph_live_|undefined/, id);
  }
});

test('TLS from the first byte is another setting in each program', () => {
  const [starts, implicit] = [relaySamples(relay), relaySamples({ ...relay, port: 2465, isImplicit: true })];
  for (const [index, { id, code }] of starts.entries()) {
    assert.notEqual(code.replaceAll('2587', '2465'), implicit[index]?.code, id);
  }
});
