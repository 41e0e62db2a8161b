import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS } from './settings-table.ts';
import { loadSettings, SettingsError } from './settings.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadSettings(env);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    for (const fault of error.faults) assert.ok(error.message.includes(fault));
    return error.faults;
  }
  return assert.fail('was accepted');
}

test('an empty environment is a working one', () => {
  const { settings, warnings } = loadSettings({});
  assert.equal(settings.port, 3000);
  assert.equal(settings.host, '127.0.0.1');
  assert.equal(settings.publicUrl, 'http://localhost:3000');
  assert.equal(settings.dashboardUrl, 'http://localhost:3000');
  assert.equal(settings.databaseUrl, null);
  assert.equal(settings.providerUrl, 'capture:');
  assert.equal(settings.sendRate, 12);
  assert.equal(settings.providerCeiling, 14);
  assert.equal(settings.unconfirmedSeconds, 600);
  assert.equal(settings.leaseSeconds, 60);
  assert.equal(settings.edition, 'cloud');
  assert.equal(settings.signup, 'closed');
  assert.deepEqual([settings.keyLimitHourly, settings.keyLimitDaily, settings.keyLimitMonthly], [100, 1_000, 10_000]);
  assert.deepEqual([settings.senderDomains, settings.trustProxy], [[], []]);
  assert.deepEqual(warnings, []);
});

test('a service that tells people from programs needs both of its keys, and its secret is in no fault', () => {
  const env = { POSTHORN_HUMAN_PROOF: 'hcaptcha', POSTHORN_HUMAN_PROOF_SECRET: 'a secret of a service' };
  assert.throws(
    () => loadSettings(env),
    (error: Error) =>
      /POSTHORN_HUMAN_PROOF needs POSTHORN_HUMAN_PROOF_SITE_KEY and/.test(error.message) &&
      !error.message.includes('a secret of'),
  );
  const { settings } = loadSettings({ ...env, POSTHORN_HUMAN_PROOF_SITE_KEY: '0x4AAA' });
  assert.deepEqual([settings.humanProof, settings.humanProofSiteKey], ['hcaptcha', '0x4AAA']);
});

test('an empty value is an unset one, and blanks around a value do not count', () => {
  const { settings } = loadSettings({ PORT: '', POSTHORN_HOST: '  ', POSTHORN_SEND_RATE: ' 5 ' });
  assert.equal(settings.port, 3000);
  assert.equal(settings.host, '127.0.0.1');
  assert.equal(settings.sendRate, 5);
});

test('settings are read', () => {
  const { settings } = loadSettings({
    PORT: '8080',
    POSTHORN_PUBLIC_URL: 'https://mail.example.com/base//',
    POSTHORN_SENDER_DOMAINS: 'Example.com, , bücher.test,a-b.example.co',
    POSTHORN_TRUST_PROXY: '10.0.0.0/8,192.0.2.1,2001:db8::/32,::1',
    POSTHORN_KEY_LIMIT_HOURLY: '0',
    POSTHORN_SEND_RATE: '0.5',
    POSTHORN_EDITION: 'self-hosted',
  });
  assert.equal(settings.port, 8080);
  assert.equal(settings.publicUrl, 'https://mail.example.com/base');
  assert.equal(settings.dashboardUrl, 'https://mail.example.com/base');
  assert.deepEqual(settings.senderDomains, ['example.com', 'xn--bcher-kva.test', 'a-b.example.co']);
  assert.deepEqual(settings.trustProxy, ['10.0.0.0/8', '192.0.2.1/32', '2001:db8::/32', '::1/128']);
  assert.equal(settings.keyLimitHourly, 0);
  assert.equal(settings.sendRate, 0.5);
  assert.equal(settings.edition, 'self-hosted');
});

test('every fault is told at once, each with its name', () => {
  const faults = faultsOf({
    PORT: '65536',
    POSTHORN_PUBLIC_URL: 'ftp://x',
    DATABASE_URL: 'mysql://x',
    POSTHORN_SEND_RATE: 'fast',
    POSTHORN_LEASE_SECONDS: '1',
    POSTHORN_EDITION: 'Cloud',
    POSTHORN_TRUST_PROXY: '10.0.0.0/8,everyone',
    POSTHORN_API_KEY: 'short',
  });
  assert.deepEqual(
    faults.map((fault) => fault.split(' ', 1)[0]),
    [
      'PORT',
      'POSTHORN_PUBLIC_URL',
      'DATABASE_URL',
      'POSTHORN_SEND_RATE',
      'POSTHORN_LEASE_SECONDS',
      'POSTHORN_EDITION',
      'POSTHORN_TRUST_PROXY',
      'POSTHORN_API_KEY',
    ],
  );
  assert.ok(faults.includes('PORT must be a whole number from 0 to 65535 (it is "65536")'));
});

