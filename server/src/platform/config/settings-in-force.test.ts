import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleValue, settingsInForce } from './settings-in-force.ts';
import { SETTINGS } from './settings-table.ts';

const SECRET = 'hunter2-hunter2-hunter2-hunter2-hunter2';
const byName = (env: Record<string, string>, file: string[] = []) =>
  Object.fromEntries(settingsInForce(env, new Set(file)).map((setting) => [setting.name, setting]));

test('no setting that is secret shows any part of its value, wherever it was given', () => {
  const secrets = Object.values(SETTINGS).filter(({ secret }) => secret);
  assert.ok(secrets.length >= 8);
  for (const { env, isAddress } of secrets) {
    const values = isAddress
      ? [SECRET, `postgres://${SECRET}:${SECRET}@db.example/x?password=${SECRET}#${SECRET}`, `smtp:${SECRET}`]
      : [SECRET, `https://${SECRET}@example.com`];
    for (const value of values) {
      for (const file of [[], [env]]) {
        const shown = byName({ [env]: value }, file)[env];
        assert.equal(shown?.isSecret, true);
        assert.equal(shown.source, file.length === 0 ? 'environment' : 'file');
        assert.doesNotMatch(JSON.stringify(shown), /hunter2/, env);
      }
    }
  }
});

test('a setting that is called a secret, a password, a token or a key is secret', () => {
  const open = ['POSTHORN_KEY_LIMIT_HOURLY', 'POSTHORN_KEY_LIMIT_DAILY', 'POSTHORN_KEY_LIMIT_MONTHLY'];
  const named = Object.values(SETTINGS).filter(({ env }) => /SECRET|PASSWORD|TOKEN|KEY|CREDENTIAL/.test(env));
  assert.deepEqual(
    named.filter(({ secret }) => !secret).map(({ env }) => env),
    // The name of a file; a site key is printed on every public page.
    ['POSTHORN_TLS_KEY', ...open, 'POSTHORN_HUMAN_PROOF_SITE_KEY'],
  );
});

test('of a secret address scheme, host and path are shown, and nothing when its parts cannot be told apart', () => {
  const table: [string, string | null][] = [
    ['postgresql://posthorn:hunter2@db.example:5432/mail?password=hunter2', 'postgresql://db.example:5432/mail'],
    ['postgresql://db.example/mail', 'postgresql://db.example/mail'],
    ['smtps://user:hunter2@mail.example', 'smtps://mail.example'],
    ['ses://us-east-1?configurationSet=posthorn', 'ses://us-east-1'],
    ['capture:', 'capture:'],
    ['capture:hunter2', 'capture:'],
    ['smtp://user:hunter2@hunter2@mail.example', null],
    ['smtp://user:12/hunter2@mail.example', null],
    ['smtp://user:12?hunter2@mail.example', null],
    ['smtp://user:12#hunter2@mail.example', null],
    ['smtp://user:hun/ter2@mail.example', null],
    ['hunter2', null],
  ];
  for (const [text, shown] of table) assert.equal(visibleValue({ secret: true, isAddress: true }, text), shown, text);
});

test('a password in an address that is not secret is masked, and nothing else', () => {
  const table: [string, string][] = [
    ['https://user:hunter2@mail.example/x', 'https://user:••••@mail.example/x'],
    ['https://:hunter2@mail.example', 'https://:••••@mail.example'],
    ['https://user:hunter2@hunter2@mail.example', 'https://user:••••@mail.example'],
    ['https://mail.example:8443/a:b', 'https://mail.example:8443/a:b'],
    ['owner@example.com', 'owner@example.com'],
    ['127.0.0.1/32,::1/128', '127.0.0.1/32,::1/128'],
  ];
  for (const [text, shown] of table) assert.equal(visibleValue({ secret: false, isAddress: false }, text), shown);
});

test('each setting says where its value comes from; an empty one is not set', () => {
  const shown = byName({ PORT: '8080', POSTHORN_HOST: '0.0.0.0', POSTHORN_SEND_RATE: ' ' }, ['POSTHORN_HOST']);
  assert.equal(Object.keys(shown).length, Object.keys(SETTINGS).length);
  const of = (name: string) => [shown[name]?.source, shown[name]?.value];
  assert.deepEqual(of('PORT'), ['environment', '8080']);
  assert.deepEqual(of('POSTHORN_HOST'), ['file', '0.0.0.0']);
  assert.deepEqual(of('POSTHORN_SEND_RATE'), ['default', '12']);
  assert.deepEqual(of('POSTHORN_PROVIDER_URL'), ['default', 'capture:']);
  assert.deepEqual(of('POSTHORN_SECRET_KEY'), ['default', null]);
  assert.deepEqual(of('POSTHORN_BOUNCE_DOMAIN'), ['default', null]);
});
