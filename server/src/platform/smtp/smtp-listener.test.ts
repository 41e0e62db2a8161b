import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { connect as tlsConnect } from 'node:tls';
import { converse, type SmtpConversation } from '../../../test/harness/smtp-conversation.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { until } from '../../../test/harness/until.ts';
import { type Clock, systemClock } from '../clock.ts';
import { BodyBudget } from '../http/body/body-budget.ts';
import { createLog } from '../log.ts';
import { fixedCertificate } from './certificate-files.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';
import { firstDestination, type MailDestination, type ReceivedMessage } from './mail-destination.ts';
import { createSmtpListener, type SmtpLimits, type SmtpListener } from './smtp-listener.ts';
import { SmtpReply } from './smtp-reply.ts';

const MESSAGE_BYTES = 10 * 1_024 * 1_024;
const log = createLog({ level: 'silent' });
const taken: ReceivedMessage[] = [];
const running: SmtpListener[] = [];
const clients: Socket[] = [];
let trouble: Error | null = null;
const tls = selfSignedCertificate({
  commonName: 'mx',
  dnsNames: ['mx.example.com'],
  now: new Date(performance.timeOrigin + performance.now()),
  days: 1,
});

let listener: SmtpListener;
before(async () => {
  listener = await listening();
});
afterEach(() => {
  taken.length = 0;
  trouble = null;
  for (const socket of clients.splice(0)) socket.destroy();
});
after(async () => {
  for (const one of running) await one.stop();
});

type Given = Partial<SmtpLimits & Omit<MailDestination, 'key' | 'accept'>>;

async function listening(given: Given = {}, clock: Clock = systemClock): Promise<SmtpListener> {
  const { recipientsMax, messageBytes, keepBytes, hold, ...limits } = given;
  const destination: MailDestination = {
    key: 'ada',
    recipientsMax: recipientsMax ?? 10,
    messageBytes: messageBytes ?? MESSAGE_BYTES,
    keepBytes: keepBytes ?? MESSAGE_BYTES,
    ...(hold === undefined ? {} : { hold }),
    async accept(message) {
      if (trouble !== null) throw trouble;
      taken.push(message);
    },
  };
  const made = createSmtpListener({
    name: 'test',
    log,
    clock,
    host: '127.0.0.1',
    port: 0,
    hostname: 'mx.example.com',
    certificate: fixedCertificate(tls),
    limits: { finishMs: 300, ...limits },
    messageBytes: MESSAGE_BYTES,
    async destinationOf(address) {
      if (address.startsWith('bob')) return { ...destination, key: 'bob' };
      if (!address.startsWith('ada')) throw new SmtpReply(550, 'No such address', '5.1.1');
      return destination;
    },
  });
  running.push(made);
  await made.start();
  return made;
}

async function client(to = listener): Promise<SmtpConversation> {
  const socket = createConnection(to.port, '127.0.0.1');
  clients.push(socket);
  await once(socket, 'connect');
  return converse(socket);
}

async function greeted(to = listener): Promise<SmtpConversation> {
  const one = await client(to);
  assert.match(await one.reply(), /^220 mx\.example\.com ESMTP/);
  await one.say('EHLO client.example');
  return one;
}

async function inData(to = listener): Promise<SmtpConversation> {
  const one = await greeted(to);
  assert.match(await one.say('MAIL FROM:<>'), /^250/);
  assert.match(await one.say('RCPT TO:<ada@example.com>'), /^250/);
  assert.match(await one.say('DATA'), /^354/);
  return one;
}

