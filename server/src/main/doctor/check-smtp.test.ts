import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { selfSignedCertificate } from '../../../test/harness/self-signed-certificate.ts';
import { type SinkOptions, type SmtpSink, startSmtpSink } from '../../../test/harness/smtp-sink.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Report } from './doctor.ts';
import { examine, finding, met, type Patient } from './test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const OWN_HOSTS = { POSTHORN_SPF_HOST: 'spf.example.com', POSTHORN_FEEDBACK_HOST: 'bounces.example.com' };

async function aSink(test: TestContext, options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options);
  undoAfter(test, () => sink.stop());
  return sink;
}

/** A server of the test's own on loopback, and its port. */
async function listening(test: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undoAfter(test, () => server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : assert.fail();
}

const look = (url: string, { env, deps }: Patient = {}): Promise<Report> =>
  examine(t.db, { env: { POSTHORN_PROVIDER_URL: url, ...env }, ...(deps === undefined ? {} : { deps }) });

function assertFound(report: Report, id: string, status: 'warning' | 'error', cause: RegExp, message = /\S/): void {
  const found = finding(report, id);
  assert.equal(found.status, status, found.message);
  assert.match(found.cause ?? '', cause);
  assert.match(found.message, message);
}

test('a server that takes our mail, and bounces that come back', async (test) => {
  const auth = { user: 'ann', pass: 'secret' };
  const sink = await aSink(test, { auth });
  const listener = await aSink(test);
  await sql`insert into provider_notifications (source, id, body, received_at)
    values ('mail', 'a', '', '2026-11-20T10:00:00Z')`.execute(t.db);
  const url = sink.url.replace('//', '//ann:secret@');
  const env = {
    POSTHORN_BOUNCE_DOMAIN: 'bounces.example.com',
    POSTHORN_INBOUND_SMTP_PORT: String(listener.port),
    ...OWN_HOSTS,
  };
  const report = await look(url, { env });
  const notOk = report.checks.filter(
    ({ status, id }) => status !== 'ok' && !/^(?:callback|database|relay|mta_sts)/.test(id),
  );
  assert.deepEqual(notOk, []);
  assert.match(finding(report, 'bounces').message, /came at 2026-11-20T10:00:00\.000Z/);
  assert.match(finding(report, 'return_path').message, /goes to mx\.example\.com/);
  assert.deepEqual(report.account, { host: '127.0.0.1', port: sink.port, tls: 'none', user: 'ann' });
  assert.equal(sink.count, 0, 'nothing is sent');
  assert.ok(!sink.commands.some((line) => /^MAIL/i.test(line)));
  assert.doesNotMatch(JSON.stringify(report), /secret/);
});

test('nobody listens', async () => {
  const report = await look('smtp://127.0.0.1:1');
  assertFound(report, 'connection', 'error', /No session with 127\.0\.0\.1:1/, /ECONNREFUSED/);
  assert.deepEqual([finding(report, 'tls').status, finding(report, 'sign_in').status], ['skipped', 'skipped']);
});

test('the server refuses the connection', async (test) => {
  const refusal = { at: 'connect', act: 'reply', reply: '554 5.7.1 your address is blocked' } as const;
  const sink = await aSink(test, { faults: { rules: [refusal] } });
  assertFound(await look(sink.url), 'connection', 'error', /answered the connection with a refusal/, /is blocked/);
});

test('the certificate is not good', async (test) => {
  const certificate = selfSignedCertificate();
  const server = new SMTPServer({ ...certificate, secure: true, authOptional: true });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  undoAfter(test, () => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  const url = `smtps://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const report = await look(url);
  assert.equal(finding(report, 'connection').status, 'ok');
  assertFound(report, 'tls', 'error', /the certificate is not good/, /self-signed/);
  const trusted = await look(url, { deps: { ca: certificate.cert } });
  assert.equal(finding(trusted, 'tls').message, 'Encrypted, and the certificate is good.');
});

test('the server does not offer the TLS that is asked for', async (test) => {
  const sink = await aSink(test);
  assertFound(await look(`${sink.url}?tls=starttls`), 'tls', 'error', /does not offer TLS/);
});

test('the connection to another machine is not encrypted', async (test) => {
  const sink = await aSink(test, { host: '0.0.0.0' });
  // An address of this machine that does not look like it.
  assertFound(await look(`smtp://0.0.0.0:${sink.port}?tls=none`), 'tls', 'warning', /unencrypted/);
});

test('user or password are wrong', async (test) => {
  const sink = await aSink(test, { auth: { user: 'ann', pass: 'secret' } });
  const report = await look(sink.url.replace('//', '//ann:hunter2@'));
  assertFound(report, 'sign_in', 'error', /does not take the user and password/, /^535/);
  assert.equal(finding(report, 'connection').status, 'ok');
  assert.doesNotMatch(JSON.stringify(report), /hunter2/);
});

test('the way back of bounces', async (test) => {
  const { url } = await aSink(test);
  const domain = { POSTHORN_BOUNCE_DOMAIN: 'bounces.example.com' };
  const mx = (resolveMx: NonNullable<NonNullable<Patient['deps']>['resolveMx']>) =>
    look(url, { env: domain, deps: { resolveMx } });
  assertFound(await look(url), 'return_path', 'warning', /POSTHORN_BOUNCE_DOMAIN is not set/);
  const none = async () => Promise.reject(Object.assign(new Error('queryMx ENODATA'), { code: 'ENODATA' }));
  assertFound(await mx(none), 'return_path', 'error', /bounces\.example\.com has no MX record/);
  assertFound(await mx(async () => [{ exchange: '', priority: 0 }]), 'return_path', 'error', /has no MX record/);
  const late = async () => Promise.reject(Object.assign(new Error('queryMx ETIMEOUT'), { code: 'ETIMEOUT' }));
  assert.equal(finding(await mx(late), 'return_path').status, 'skipped');
});

test('the listener for bounces', async (test) => {
  const { url } = await aSink(test);
  const port = (inbound: number) =>
    look(url, {
      env: { POSTHORN_BOUNCE_DOMAIN: 'bounces.example.com', POSTHORN_INBOUND_SMTP_PORT: String(inbound) },
    });
  assertFound(await port(0), 'listener', 'error', /is 0/);
  assertFound(await port(1), 'listener', 'warning', /No mail server greets/);
  const held: Socket[] = [];
  undoAfter(test, () => held.forEach((socket) => socket.destroy()));
  const silent = await listening(
    test,
    createServer((socket) => held.push(socket)),
  );
  assertFound(await port(silent), 'listener', 'warning', /No mail server greets/);
});

test('the records that domains are asked for', async (test) => {
  const { url } = await aSink(test);
  const inCloud = (env: Record<string, string> = {}) => look(url, { env: { POSTHORN_EDITION: 'cloud', ...env } });
  const both = /POSTHORN_SPF_HOST and POSTHORN_FEEDBACK_HOST are not set/;
  assertFound(await inCloud(), 'domain_records', 'warning', both, /include amazonses\.com/);
  assertFound(
    await inCloud({ POSTHORN_SPF_HOST: 'spf.example.com' }),
    'domain_records',
    'warning',
    /^POSTHORN_FEEDBACK_HOST is not set/,
  );
  assert.equal(
    finding(await inCloud(OWN_HOSTS), 'domain_records').message,
    'They name spf.example.com and bounces.example.com.',
  );
  const named = await inCloud({ POSTHORN_SENDER_DOMAINS: 'acme.example' });
  assert.equal(finding(named, 'domain_records').status, 'ok', 'the operator publishes the records');
  const selfHosted = await inCloud({ POSTHORN_EDITION: 'self-hosted' });
  assert.equal(finding(selfHosted, 'domain_records').status, 'ok', 'the self-hosted edition has none');
});

test('every trouble that can be found with SMTP was found here', () => {
  const all = CATALOGUE.smtp.flatMap(({ id, troubles }) => Object.keys(troubles).map((kind) => `${id}: ${kind}`));
  assert.deepEqual(
    all.filter((trouble) => !met.has(trouble) && !/^(?:callback|refusals): /.test(trouble)),
    [],
  );
});
