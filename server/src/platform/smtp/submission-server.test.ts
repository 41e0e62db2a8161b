import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { connect as tlsConnect } from 'node:tls';
import { converse, type SmtpConversation } from '../../../test/harness/smtp-conversation.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { type Clock, systemClock } from '../clock.ts';
import { BodyBudget } from '../http/body/body-budget.ts';
import { createLog } from '../log.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';
import { SmtpReply } from './smtp-reply.ts';
import type { Refusal } from './submission-connection.ts';
import type { SubmissionLimits, SubmittedMessage } from './submission-rules.ts';
import { createSubmissionServer, type SubmissionServer } from './submission-server.ts';

const MB = 1_048_576;
const logged: string[] = [];
const log = createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
const taken: SubmittedMessage[] = [];
const peers: string[] = [];
const refusals: Refusal[] = [];
const running: SubmissionServer[] = [];
const clients: Socket[] = [];
let budget = new BodyBudget({ bytesMax: 128 * MB, bodyBytesMax: 40 * MB });
let accepting: () => Promise<void> = async () => undefined;
const certificateFor = (name: string) =>
  selfSignedCertificate({
    commonName: 'relay',
    dnsNames: [name],
    now: new Date(performance.timeOrigin + performance.now()),
    days: 1,
  });
let renew: (changed: { cert: string; key: string }) => void = () => undefined;

interface Given {
  limits?: Partial<SubmissionLimits>;
  clock?: Clock;
  inClear?: boolean;
  trusted?: boolean;
}

async function listening({ limits = {}, clock = systemClock, inClear = true, trusted = false }: Given = {}) {
  const server = createSubmissionServer<string>({
    name: 'test',
    log,
    clock,
    host: '127.0.0.1',
    ports: { startTls: 0, implicitTls: 0 },
    hostname: 'relay.example.com',
    certificate: {
      read: async () => certificateFor('relay.example.com'),
      watch: (onChange) => {
        renew = onChange;
        return { cancel: () => undefined };
      },
    },
    isTrustedProxy: () => trusted,
    mayAuthInClear: () => inClear,
    limits: { finishMs: 300, ...limits },
    rules: {
      async signIn(peer, password) {
        peers.push(peer.address);
        if (password !== 'right') throw new SmtpReply(535, 'No such key', '5.7.8');
        return 'ada';
      },
      async checkSender(_user, _peer, address) {
        if (address.endsWith('@other.example')) throw new SmtpReply(550, 'Not your domain', '5.7.1');
      },
      checkRecipient(address) {
        if (address.startsWith('nobody')) throw new SmtpReply(553, 'Not an address', '5.1.3');
      },
      hold: (user, bytes) => budget.take(user, bytes),
      async accept(_user, _peer, message) {
        await accepting();
        taken.push(message);
        return 'Queued as 1';
      },
      onRefusal: (_user, _peer, refusal) => void refusals.push(refusal),
      onEnded: () => undefined,
    },
  });
  running.push(server);
  await server.start();
  return server;
}

let server: SubmissionServer;
before(async () => {
  server = await listening();
});
afterEach(() => {
  for (const list of [taken, peers, refusals, logged]) list.length = 0;
  for (const socket of clients.splice(0)) socket.destroy();
  accepting = async () => undefined;
});
after(async () => {
  for (const one of running) await one.stop();
});

const LOGIN = `AUTH PLAIN ${Buffer.from('\0apikey\0right').toString('base64')}`;
const WRONG = `AUTH PLAIN ${Buffer.from('\0apikey\0wrong').toString('base64')}`;

