import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectRawMessage } from '../byte-gate.ts';
import { RawMessageError } from './raw-message-error.ts';
import { type RawChanges, readRawMessage } from './read-raw-message.ts';

const date = new Date('2026-11-22T10:00:00Z');
const changes: RawChanges = { date, newMessageId: (domain) => `<new@${domain}>` };
const read = (text: string | Buffer, more: Partial<RawChanges> = {}) =>
  readRawMessage(typeof text === 'string' ? Buffer.from(text, 'latin1') : text, { ...changes, ...more });

const head = [
  'Date: Sun, 22 Nov 2026 09:00:00 +0000',
  'Message-ID: <1@client.acme.test>',
  'From: Acme <hello@acme.test>',
  'Subject: Hi',
];
const message = (lines: readonly string[] = head, body = 'Hello\r\n') => `${lines.join('\r\n')}\r\n\r\n${body}`;
const without = (name: string) => head.filter((line) => !line.startsWith(name));
const from = (value: string) => message([...without('From'), `From: ${value}`]);

async function problemOf(text: string | Buffer): Promise<string> {
  try {
    await read(text);
  } catch (error) {
    assert.ok(error instanceof RawMessageError, String(error));
    return error.message;
  }
  return 'accepted';
}

test('a message that lacks nothing is taken byte for byte', async () => {
  for (const given of [
    message(),
    message(head, ''),
    message(head, '.\r\n..\r\n\r\n\r\n'),
    message(head, 'Gr\xc3\xbc\xc3\x9fe \xff\r\n'),
    message(head, `${'x'.repeat(998)}\r\n`),
    message([...head, 'X-Odd:no space', 'X-Tab:\tvalue \t ', 'X-Folded: a', '\tb', '  c', 'X-Empty:']),
    message([
      ...head,
      'To: someone@elsewhere.test',
      'Received: by a',
      'Received: by b',
      'DKIM-Signature: v=1; d=x.test',
    ]),
  ])
    assert.equal((await read(given)).mime.toString('latin1'), given);
});

test('Bcc, Return-Path and fields that steer a provider are taken out, folded lines with them', async () => {
  const taken = [
    'Bcc: secret@example.com,',
    ' other@example.com',
    'RESENT-BCC: x@example.com',
    'Return-Path: <x@example.com>',
    'X-SES-MESSAGE-TAGS: posthorn_email=1',
    'X-Posthorn-Email: 1',
    'X-Service-Tags: a=b',
  ];
  const [first = '', ...others] = head;
  const given = message([first, ...taken, ...others, 'X-Kept: 1'], 'Bcc: in the body\r\n');
  const { mime } = await read(given, { isRemoved: (name) => name.startsWith('x-service-') });
  assert.equal(mime.toString('latin1'), message([...head, 'X-Kept: 1'], 'Bcc: in the body\r\n'));
});

test('Date and Message-ID are added behind the last field when they are missing or empty', async () => {
  const rest = ['From: hello@acme.test', 'Subject: Hi'];
  const added = ['Date: Sun, 22 Nov 2026 10:00:00 +0000', 'Message-ID: <new@acme.test>'];
  for (const lines of [rest, [...rest, 'Date:', 'Message-ID:  ']]) {
    const { mime, messageId } = await read(message(lines));
    assert.equal(mime.toString('latin1'), message([...rest, ...added]));
    assert.equal(messageId, '<new@acme.test>');
  }
  const odd = [...without('Message-ID'), 'Message-ID: not quite an id'];
  assert.equal((await read(message(odd))).messageId, 'not quite an id');
});

test('a last line without an end gets one, and nothing else is changed', async () => {
  assert.equal((await read(message(head, 'no end'))).mime.toString('latin1'), message(head, 'no end\r\n'));
});

test('bytes that a server could read in two ways are refused: bare CR, bare LF, NUL, lines over 998', async () => {
  for (const [body, reason] of [
    ['a\nb\r\n', /bare LF/],
    ['a\n.\r\nMAIL FROM:<x@y.test>\r\n', /bare LF/],
    ['a\r.\r\nb', /bare CR/],
    ['a\r\r\n', /bare CR/],
    ['a\r', /bare CR/],
    ['a\n', /bare LF/],
    ['a\0b\r\n', /NUL/],
    [`${'x'.repeat(999)}\r\n`, /longer than 998/],
  ] as const)
    assert.match(await problemOf(message(head, body)), reason, JSON.stringify(body));
  assert.match(await problemOf(message([...head, 'X-A: b\nBcc: c@d.test'])), /bare LF/);
  assert.match(await problemOf(message([...head, 'X-A: b\rBcc: c@d.test'])), /bare CR/);
});

