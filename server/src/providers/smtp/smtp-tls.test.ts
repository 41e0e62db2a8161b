import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createLog } from '#platform/log.ts';
import { anOutgoingMessage } from '../../../test/harness/outgoing-message.ts';
import { selfSignedCertificate } from '../../../test/harness/self-signed-certificate.ts';
import { startSmtpSink } from '../../../test/harness/smtp-sink.ts';
import type { Verdict } from '../email-provider.ts';
import { createSmtpProvider } from './smtp-provider.ts';
import type { SmtpSettings, TlsMode } from './smtp-settings.ts';

const log = createLog({ level: 'silent' });
const certificate = selfSignedCertificate();
const CREDENTIALS = { user: 'ann', pass: 'secret' };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Seen {
  port: number;
  secure: boolean[];
  users: string[];
  names: string[];
}

/** A server that none of us wrote. */
async function aServer(options: SMTPServerOptions = {}): Promise<Seen> {
  const seen: Seen = { port: 0, secure: [], users: [], names: [] };
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    disableReverseLookup: true,
    onAuth(auth, _session, callback) {
      seen.users.push(auth.username ?? '');
      callback(null, { user: auth.username ?? '' });
    },
    onData(stream, session, callback) {
      seen.secure.push(session.secure);
      seen.names.push(session.hostNameAppearsAs);
      stream.resume();
      stream.on('end', () => callback());
    },
    ...options,
  });
  server.on('error', () => undefined); // handshakes that fail are the point of some tests
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  seen.port = (server.server.address() as AddressInfo).port; // a listening TCP server has one
  closing.push(() => new Promise((resolve) => server.close(() => resolve())));
  return seen;
}

async function sendOver(
  port: number,
  tls: TlsMode,
  change: Partial<SmtpSettings> = {},
  ca?: string,
  message = anOutgoingMessage(),
): Promise<Verdict> {
  const settings = {
    host: 'localhost',
    port,
    tls,
    auth: null,
    connections: 2,
    messagesPerConnection: 9,
    ehloName: null,
  };
  const provider = createSmtpProvider({ ...settings, ...change }, ca === undefined ? { log } : { log, ca });
  await provider.start();
  closing.push(() => provider.stop());
  return provider.send(message, { deadlineMs: 5_000 });
}

test('implicit TLS and STARTTLS carry mail and credentials encrypted', async () => {
  for (const tls of ['implicit', 'starttls'] as const) {
    const seen = await aServer({ secure: tls === 'implicit' });
    const verdict = await sendOver(seen.port, tls, { auth: CREDENTIALS }, certificate.cert);
    assert.equal(verdict.kind, 'accepted', verdict.response);
    assert.partialDeepStrictEqual(seen, { secure: [true], users: ['ann'] });
  }
});

test('an encrypted server that takes 8-bit mail is known by what it offers once it is encrypted', async () => {
  const mime = Buffer.from('Subject: x\r\n\r\nGrüße\r\n');
  for (const tls of ['implicit', 'starttls'] as const) {
    for (const [hide8BITMIME, kind] of [
      [false, 'accepted'],
      [true, 'refused'],
    ] as const) {
      const seen = await aServer({ secure: tls === 'implicit', hide8BITMIME });
      const verdict = await sendOver(
        seen.port,
        tls,
        { auth: CREDENTIALS },
        certificate.cert,
        anOutgoingMessage({ mime }),
      );
      assert.equal(verdict.kind, kind, `${tls}: ${verdict.response}`);
    }
  }
});

test('a certificate that nobody vouches for is temporary, and nothing is said over it', async () => {
  for (const tls of ['implicit', 'starttls'] as const) {
    const seen = await aServer({ secure: tls === 'implicit' });
    const verdict = await sendOver(seen.port, tls, { auth: CREDENTIALS });
    assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: null, throttled: false });
    assert.match(verdict.response, /certificate/);
    assert.deepEqual([seen.secure, seen.users], [[], []]);
  }
});

test('a certificate for another name is temporary', async () => {
  const seen = await aServer({ secure: true });
  const verdict = await sendOver(seen.port, 'implicit', { host: '127.0.0.2' }, certificate.cert);
  assert.partialDeepStrictEqual(verdict, { kind: 'temporary' });
  assert.deepEqual(seen.secure, []);
});

test('STARTTLS wanted and not offered is temporary: mail never falls back to plain text', async () => {
  const seen = await aServer({ disabledCommands: ['STARTTLS'] });
  assert.partialDeepStrictEqual(await sendOver(seen.port, 'starttls'), { kind: 'temporary' });
  assert.deepEqual(seen.secure, []);
});

test('tls=auto encrypts when it can, whoever signed the certificate, and else goes in plain text', async () => {
  const able = await aServer();
  assert.equal((await sendOver(able.port, 'auto')).kind, 'accepted');
  assert.deepEqual(able.secure, [true]);
  const unable = await aServer({ disabledCommands: ['STARTTLS'] });
  assert.equal((await sendOver(unable.port, 'auto')).kind, 'accepted');
  assert.deepEqual(unable.secure, [false]);
});

test('tls=auto never says credentials in plain text', async () => {
  const seen = await aServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  const verdict = await sendOver(seen.port, 'auto', { auth: CREDENTIALS });
  assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: null });
  assert.match(verdict.response, /not sent unencrypted/);
  assert.deepEqual([seen.secure, seen.users], [[], []]);
});

test('tls=none does not use STARTTLS though it is offered', async () => {
  const seen = await aServer();
  assert.equal((await sendOver(seen.port, 'none')).kind, 'accepted');
  assert.deepEqual(seen.secure, [false]);
});

test('a server that speaks no TLS on a TLS port is temporary', async () => {
  const sink = await startSmtpSink();
  closing.push(() => sink.stop());
  assert.partialDeepStrictEqual(await sendOver(sink.port, 'implicit'), { kind: 'temporary', code: null });
});

test('EHLO says the name the operator gave', async () => {
  const seen = await aServer();
  await sendOver(seen.port, 'none', { ehloName: 'out.example.com' });
  assert.deepEqual(seen.names, ['out.example.com']);
});