async function connected(port: number | null): Promise<Socket> {
  const socket = createConnection(port ?? 0, '127.0.0.1');
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function greeted(to = server): Promise<SmtpConversation> {
  const one = converse(await connected(to.ports.startTls));
  assert.match(await one.reply(), /^220 relay\.example\.com ESMTP/);
  await one.say('EHLO client.example');
  return one;
}

async function signedIn(to = server): Promise<SmtpConversation> {
  const one = await greeted(to);
  assert.match(await one.say(LOGIN), /^235 2\.7\.0/);
  return one;
}

async function inData(to = server, from = 'MAIL FROM:<hello@acme.example>'): Promise<SmtpConversation> {
  const one = await signedIn(to);
  assert.match(await one.say(from), /^250 2\.1\.0/);
  assert.match(await one.say('RCPT TO:<ada@example.com>'), /^250 2\.1\.5/);
  assert.match(await one.say('DATA'), /^354/);
  return one;
}

async function overTls(raw: SmtpConversation): Promise<SmtpConversation> {
  raw.socket.removeAllListeners('data');
  const secure = tlsConnect({ socket: raw.socket, rejectUnauthorized: false });
  clients.push(secure);
  await once(secure, 'secureConnect');
  return converse(secure);
}

test('a message is taken as it came, for the addresses of its envelope', async () => {
  const one = await inData();
  assert.equal(await one.say('Subject: x\r\n\r\n..dot\r\n.'), '250 2.0.0 Queued as 1');
  assert.deepEqual(taken, [
    { from: 'hello@acme.example', to: ['ada@example.com'], bytes: Buffer.from('Subject: x\r\n\r\n.dot\r\n') },
  ]);
});

test('530 before a password, and 535 for a wrong one; the fifth ends the session', async () => {
  const one = await greeted();
  assert.match(await one.say('MAIL FROM:<hello@acme.example>'), /^530 5\.7\.0/);
  for (let n = 1; n < 5; n += 1) assert.equal(await one.say(WRONG), '535 5.7.8 No such key');
  assert.match(await one.say(WRONG), /^421 4\.7\.0/);
  assert.equal(await one.reply(), '');
});

test('AUTH LOGIN asks for both parts, and a star gives up', async () => {
  const one = await greeted();
  assert.match(await one.say('AUTH LOGIN'), /^334/);
  assert.match(await one.say(Buffer.from('apikey').toString('base64')), /^334/);
  assert.match(await one.say('*'), /^501/);
  assert.match(await one.say('AUTH LOGIN'), /^334/);
  await one.say('YXBpa2V5');
  assert.match(await one.say(Buffer.from('right').toString('base64')), /^235/);
});

test('no password is asked for or taken without encryption where that is not allowed', async () => {
  const strict = await listening({ inClear: false });
  const raw = converse(await connected(strict.ports.startTls));
  await raw.reply();
  assert.doesNotMatch(await raw.say('EHLO client.example'), /AUTH/);
  assert.match(await raw.say(LOGIN), /^538 5\.7\.11/);
  assert.match(await raw.say('MAIL FROM:<hello@acme.example>'), /^530/);
  assert.deepEqual(peers, []);
  assert.match(await raw.say('STARTTLS'), /^220/);
  const inside = await overTls(raw);
  assert.match(await inside.say('EHLO client.example'), /AUTH PLAIN LOGIN|AUTH LOGIN PLAIN/);
  assert.match(await inside.say(LOGIN), /^235/);
});

test('on the other port TLS begins with the first byte', async () => {
  const secure = tlsConnect({ port: server.ports.implicitTls ?? 0, host: '127.0.0.1', rejectUnauthorized: false });
  clients.push(secure);
  await once(secure, 'secureConnect');
  const one = converse(secure);
  assert.match(await one.reply(), /^220/);
  assert.match(await one.say('EHLO client.example'), /AUTH/);
  assert.match(await one.say(LOGIN), /^235/);
});

test('commands sent in the clear together with STARTTLS are not obeyed', async () => {
  const raw = await greeted();
  assert.match(await raw.say(`STARTTLS\r\n${LOGIN}\r\nMAIL FROM:<evil@acme.example>`), /^220/);
  const inside = await overTls(raw);
  await inside.say('EHLO client.example');
  assert.match(await inside.say('RCPT TO:<ada@example.com>'), /^530/);
  assert.deepEqual(peers, []);
});

test('a session that signed in before STARTTLS has to sign in again', async () => {
  const raw = await signedIn();
  assert.match(await raw.say('STARTTLS'), /^220/);
  const inside = await overTls(raw);
  await inside.say('EHLO client.example');
  assert.match(await inside.say('MAIL FROM:<hello@acme.example>'), /^530/);
});

test('refusals have the status that their author gave them, and are told', async () => {
  const one = await signedIn();
  assert.equal(await one.say('MAIL FROM:<a@other.example>'), '550 5.7.1 Not your domain');
  assert.match(await one.say('MAIL FROM:<a@acme.example> SIZE=99999999999'), /^552 5\.3\.4/);
  assert.match(await one.say('MAIL FROM:<a@acme.example> SIZE=abc'), /^501/);
  assert.match(await one.say('MAIL FROM:<a@acme.example> WHATEVER=1'), /^555 5\.5\.4/);
  await one.say('MAIL FROM:<a@acme.example>');
  assert.equal(await one.say('RCPT TO:<nobody@example.com>'), '553 5.1.3 Not an address');
  assert.deepEqual(
    refusals.filter(({ code }) => code === 550 || code === 553),
    [
      { stage: 'MAIL', code: 550, status: '5.7.1', text: 'Not your domain' },
      { stage: 'RCPT', code: 553, status: '5.1.3', text: 'Not an address' },
    ],
  );
});

test('452 for more than 50 recipients; the same one twice is one', async () => {
  const one = await signedIn();
  await one.say('MAIL FROM:<>');
  for (let n = 0; n < 50; n += 1) await one.say(`RCPT TO:<a${n}@example.com>`);
  assert.match(await one.say('RCPT TO:<A0@example.com>'), /^250/);
  assert.match(await one.say('RCPT TO:<more@example.com>'), /^452 4\.5\.3/);
  await one.say('DATA');
  await one.say('x\r\n.');
  assert.equal(taken[0]?.to.length, 50);
});

test('a client that is refused a thousand times is sent away', async () => {
  const few = await listening({ limits: { refusals: 3 } });
  const one = await signedIn(few);
  for (let n = 0; n < 2; n += 1) assert.match(await one.say('RCPT TO:<ada@example.com>'), /^503/);
  assert.match(await one.say('RCPT TO:<ada@example.com>'), /^503/);
  assert.match(await one.reply(), /^421 4\.7\.0/);
});

test('552 for a message over the limit, whatever its size was said to be', async () => {
  const small = await listening({ limits: { messageBytes: 1_000 } });
  const one = await inData(small, 'MAIL FROM:<hello@acme.example> SIZE=10');
  assert.match(await one.say(`${'x'.repeat(1_500)}\r\n.`), /^552 5\.3\.4/);
  assert.deepEqual(taken, []);
});

test('a message without an end is cut off at twice the limit', async () => {
  const small = await listening({ limits: { messageBytes: 1_000 } });
  const one = await inData(small);
  assert.match(await one.say('x'.repeat(70_000)), /^421 4\.3\.4/);
});

test('452 while the room for messages is taken, before the message when its size is said, and none is lost', async () => {
  budget = new BodyBudget({ bytesMax: MB, bodyBytesMax: MB });
  const other = budget.take('somebody', MB - 500);
  const one = await signedIn();
  await one.say('MAIL FROM:<hello@acme.example> SIZE=2000');
  await one.say('RCPT TO:<ada@example.com>');
  assert.match(await one.say('DATA'), /^452 4\.3\.1/);
  await one.say('RSET');
  await one.say('MAIL FROM:<hello@acme.example>');
  await one.say('RCPT TO:<ada@example.com>');
  assert.match(await one.say('DATA'), /^354/);
  assert.match(await one.say(`${'x'.repeat(2_000)}\r\n.`), /^452 4\.3\.1/);
  other?.release();
  await one.say('MAIL FROM:<hello@acme.example> SIZE=2000');
  await one.say('RCPT TO:<ada@example.com>');
  await one.say('DATA');
  assert.match(await one.say(`${'x'.repeat(2_000)}\r\n.`), /^250/);
  assert.equal(budget.held, 0);
  budget = new BodyBudget({ bytesMax: 128 * MB, bodyBytesMax: 40 * MB });
});

test('451 while a message cannot be taken, without the reason; the log has it', async () => {
  accepting = async () => {
    throw new Error('the database is away: postgres://secret');
  };
  const one = await inData();
  const answer = await one.say('x\r\n.');
  assert.match(answer, /^451 4\.3\.0/);
  assert.doesNotMatch(answer, /secret/);
  assert.match(logged.join(''), /the database is away/);
});

test('a sender that goes in the middle of a message leaves nothing behind, and gives its room back', async () => {
  const one = await inData();
  const ended = server.moments.sessionEnded.next();
  one.socket.write('x'.repeat(5_000));
  one.socket.end();
  one.socket.destroy();
  await ended;
  assert.deepEqual([taken, budget.held, logged], [[], 0, []]);
});

test('neither drops of a message nor commands without end make a session longer', async () => {
  const clock = createTestClock({ held: true });
  const strict = await listening({ clock, limits: { messageMs: 60_000 } });
  const dripping = await inData(strict);
  const busy = await signedIn(strict);
  for (let seconds = 1; seconds < 60; seconds += 1) {
    clock.advance(1_000);
    dripping.socket.write('x');
    assert.match(await busy.say('NOOP'), /^250/);
  }
  clock.advance(1_000);
  assert.match(await dripping.reply(), /^421 4\.4\.2/);
  assert.match(await busy.reply(), /^421 4\.4\.2/);
  assert.deepEqual(taken, []);
});

test('a client that does not sign in is sent away after a minute, and so is a handshake that never ends', async () => {
  const clock = createTestClock({ held: true });
  const strict = await listening({ clock });
  const idle = await greeted(strict);
  const half = await connected(strict.ports.implicitTls);
  half.write(Buffer.from([0x16, 0x03, 0x01, 0x02]));
  const gone = once(half, 'close');
  clock.advance(60_000);
  assert.match(await idle.reply(), /^421 4\.4\.2/);
  await gone;
});

test('421 for more sessions of one peer than it may have; when one ends, another may come', async () => {
  const one = await listening({ limits: { sessionsOfPeer: 1 } });
  const first = await greeted(one);
  const second = converse(await connected(one.ports.startTls));
  assert.match(await second.reply(), /^421 4\.7\.0/);
  const ended = one.moments.sessionEnded.next();
  first.socket.destroy();
  await ended;
  await greeted(one);
});

test('at the end, 421 for those who wait, and what is in hand is answered first', async () => {
  const own = await listening({ limits: { finishMs: 5_000 } });
  const idle = await signedIn(own);
  const sending = await inData(own);
  const stopped = own.stop();
  assert.match(await idle.reply(), /^421 4\.3\.2/);
  assert.match(await sending.say('x\r\n.'), /^250/);
  assert.match(await sending.reply(), /^421 4\.3\.2/);
  await stopped;
  assert.equal(taken.length, 1);
});

test('a renewed certificate serves the next handshake, without a restart', async () => {
  const own = await listening();
  renew(certificateFor('renewed.example.com'));
  for (const start of ['startTls', 'implicitTls'] as const) {
    const raw = start === 'startTls' ? await greeted(own) : undefined;
    if (raw !== undefined) await raw.say('STARTTLS');
    raw?.socket.removeAllListeners('data');
    const socket = raw?.socket ?? (await connected(own.ports.implicitTls));
    const secure = tlsConnect({ socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    assert.equal(secure.getPeerX509Certificate()?.subjectAltName, 'DNS:renewed.example.com');
    secure.destroy();
  }
});

test('a trusted proxy says whose connection it is, on both ports and in both versions', async () => {
  const own = await listening({ trusted: true });
  const v1 = converse(await connected(own.ports.startTls));
  v1.socket.write('PROXY TCP4 203.0.113.7 192.0.2.1 4711 587\r\n');
  assert.match(await v1.reply(), /^220/);
  await v1.say('EHLO x');
  await v1.say(LOGIN);
  const raw = await connected(own.ports.implicitTls);
  const address = Buffer.concat([Buffer.from('20010db8'.padEnd(31, '0') + '7', 'hex'), Buffer.alloc(20)]);
  raw.write(Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x21\0\x24', 'latin1'), address]));
  const secure = tlsConnect({ socket: raw, rejectUnauthorized: false });
  clients.push(secure);
  await once(secure, 'secureConnect');
  const v2 = converse(secure);
  await v2.reply();
  await v2.say('EHLO x');
  await v2.say(LOGIN);
  const plain = converse(await connected(own.ports.startTls));
  assert.match(await plain.reply(), /^220/, 'a client of its own at the same address');
  assert.deepEqual(peers, ['203.0.113.7', '2001:db8::7']);
  const wrong = converse(await connected(own.ports.startTls));
  wrong.socket.write('PROXY TCP4 nonsense\r\n');
  assert.equal(await wrong.reply(), '');
});

test('nobody else may say so', async () => {
  const one = converse(await connected(server.ports.startTls));
  one.socket.write('PROXY TCP4 203.0.113.7 192.0.2.1 4711 587\r\n');
  assert.match(await one.reply(), /^421|^220/);
  await one.say('EHLO x');
  await one.say(LOGIN);
  assert.ok(!peers.includes('203.0.113.7'));
});

test('a port in use is told, and taken when it is free', async () => {
  const clock = createTestClock({ held: true });
  const blocked = createSubmissionServer<string>({
    ...optionsOf(server.ports.startTls ?? 0),
    clock,
  });
  running.push(blocked);
  await blocked.start();
  assert.match(logged.join(''), /is in use by another program.*POSTHORN_SMTP_RELAY_PORT/);
  assert.equal(blocked.ports.startTls, null);
  await server.stop();
  clock.advance(5_000);
  await once(await connectedSoon(blocked), 'data');
});

function optionsOf(port: number) {
  return {
    name: 'blocked',
    log,
    host: '127.0.0.1',
    ports: { startTls: port, implicitTls: null },
    hostname: 'relay.example.com',
    certificate: { read: async () => certificateFor('x.example'), watch: () => ({ cancel: () => undefined }) },
    isTrustedProxy: () => false,
    mayAuthInClear: () => true,
    rules: {
      signIn: async () => 'ada',
      checkSender: async () => undefined,
      checkRecipient: () => undefined,
      hold: () => undefined,
      accept: async () => '',
      onRefusal: () => undefined,
      onEnded: () => undefined,
    },
  };
}

async function connectedSoon(to: SubmissionServer): Promise<Socket> {
  while (to.ports.startTls === null) await new Promise(setImmediate);
  return connected(to.ports.startTls);
}