test('a message is taken as it came, and answered when it was taken', async () => {
  const one = await inData();
  assert.match(await one.say('Subject: x\r\n\r\n..dot\r\n8bit \xe9\r\n.'), /^250 2\.6\.0 Stored|^250 2\.0\.0 Stored/);
  assert.equal(taken.length, 1);
  assert.deepEqual([taken[0]?.from, taken[0]?.to, taken[0]?.address], ['', ['ada@example.com'], '127.0.0.1']);
  assert.equal(taken[0]?.raw.toString(), 'Subject: x\r\n\r\n.dot\r\n8bit \xe9\r\n');
  assert.match(await one.say('MAIL FROM:<bob@example.net>'), /^250/, 'and another may follow');
});

test('it offers encryption and size, and neither logging in nor addresses in other scripts', async () => {
  const one = await client();
  await one.reply();
  const offered = await one.say('EHLO client.example');
  assert.match(offered, /STARTTLS/);
  assert.match(offered, /SIZE 10485760/);
  assert.doesNotMatch(offered, /AUTH|SMTPUTF8|XCLIENT|XFORWARD/);
  for (const line of ['AUTH PLAIN AGEAYg==', 'XCLIENT ADDR=192.0.2.9', 'WIZ x', 'SHELL', 'KILL'])
    assert.match(await one.say(line), /^50[02]/, line);
});

