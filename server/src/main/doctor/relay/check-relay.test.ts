import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { freePort } from '../../../../test/harness/posthorn-process.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { undoAfter } from '../../../../test/harness/undo.ts';
import { type CertificateOptions, selfSignedCertificate } from '#platform/smtp/self-signed-certificate.ts';
import { CATALOGUE } from '../catalogue.ts';
import { examine, finding, findings, met } from '../test-kit.ts';
import type { Report } from '../doctor.ts';

let t: TestApp;
let folder: string;
let running: Record<string, string>;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-doctor-relay-'));
  const files = await certificate('running');
  running = { ...files, POSTHORN_PUBLIC_URL: 'https://mail.example.com' };
  const relays = String(await freePort());
  t = await createTestApp({ relay: true, env: { ...running, POSTHORN_SMTP_RELAYS_PORT: relays } });
  running = { ...running, POSTHORN_SMTP_RELAY_PORT: String(t.relayPort), POSTHORN_SMTP_RELAYS_PORT: relays };
});
after(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

const NOW = new Date();

/** The settings of a certificate of its own in two files. */
async function certificate(name: string, options: Partial<CertificateOptions> & { chain?: boolean } = {}) {
  const { chain = true, ...more } = options;
  const made = selfSignedCertificate({
    commonName: 'mail.example.com',
    dnsNames: ['mail.example.com'],
    now: NOW,
    days: 60,
    issuer: 'An authority',
    ...more,
  });
  const [cert, key] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)];
  await writeFile(cert, chain ? `${made.cert}${made.cert}` : made.cert);
  await writeFile(key, made.key);
  return { POSTHORN_TLS_CERT: cert, POSTHORN_TLS_KEY: key };
}

const look = (env: Record<string, string>): Promise<Report> =>
  examine(t.db, { env, deps: { clock: createTestClock({ at: NOW }) } });

/** The findings about a certificate, beside a port on which nobody listens. */
async function found(env: Record<string, string>): Promise<[status: string, cause: string | null][]> {
  const port = String(await freePort());
  const report = await look({ POSTHORN_SMTP_RELAY_PORT: port, ...env });
  return findings(report, 'relay_certificate').map(({ status, cause }) => [status, cause]);
}