const BAD: Record<string, string[]> = {
  PORT: ['-1', '3000.5', '0x10', '1e3', 'http', '３０００', '99999999999999999999'],
  POSTHORN_PUBLIC_URL: ['example.com', 'javascript:alert(1)', 'https://x.test/?a=1', 'https://x.test/#a', 'https://'],
  POSTHORN_SEND_RATE: ['0', '-1', 'NaN', 'Infinity', '1e2', '1,5', '0.001'],
  POSTHORN_SENDER_DOMAINS: [
    'localhost',
    'a@b.test',
    '*.example.com',
    'example.com.',
    '-a.test',
    '10.0.0.1',
    'ex ample.com',
  ],
  POSTHORN_TRUST_PROXY: ['10', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/x', '10.0.0.0/', '300.1.1.1', 'localhost'],
  POSTHORN_KEY_LIMIT_DAILY: ['-1', 'unlimited', '2000000001'],
  POSTHORN_SIGNUP: ['true', 'OPEN'],
};
for (const [name, values] of Object.entries(BAD)) {
  test(`${name} refuses what it cannot mean`, () => {
    for (const value of values) {
      const faults = faultsOf({ [name]: value });
      assert.equal(faults.length, 1, value);
      assert.ok(faults[0]?.startsWith(`${name} `), value);
    }
  });
}

test('a send rate above the provider’s ceiling is refused', () => {
  assert.match(
    faultsOf({ POSTHORN_SEND_RATE: '15' })[0] ?? '',
    /POSTHORN_SEND_RATE \(15\) is above POSTHORN_PROVIDER_CEILING \(14\)/,
  );
  assert.equal(loadSettings({ POSTHORN_SEND_RATE: '15', POSTHORN_PROVIDER_CEILING: '15' }).settings.sendRate, 15);
});

test('a database of one’s own needs the secret that its processes share', () => {
  const DATABASE_URL = 'postgres://localhost/x';
  assert.match(faultsOf({ DATABASE_URL })[0] ?? '', /^POSTHORN_SECRET_KEY is required/);
  assert.equal(loadSettings({ DATABASE_URL, POSTHORN_SECRET_KEY: 'k'.repeat(32) }).settings.databaseUrl, DATABASE_URL);
});

test('an address without a pooler is only for a database of one’s own', () => {
  const DATABASE_DIRECT_URL = 'postgres://localhost:5432/x';
  assert.match(faultsOf({ DATABASE_DIRECT_URL })[0] ?? '', /^DATABASE_DIRECT_URL is set without DATABASE_URL/);
  const DATABASE_URL = 'postgres://localhost:6432/x';
  const { settings } = loadSettings({ DATABASE_URL, DATABASE_DIRECT_URL, POSTHORN_SECRET_KEY: 'k'.repeat(32) });
  assert.equal(settings.databaseDirectUrl, DATABASE_DIRECT_URL);
});

test('no message shows a secret', () => {
  const secrets = Object.values(SETTINGS).filter((setting) => setting.secret);
  assert.deepEqual(secrets.map((setting) => setting.env).sort(), [
    'DATABASE_DIRECT_URL',
    'DATABASE_URL',
    'POSTHORN_ADMIN_PASSWORD',
    'POSTHORN_API_KEY',
    'POSTHORN_HUMAN_PROOF_SECRET',
    'POSTHORN_PREVIOUS_SECRET_KEYS',
    'POSTHORN_PROVIDER_URL',
    'POSTHORN_SECRET_KEY',
  ]);
  const env = Object.fromEntries(secrets.map((setting) => [setting.env, 'hunter2']));
  assert.doesNotMatch(faultsOf({ ...env, PORT: 'x' }).join('\n'), /hunter2/);
});

test('names that look like ours and are not are warned about, others are not', () => {
  const { warnings } = loadSettings({
    POSTHORN_SENDRATE: 'hunter2',
    POSTHORN_HOST: '::1',
    POSTHORN_: '1',
    HOME: '/',
    posthorn_x: '1',
    DATABASE_URLS: 'x',
  });
  assert.deepEqual(warnings, [
    'POSTHORN_ is no setting of Posthorn and was ignored',
    'POSTHORN_SENDRATE is no setting of Posthorn and was ignored',
  ]);
});

test('every setting has a name of its own, and a fallback that it would accept itself', () => {
  const all = Object.values(SETTINGS);
  assert.equal(new Set(all.map((setting) => setting.env)).size, all.length);
  for (const setting of all) {
    assert.ok(setting.meaning.endsWith('.'), setting.env);
    if (setting.fallback !== null && !Array.isArray(setting.fallback))
      assert.equal(setting.read(String(setting.fallback)), setting.fallback, setting.env);
  }
});

test('a process with the default settings fits a server of 20 connections, beside pg_dump', () => {
  const { settings } = loadSettings({});
  const [listening, health, pgDump, reservedForSuperusers] = [1, 1, 1, 3];
  const used = settings.databasePool + settings.workerDatabasePool + listening + health;
  assert.ok(used + pgDump + reservedForSuperusers <= 20);
});

test('names that the documentation sets in a shell are not warned about', () => {
  assert.deepEqual(
    loadSettings({ POSTHORN_KEY: 'ph_live_x', POSTHORN_URL: 'http://x', POSTHORN_WEBHOOK_SECRET: 'whsec_x' }).warnings,
    [],
  );
});

test('faults that others find are told together with those of the settings', () => {
  const judge = ({ providerUrl }: { providerUrl: string }) => [`POSTHORN_PROVIDER_URL is ${providerUrl}`];
  assert.throws(() => loadSettings({ PORT: 'x', POSTHORN_PROVIDER_URL: 'pigeon:' }, judge), {
    faults: ['PORT must be a whole number from 0 to 65535 (it is "x")', 'POSTHORN_PROVIDER_URL is pigeon:'],
  });
});