test('STARTTLS gives the certificate it was told, by TLS 1.2 or later', async () => {
  const one = await greeted();
  assert.match(await one.say('STARTTLS'), /^220/);
  one.socket.removeAllListeners('data');
  const secure = tlsConnect({ socket: one.socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  assert.equal(secure.getPeerX509Certificate()?.subjectAltName, 'DNS:mx.example.com');
  assert.match(secure.getProtocol() ?? '', /TLSv1\.[23]/);
  const inside = converse(secure);
  await inside.say('EHLO client.example');
  assert.match(await inside.say('MAIL FROM:<>'), /^250/);
  secure.destroy();
});

test('commands sent in the clear together with STARTTLS are not obeyed', async () => {
  const one = await greeted();
  assert.match(await one.say('STARTTLS\r\nMAIL FROM:<evil@example.net>'), /^220/);
  one.socket.removeAllListeners('data');
  const secure = tlsConnect({ socket: one.socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const inside = converse(secure);
  await inside.say('EHLO client.example');
  assert.match(await inside.say('RCPT TO:<ada@example.com>'), /^503/);
  secure.destroy();
});

test('550 for an address that is none, and the end for somebody who tries many', async () => {
  const one = await greeted(await listening({ wrongRecipients: 3 }));
  await one.say('MAIL FROM:<>');
  assert.equal(await one.say('RCPT TO:<eve@example.com>'), '550 5.1.1 No such address');
  assert.match(await one.say('RCPT TO:<ada@example.com>'), /^250/);
  assert.match(await one.say('RCPT TO:<eve@example.com>'), /^550/);
  assert.match(await one.say('RCPT TO:<eve@example.com>'), /^421/);
  assert.equal(await one.reply(), '');
});

test('452 for more recipients than a message may have', async () => {
  const one = await greeted(await listening({ recipientsMax: 2 }));
  await one.say('MAIL FROM:<>');
  for (const n of [1, 2]) assert.match(await one.say(`RCPT TO:<ada${n}@example.com>`), /^250/);
  assert.match(await one.say('RCPT TO:<ada3@example.com>'), /^452/);
});

test('452 for a recipient of another destination, which may come in a message of its own', async () => {
  const one = await greeted();
  await one.say('MAIL FROM:<>');
  assert.match(await one.say('RCPT TO:<ada@example.com>'), /^250/);
  assert.equal(await one.say('RCPT TO:<bob@example.com>'), '452 4.5.3 One domain at a time, give this one later');
  await one.say('DATA');
  assert.match(await one.say('x\r\n.'), /^250/);
  assert.deepEqual(taken[0]?.to, ['ada@example.com']);
  await one.say('MAIL FROM:<>');
  assert.match(await one.say('RCPT TO:<bob@example.com>'), /^250/);
});

test('452 when there is no room for the bytes of a message, and all of it is given back', async () => {
  const budget = new BodyBudget({ bytesMax: 3_000_000, bodyBytesMax: 1_500_000 });
  const other = budget.take('other', 2_000_000);
  const full = await listening({ hold: (bytes) => budget.take('ada', bytes) });
  const one = await inData(full);
  assert.match(await one.say(`${'x'.repeat(1_200_000)}\r\n.`), /^452 4\.3\.1/);
  assert.deepEqual(taken, []);
  other?.release();
  await one.say('MAIL FROM:<>');
  await one.say('RCPT TO:<ada@example.com>');
  await one.say('DATA');
  assert.match(await one.say(`${'x'.repeat(1_200_000)}\r\n.`), /^250/);
  assert.equal(budget.held, 0);
});

test('the room of a message that has none is given back at once, and not when the other side ends', async () => {
  const budget = new BodyBudget({ bytesMax: 3_000_000, bodyBytesMax: 1_500_000 });
  budget.take('other', 2_000_000);
  let isRefused = false;
  const hold = (bytes: number) => {
    const held = budget.take('ada', bytes);
    const grow = (more: number): boolean => {
      isRefused ||= held?.grow(more) === false;
      return !isRefused;
    };
    return held && { ...held, grow };
  };
  const stalled = await inData(await listening({ hold }));
  stalled.socket.write('x'.repeat(1_200_000));
  await until('there is no room', async () => (isRefused ? true : undefined));
  assert.equal(budget.held, 2_000_000);
  assert.match(await stalled.say('\r\n.'), /^452 4\.3\.1/);
});

test('451 while a message cannot be taken, and what was refused by name is refused', async () => {
  trouble = new Error('the database is away: postgres://secret');
  const one = await inData();
  const answer = await one.say('x\r\n.');
  assert.match(answer, /^451/);
  assert.doesNotMatch(answer, /secret/);
  trouble = new SmtpReply(550, 'Not about us', '5.7.1');
  await one.say('MAIL FROM:<>');
  await one.say('RCPT TO:<ada@example.com>');
  await one.say('DATA');
  assert.match(await one.say('x\r\n.'), /^550 .*Not about us/);
  assert.deepEqual(taken, []);
});

test('552 for a message over the limit, and no more than was agreed is kept of one below it', async () => {
  const small = await listening({ messageBytes: 1_000, keepBytes: 100 });
  const large = await inData(small);
  assert.match(await large.say(`${'x'.repeat(2_000)}\r\n.`), /^552/);
  assert.equal(taken.length, 0);
  const one = await inData(small);
  assert.match(await one.say(`${'y'.repeat(500)}\r\n.`), /^250/);
  assert.equal(taken[0]?.raw.toString(), 'y'.repeat(100));
});

const fakeEnds = [
  '\n.\n',
  '\n.\r',
  '\r.\n',
  '\r.\r',
  '\n.\r\n',
  '\r.\r\n',
  '\r\n.\r\r\n',
  '\r\r\n.\r\r\n',
  '\r\n\0.\r\n',
];
for (const end of fakeEnds)
  test(`no second message is smuggled in behind ${JSON.stringify(end)}`, async () => {
    const one = await inData();
    const inner = 'MAIL FROM:<evil@example.net>\r\nRCPT TO:<ada2@example.com>\r\nDATA\r\nSubject: smuggled\r\n';
    const answer = await one.say(Buffer.from(`Subject: x\r\n\r\nfirst${end}${inner}\r\n.\r\n`, 'latin1'));
    assert.match(answer, /^250/);
    assert.equal(taken.length, 1);
    assert.deepEqual(taken[0]?.to, ['ada@example.com']);
    assert.match(taken[0]?.raw.toString('latin1') ?? '', /smuggled/);
  });

test('421 for more sessions of one peer than it may have; when one ends, another may come', async () => {
  const two = await listening({ sessionsOfPeer: 2 });
  const first = await greeted(two);
  await greeted(two);
  assert.match(await (await client(two)).reply(), /^421/);
  const ended = two.moments.sessionEnded.next();
  first.socket.destroy();
  await ended;
  while (!(await (await client(two)).reply()).startsWith('220'));
});

test('421 for more sessions than there may be', async () => {
  const two = await listening({ sessions: 1 });
  await greeted(two);
  assert.match(await (await client(two)).reply(), /^421/);
});

test('a silent client is disconnected', async () => {
  const impatient = await listening({ idleMs: 400 });
  const one = await greeted(impatient);
  assert.match(await one.reply(), /^421/);
});

test('neither drops of a message nor commands without end make a session longer', async () => {
  const clock = createTestClock({ held: true });
  const strict = await listening({ sessionMs: 60_000 }, clock);
  const dripping = await inData(strict);
  const busy = await greeted(strict);
  for (let seconds = 1; seconds < 60; seconds += 1) {
    clock.advance(1_000);
    dripping.socket.write('x');
    assert.match(await busy.say('NOOP'), /^250/, `after ${seconds} s`);
  }
  clock.advance(1_000);
  assert.match(await dripping.reply(), /^421/);
  assert.match(await busy.reply(), /^421/);
  assert.deepEqual(taken, []);
});

test('a handshake that never ends takes neither the session nor the process beyond their time', async () => {
  const clock = createTestClock({ held: true });
  const strict = await listening({ sessionMs: 60_000 }, clock);
  const one = await greeted(strict);
  assert.match(await one.say('STARTTLS'), /^220/);
  const ended = strict.moments.sessionEnded.next();
  one.socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02]));
  clock.advance(60_000);
  await ended;
  await greeted(strict);
});

test('a client that talks before the greeting, or speaks HTTP, is disconnected', async () => {
  // The greeting is a tenth of a second away, and a machine that is busy may let it go first.
  const early = async (): Promise<string> => (await client()).say('EHLO client.example');
  await until('the end of who talks first', async () => ((await early()).startsWith('421') ? true : undefined));
  const browser = await greeted();
  assert.match(await browser.say('POST / HTTP/1.1'), /^421/);
});

test('a sender that goes in the middle of a message leaves nothing behind', async () => {
  const one = await inData();
  const ended = listener.moments.sessionEnded.next();
  one.socket.end('Subject: half');
  one.socket.destroy();
  await ended;
  assert.deepEqual(taken, []);
});

test('it stops at once for those who wait, and finishes what is in hand', async () => {
  const own = await listening({ finishMs: 5_000 });
  const idle = await greeted(own);
  const sending = await inData(own);
  const stopped = own.stop();
  assert.match(await idle.reply(), /^421/);
  assert.match(await sending.say('x\r\n.'), /^250/);
  sending.socket.end();
  idle.socket.end();
  await stopped;
  assert.equal(taken.length, 1);
  await own.stop();
  await assert.rejects(once(createConnection(own.port, '127.0.0.1'), 'connect'));
});

test('a port that is taken is said at the start', async () => {
  const second = createSmtpListener({
    name: 'second',
    log,
    clock: systemClock,
    host: '127.0.0.1',
    port: listener.port,
    hostname: 'mx',
    certificate: null,
    messageBytes: MESSAGE_BYTES,
    destinationOf: firstDestination([]),
  });
  await assert.rejects(second.start(), /EADDRINUSE/);
});

test('without a certificate it does not offer STARTTLS', async () => {
  const plain = createSmtpListener({
    name: 'plain',
    log,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    hostname: 'mx',
    certificate: null,
    messageBytes: MESSAGE_BYTES,
    destinationOf: firstDestination([]),
  });
  running.push(plain);
  await plain.start();
  const one = await client(plain);
  await one.reply();
  assert.doesNotMatch(await one.say('EHLO client.example'), /STARTTLS/);
  assert.match(await one.say('STARTTLS'), /^50/);
});