test('a header that is none, is too large or is not ASCII is refused', async () => {
  for (const [given, reason] of [
    ['', /empty line/],
    ['Hello\r\n', /empty line/],
    [head.join('\r\n'), /empty line/],
    [`\r\n${message()}`, /not a field/],
    [message(['From hello@acme.test Sun Nov 22', ...head]), /not a field/],
    [message([...head, 'Subject : hi']), /not a field/],
    [message([...head, 'no colon']), /not a field/],
    [message([' folded', ...head]), /not a field/],
    [message([...without('Subject'), 'Subject: Gr\xfc\xdfe']), /above 127/],
    [message([...head, 'X-A: a\x07b']), /control character/],
    [message([...head, ...Array<string>(70).fill(`X: ${'y'.repeat(990)}`)]), /larger than 64 KB/],
    [message([...head, ...Array<string>(51).fill('Received: by a')]), /loop/],
  ] as const)
    assert.match(await problemOf(given), reason, JSON.stringify(given.slice(0, 80)));
  assert.equal(await problemOf(message([...head, ...Array<string>(50).fill('Received: by a')])), 'accepted');
});

test('a field by which two readers could see two messages is refused when it is there twice', async () => {
  for (const line of ['Date: x', 'Message-ID: <2@x.test>', 'Subject: Other', 'SUBJECT: Other'])
    assert.match(await problemOf(message([...head, line])), /2 [a-z-]+ fields/, line);
  for (const name of ['To', 'Cc', 'Sender', 'Reply-To', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding']) {
    assert.equal(await problemOf(message([...head, `${name}: x`])), 'accepted', name);
    assert.match(await problemOf(message([...head, `${name}: x`, `${name}: y`])), /2 [a-z-]+ fields/, name);
  }
});

test('From is exactly one mailbox, as every reader finds it', async () => {
  for (const [value, name, address] of [
    ['hello@acme.test', null, 'hello@acme.test'],
    ['<Hello@ACME.test>', null, 'Hello@acme.test'],
    ['Acme Shop <hello@acme.test>', 'Acme Shop', 'hello@acme.test'],
    ['"Acme, Inc <x@acme.test>" <hello@acme.test>', 'Acme, Inc <x@acme.test>', 'hello@acme.test'],
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n <hello@acme.test>', 'Grüße', 'hello@acme.test'],
    ['root@acme.test (Cron Daemon)', 'Cron Daemon', 'root@acme.test'],
  ] as const) {
    const { from: sender, mime } = await read(from(value));
    assert.deepEqual([sender.name, sender.address, sender.domain], [name, address, 'acme.test'], value);
    assert.deepEqual(inspectRawMessage(mime, { from: address }), []);
  }
  for (const value of [
    '',
    'hello',
    'a@acme.test, b@acme.test',
    'a@acme.test b@acme.test',
    'a@x.test <hello@acme.test>',
    '<a@x.test> <hello@acme.test>',
    'group: hello@acme.test;',
    '"a b"@acme.test',
    '<"a b"@acme.test>',
    '<@x.test:hello@acme.test>',
    '"Acme, Inc <x@y.test>" <hello@acme.test>',
    'hello@acme.test (a (nested) comment)',
    '"never ends <hello@acme.test>',
    `${'x'.repeat(900)}\r\n ${'x'.repeat(900)}\r\n ${'x'.repeat(900)} <hello@acme.test>`,
  ])
    assert.match(await problemOf(from(value)), /^The From field/, value);
  assert.match(await problemOf(message(without('From'))), /no From/);
  assert.match(await problemOf(message([...head, 'From: b@acme.test'])), /more than one From/);
});

test('subject and Reply-To are decoded for people, without control characters', async () => {
  const { subject, replyTo } = await read(
    message([
      ...without('Subject'),
      'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe=0D=0ABcc:_x=00?=',
      ' =?utf-8?B?8J+TqA==?=',
      'Reply-To: "Help, please" <help@acme.test>, undisclosed:;, team: a@acme.test;, nonsense',
    ]),
  );
  assert.equal(subject, 'Grüße Bcc: x 📨');
  assert.deepEqual(
    replyTo.map((one) => [one.name, one.address]),
    [
      ['Help, please', 'help@acme.test'],
      [null, 'a@acme.test'],
    ],
  );
  assert.equal((await read(message(without('Subject')))).subject, '');
});

test('hostile headers of 60 KB are read in less than 100 ms', async () => {
  for (const unit of [' ', '"', '\\', '<', '@', ',', '(', '"\\', '=?', '=?utf-8?Q?', 'a@b', 'x:']) {
    for (const name of ['From', 'Subject', 'Reply-To', 'X-Other']) {
      const line = unit.repeat(Math.floor(900 / unit.length));
      const field = `${name}: ${Array<string>(60).fill(line).join('\r\n ')}`;
      const given = Buffer.from(message([...head.filter((one) => !one.startsWith(name)), field]), 'latin1');
      const before = process.threadCpuUsage();
      await read(given).catch(() => undefined);
      const { user, system } = process.threadCpuUsage(before);
      const ms = (user + system) / 1_000;
      assert.ok(ms < 100, `${name} of ${JSON.stringify(unit)} took ${ms} ms`);
    }
  }
});
