import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { connect as tlsConnect, type TLSSocket } from 'node:tls';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { freePort } from '../../../test/harness/posthorn-process.ts';
import { rawMime } from '../../../test/harness/raw-messages.ts';
import { signInTo } from '../../../test/harness/relay-client.ts';
import { converse, type SmtpConversation } from '../../../test/harness/smtp-conversation.ts';
import { until } from '../../../test/harness/until.ts';
import { selfSignedCertificate } from '#platform/smtp/self-signed-certificate.ts';

let api: TestApp;
let folder: string;
let relaysPort: number;
const sockets: Socket[] = [];
const first = aCertificate();
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-relay-certificate-'));
  await write(first, 0);
  relaysPort = await freePort();
  api = await createTestApp({
    relay: true,
    env: {
      POSTHORN_TLS_CERT: path.join(folder, 'cert.pem'),
      POSTHORN_TLS_KEY: path.join(folder, 'key.pem'),
      POSTHORN_SMTP_RELAYS_PORT: String(relaysPort),
      POSTHORN_SMTP_RELAY_ALLOW_INSECURE_AUTH: 'off',
    },
  });
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await api.close();
  await rm(folder, { recursive: true });
});

function aCertificate() {
  return selfSignedCertificate({ commonName: 'localhost', dnsNames: ['localhost'], now: new Date(), days: 30 });
}

/** As a program that renews does it: each file is replaced as a whole. Every writing has a time of its own. */
async function write(pair: { cert: string; key: string }, times: number): Promise<void> {
  for (const [name, text] of [
    ['cert.pem', pair.cert],
    ['key.pem', pair.key],
  ] as const) {
    const file = path.join(folder, name);
    await writeFile(`${file}.new`, text);
    const at = new Date(1_800_000_000_000 + times * 60_000);
    await utimes(`${file}.new`, at, at);
    await rename(`${file}.new`, file);
  }
}

/** A client that believes one certificate only, as one does that checks it. */
async function client(kind: 'STARTTLS' | 'TLS', ca: string): Promise<SmtpConversation> {
  const raw = connect(kind === 'TLS' ? relaysPort : api.relayPort, '127.0.0.1');
  sockets.push(raw);
  if (kind === 'STARTTLS') {
    const plain = converse(raw);
    await plain.reply();
    assert.doesNotMatch(await plain.say('EHLO client.example'), /AUTH/);
    assert.match(await plain.say('STARTTLS'), /^220/);
    raw.removeAllListeners('data');
  }
  const secure: TLSSocket = tlsConnect({ socket: raw, ca, servername: 'localhost' });
  sockets.push(secure);
  await once(secure, 'secureConnect');
  const one = converse(secure);
  if (kind === 'TLS') await one.reply();
  assert.match(await one.say('EHLO client.example'), /AUTH/);
  assert.match(await signInTo(one, api.key), /^235/);
  return one;
}

async function send(one: SmtpConversation, id: string): Promise<string> {
  for (const command of ['MAIL FROM:<hello@posthorn.test>', 'RCPT TO:<ada@example.com>', 'DATA'])
    await one.say(command);
  return one.say(`${rawMime('Hello\r\n').toString('latin1').replace('<4711@', `<${id}@`)}.`);
}

test('a renewed certificate is for new connections, and the old ones go on, in the middle of a message too', async () => {
  const [old, busy] = [await client('STARTTLS', first.cert), await client('TLS', first.cert)];
  for (const command of ['MAIL FROM:<hello@posthorn.test>', 'RCPT TO:<ada@example.com>', 'DATA'])
    await busy.say(command);
  busy.socket.write('From: hello@posthorn.test\r\nMessage-ID: <busy@client.test>\r\n');

  const second = aCertificate();
  await write(second, 1);
  api.clock.advance(30_000);
  await until('the new certificate', async () => {
    const one = await client('TLS', second.cert).catch(() => undefined);
    return one === undefined ? undefined : true;
  });

  for (const kind of ['STARTTLS', 'TLS'] as const) {
    assert.match(await send(await client(kind, second.cert), `new-${kind}`), /^250/);
    await assert.rejects(client(kind, first.cert), /self-signed certificate/);
  }
  assert.match(await busy.say('Subject: busy\r\n\r\nHello\r\n.'), /^250/);
  assert.match(await send(old, 'old'), /^250/);
  assert.match(await send(busy, 'busy-again'), /^250/);
});

test('files that do not fit together change nothing, and the log says so', async () => {
  const inUse = aCertificate();
  await write(inUse, 2);
  api.clock.advance(30_000);
  await until('the certificate in use', async () =>
    client('TLS', inUse.cert).then(
      () => true,
      () => undefined,
    ),
  );
  await write({ cert: aCertificate().cert, key: inUse.key }, 3);
  api.clock.advance(30_000);
  await until('the warning', async () => api.logged.some((line) => line.includes('the one before stays')) || undefined);
  assert.match(await send(await client('STARTTLS', inUse.cert), 'still'), /^250/);
});