async function listens(test: TestContext, greeting: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(greeting);
    socket.on('data', () => socket.write('502 5.5.1 no\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undoAfter(test, () => server.close());
  const address = server.address();
  return String(typeof address === 'object' && address !== null ? address.port : assert.fail());
}

test('a relay that answers on both ports with the certificate of its files', async () => {
  const report = await look(running);
  const relay = [...findings(report, 'relay'), ...findings(report, 'relay_certificate')];
  assert.deepEqual(
    relay.map(({ status }) => status),
    ['ok', 'ok', 'ok'],
    JSON.stringify(relay),
  );
  assert.match(finding(report, 'relay_certificate').message, /^For mail\.example\.com, until \d{4}-/);
});

test('the relay still shows the certificate before this one', async () => {
  const report = await look({ ...running, ...(await certificate('renewed', { days: 90 })) });
  assert.match(finding(report, 'relay_certificate').cause ?? '', /still shows another certificate/);
});

test('ports that are free are well; so is a relay that is turned off', async () => {
  const free = await look({ POSTHORN_SMTP_RELAY_PORT: String(await freePort()) });
  assert.match(finding(free, 'relay').message, /is free; no process with the role smtp runs/);
  assert.equal(finding(free, 'relay_certificate').status, 'ok');
  const off = await look({});
  assert.deepEqual([finding(off, 'relay').status, finding(off, 'relay_certificate').status], ['skipped', 'skipped']);
});

test('another program has the port, whether it greets as a mail server or not', async (test) => {
  for (const [setting, greeting, words] of [
    ['POSTHORN_SMTP_RELAY_PORT', '220 mx.elsewhere.test ESMTP\r\n', 'greets with “220 mx.elsewhere.test ESMTP”'],
    ['POSTHORN_SMTP_RELAY_PORT', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'greets with “HTTP/1.1 400 Bad Request”'],
    ['POSTHORN_SMTP_RELAYS_PORT', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'does not greet as a mail server'],
  ] as const) {
    const port = await listens(test, greeting);
    const { status, message, cause, fix } = finding(await look({ [setting]: port }), 'relay');
    assert.equal(status, 'error');
    assert.ok(message.includes(words), message);
    assert.match(cause ?? '', new RegExp(`has port ${port}`));
    assert.match(fix ?? '', new RegExp(`set ${setting} to a free port`));
  }
});

test('the relay greets and no encryption comes about', async (test) => {
  const port = await listens(test, '220 mail.example.com ESMTP\r\n');
  assert.match(finding(await look({ POSTHORN_SMTP_RELAY_PORT: port }), 'relay').cause ?? '', /no encrypted connection/);
});

test('an address that this machine does not have', async () => {
  const env = { ...(await certificate('elsewhere')), POSTHORN_HOST: '192.0.2.1', POSTHORN_SMTP_RELAY_PORT: '2587' };
  assert.match(finding(await look(env), 'relay').cause ?? '', /POSTHORN_HOST is an address/);
});

test('other machines may connect, and there is no certificate', async () => {
  const report = await look({ POSTHORN_HOST: '0.0.0.0', POSTHORN_SMTP_RELAY_PORT: '2587' });
  assert.equal(finding(report, 'relay').status, 'skipped');
  assert.equal(finding(report, 'relay_certificate').status, 'warning');
});

test('files that are not there, not PEM, or of two certificates', async () => {
  const [one, other] = [await certificate('one'), await certificate('other')];
  const nothing = path.join(folder, 'nothing.pem');
  await writeFile(path.join(folder, 'empty.pem'), '');
  for (const env of [
    { ...one, POSTHORN_TLS_CERT: nothing },
    { ...one, POSTHORN_TLS_KEY: path.join(folder, 'empty.pem') },
    { ...one, POSTHORN_TLS_KEY: other.POSTHORN_TLS_KEY },
  ]) {
    const [[status, cause] = [], ...more] = await found(env);
    assert.equal(status, 'error');
    assert.match(cause ?? '', /cannot be used/);
    assert.equal(more.length, 0);
  }
});

test('a certificate that has ended, begins later, or ends soon, by the clock of this machine', async () => {
  const day = 86_400_000;
  for (const [name, options, status, cause] of [
    ['ended', { now: new Date(NOW.getTime() - 60 * day), days: 30 }, 'error', /ended on \d{4}-/],
    ['later', { now: new Date(NOW.getTime() + 30 * day) }, 'error', /clock of this machine is behind/],
    ['soon', { days: 13 }, 'warning', /ends on \d{4}-/],
  ] as const) {
    const [[foundStatus, foundCause] = [], ...more] = await found(await certificate(name, options));
    assert.equal(foundStatus, status, name);
    assert.match(foundCause ?? '', cause);
    assert.equal(more.length, 0);
  }
  assert.deepEqual(await found(await certificate('fourteen', { days: 15 })), [['ok', null]]);
});

test('a certificate that clients would not believe: of itself, without its issuers, of another name', async () => {
  for (const [name, options, cause] of [
    ['itself', { issuer: undefined }, /vouches for itself/],
    ['alone', { chain: false }, /without those of its issuers/],
    ['named', { dnsNames: ['smtp.example.com'] }, /is for smtp\.example\.com, and not for mail\.example\.com/],
  ] as const) {
    const [[status, foundCause] = [], ...more] = await found(await certificate(name, options));
    assert.equal(status, 'warning', `${name}: ${foundCause}`);
    assert.match(foundCause ?? '', cause);
    assert.equal(more.length, 0);
  }
});

test('every trouble that can be found with the relay was found here', () => {
  const all = CATALOGUE.relay.flatMap(({ id, troubles }) => Object.keys(troubles).map((kind) => `${id}: ${kind}`));
  // The tests run as root, who may listen everywhere.
  assert.deepEqual(
    all.filter((trouble) => !met.has(trouble) && trouble !== 'relay: forbidden'),
    [],
  );
});
