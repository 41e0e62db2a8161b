import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../test/harness/cpu-time.ts';
import { bytesOfFile, type InboundMessage, readInboundHeader, readInboundMessage } from './read-message.ts';
import { MimeError } from './mime-error.ts';
import { hasBareLineEnd, hopsOf } from './wire-rules.ts';

const options = { envelopeFrom: 'ada@example.net', nowMs: () => performance.now() };
const bytes = (text: string | Buffer): Buffer =>
  typeof text === 'string' ? Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1') : text;
const read = (text: string | Buffer): Promise<InboundMessage> => readInboundMessage(bytes(text), options);
const parts = (contentType: string, body: string): string => `Subject: x\nContent-Type: ${contentType}\n\n${body}`;

test('the texts of alternatives, and the files around them', async () => {
  const raw = bytes(`From: =?utf-8?q?J=C3=BCrgen?= <j@example.net>
To: Team: a@acme.example, "B, b" <b@acme.example>;, c@acme.example
Cc: c@acme.example
Subject: =?utf-8?b?w6RuZGVydW5n?=
Content-Type: multipart/mixed; boundary=outer

preamble
--outer
Content-Type: multipart/alternative; boundary="in ner"

--in ner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe =
an alle
--in ner
Content-Type: text/html; charset=utf-8

<p>Gr\xc3\xbc\xc3\x9fe</p>
--in ner--
--outer
Content-Type: application/pdf; name=bill.pdf
Content-Transfer-Encoding: base64

JVBERg==
--outer
Content-Type: message/rfc822

Subject: inner

text of the inner one
--outer--
epilogue`);
  const message = await readInboundMessage(raw, options);
  assert.deepEqual(message.from, { email: 'j@example.net', name: 'Jürgen' });
  assert.deepEqual(
    message.to.map(({ email }) => email),
    ['a@acme.example', 'b@acme.example', 'c@acme.example'],
  );
  assert.deepEqual([message.subject, message.text, message.html], ['änderung', 'Grüße an alle', '<p>Grüße</p>']);
  assert.deepEqual(
    message.files.map(({ filename, contentType, size }) => [filename, contentType, size]),
    [
      ['bill.pdf', 'application/pdf', 4],
      ['message-2.eml', 'message/rfc822', 39],
    ],
  );
  const [pdf] = message.files;
  assert.equal(pdf && bytesOfFile(raw, pdf).toString(), '%PDF');
});

test('the text of a message with html only is made of it', async () => {
  const { text, html } = await read(parts('text/html', '<p>Hello <b>you</b></p><script>x()</script>'));
  assert.deepEqual([text, html?.includes('<script>')], ['Hello you', true]);
});

const odd: Record<string, [raw: string, text: string | null]> = {
  'no Content-Type': ['Subject: x\n\nhello', 'hello'],
  'no header': ['hello there\nand more', 'hello there\r\nand more'],
  'an empty line first': ['\nhello', 'hello'],
  'a header alone': ['Subject: x', ''],
  'a multipart without a boundary': [parts('multipart/mixed', 'hello'), 'hello'],
  'an empty boundary': [parts('multipart/mixed; boundary=""', '--\nhello'), '--\r\nhello'],
  'a boundary that is never found': [parts('multipart/mixed; boundary=b', 'hello'), 'hello'],
  'a boundary without its end': [parts('multipart/mixed; boundary=b', '--b\n\nhello'), 'hello'],
  'a boundary that begins another': [
    parts('multipart/mixed; boundary=b', '--b\n\nhello\n--bb\nmore\n--b--'),
    'hello\r\n--bb\r\nmore',
  ],
  'nested parts with one boundary': [
    parts(
      'multipart/mixed; boundary=b',
      '--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b--\n--b--',
    ),
    'hello',
  ],
  'a boundary of 200 characters': [
    parts(`multipart/mixed; boundary=${'b'.repeat(200)}`, `--${'b'.repeat(200)}\n\nhello\n--${'b'.repeat(200)}--`),
    'hello',
  ],
  'an unknown charset': [parts('text/plain; charset=x-nobody', 'caf\xc3\xa9'), 'café'],
  'UTF-7': [parts('text/plain; charset=utf-7', 'a+AGE-b'), 'a+AGE-b'],
  'a charset without a name': [parts('text/plain; charset=""', 'x'), 'x'],
  'Latin-1 that says it is UTF-8': [parts('text/plain; charset=utf-8', 'caf\xe9'), 'café'],
  NUL: [parts('text/plain', 'a\0b'), 'a\ufffdb'],
  'quoted-printable that is none': ['Content-Transfer-Encoding: quoted-printable\n\n100=ZZ=\n= 4=4', '100=ZZ= 4=4'],
  'base64 that is none': ['Content-Transfer-Encoding: base64\n\naGVs!!bG8=*', 'hello'],
  'an unknown encoding': ['Content-Transfer-Encoding: x-yenc\n\nhello', 'hello'],
};
for (const [what, [raw, text]] of Object.entries(odd))
  test(`${what} is read as far as it can be`, async () => {
    assert.equal((await read(raw)).text, text);
  });

test('names of files have no path, no control characters and no end of megabytes', async () => {
  const named = (disposition: string): string => `Content-Disposition: attachment; ${disposition}\n\nx`;
  const pieces = Array.from({ length: 900 }, (_, place) => `filename*${place}=a`).join('; ');
  const names: [string, string][] = [
    ['filename="..\\..\\evil.exe"', 'evil.exe'],
    ['filename="/etc/passwd"', 'passwd'],
    ['filename="a\0b\u0007.txt"', 'a b .txt'],
    ["filename*=utf-8''%e2%82%ac%20rates.pdf", '€ rates.pdf'],
    ["filename*0*=utf-8''%e2%82; filename*1*=%ac; filename*2=.pdf", '€.pdf'],
    [`filename="${'x'.repeat(10_240)}"`, 'x'.repeat(200)],
    [pieces, 'a'.repeat(200)],
    ['filename="."', 'attachment-1'],
  ];
  for (const [given, expected] of names)
    assert.equal((await read(named(given))).files[0]?.filename, expected, given.slice(0, 80));
});

test('a date that cannot be is none', async () => {
  for (const date of ['', 'yesterday', 'Fri, 20 Nov 0000 10:00:00 +0000', 'Fri, 20 Nov 9999 10:00:00 +0000']) {
    assert.equal((await read(`Date: ${date}\n\nx`)).date, null, date);
  }
  assert.equal(
    (await read('Date: Fri, 20 Nov 2026 10:00:00 +0100 (CET)\n\nx')).date?.toISOString(),
    '2026-11-20T09:00:00.000Z',
  );
});

const nested = (depth: number): string => {
  let text = 'x';
  for (let level = depth; level > 0; level -= 1)
    text = `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n${text}\n--b${level}--`;
  return text;
};
const bombs: Record<string, [raw: () => string | Buffer, error: RegExp]> = {
  'parts that are nested 10,000 deep': [() => nested(2_000), /nested more than 50/],
  'a million parts': [
    () => parts('multipart/mixed; boundary=b', '--b\n\n'.repeat(1_000_000)),
    /more than 1,?000 parts/,
  ],
  'a header of 10 MB': [() => `X: ${'a '.repeat(5_000_000)}\n\nx`, /larger than 256 KB/],
  'a header of 100,000 fields': [() => `${'X: y\n'.repeat(40_000)}\nx`, /more than 2,000 fields/],
  'a boundary of 1 MB': [
    () => parts(`multipart/mixed; boundary="${'b'.repeat(1_048_576)}"`, 'x'),
    /larger than 256 KB/,
  ],
};
for (const [what, [raw, error]] of Object.entries(bombs))
  test(`${what} are given up with a reason within 2 seconds, and their first fields are read`, async () => {
    const bomb = bytes(raw());
    const usedMs = cpuTime();
    await assert.rejects(readInboundMessage(bomb, options), (thrown) => {
      assert.ok(thrown instanceof MimeError);
      assert.match(thrown.message, error);
      return true;
    });
    assert.ok(usedMs() < 2_000);
    await readInboundHeader(bomb, options).catch((thrown: unknown) => assert.ok(thrown instanceof MimeError));
  });

test('base64 of 30 MB, and a text of 24 MB in short lines, take less than 2 seconds of a processor', async () => {
  const file = 'Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  const of = (inner: string): Buffer =>
    Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${inner}--b--\r\n`);
  const patient = { ...options, nowMs: () => 0 };
  const large = of(`${file}${`${'QUJD'.repeat(19)}\r\n`.repeat(390_000)}`);
  const long = of(`\r\n${'-\r\n'.repeat(8_000_000)}`);
  const usedMs = cpuTime();
  assert.equal((await readInboundMessage(large, patient)).files[0]?.size, 57 * 390_000);
  assert.equal((await readInboundMessage(long, patient)).text, null);
  assert.ok(usedMs() < 2_000, `${usedMs()} ms`);
});

test('reading ends when time is up', async () => {
  let nowMs = 0;
  const slow = { ...options, nowMs: () => (nowMs += 1_500) };
  await assert.rejects(readInboundMessage(bytes('Subject: x\n\nx'), slow), /longer than 2 seconds/);
});

test('whatever the bytes are, something is read or the reason is said', async () => {
  const lines = fc.constantFrom(
    '--b',
    '--b--',
    'Content-Type: multipart/mixed; boundary=b',
    'Content-Type: text/html',
    '',
    'From: <',
    ' folded',
    'Content-Disposition: attachment; filename*0*=a\'b; filename="\\',
    'Content-Transfer-Encoding: base64',
  );
  const line = fc.oneof(
    lines,
    fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some).toString('latin1')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (some) => {
      const raw = Buffer.from(some.join('\r\n'), 'latin1');
      const message = await readInboundMessage(raw, options).catch((error: unknown) => {
        assert.ok(error instanceof MimeError, String(error));
      });
      if (message === undefined) return;
      assert.doesNotMatch(JSON.stringify(message), /\\u0000/);
      for (const file of message.files) assert.equal(bytesOfFile(raw, file).length, file.size);
      const { text, strippedChars } = message;
      assert.ok(text === null || (strippedChars ?? 0) <= text.length);
    }),
  );
});

test('a bare CR or LF is found, and hops are counted in the header only', () => {
  assert.equal(hasBareLineEnd(Buffer.from('a\r\nb\r\n')), false);
  for (const text of ['a\nb', 'a\r\n\n', 'a\rb', '\n', 'a\r'])
    assert.equal(hasBareLineEnd(Buffer.from(text)), true, text);
  assert.equal(hopsOf(bytes('Received: a\nRECEIVED: b\n c\n\nReceived: no')), 2);
  const large = `X-Large: ${'x'.repeat(300_000)}\n`;
  assert.equal(hopsOf(bytes(`${large}${'Received: from a by b\n'.repeat(60)}\nReceived: no`)), 60);
  assert.equal(hopsOf(bytes(`${'X: y\n'.repeat(3_000)}Received : a\nReceivedness: b\n`)), 1);
});

test('a boundary that is almost found everywhere takes no longer than another', async () => {
  const type = `multipart/mixed; boundary="b${'-a'.repeat(4_000)}"`;
  for (const repeated of ['-a', `\r\n--b${'-a'.repeat(1_000)}`]) {
    const body = repeated.repeat(4_000_000 / repeated.length);
    const spentMs = cpuTime();
    assert.deepEqual((await read(bytes(parts(type, body)))).files, []);
    assert.ok(spentMs() < 1_000, `${spentMs()} ms`);
  }
});

test('no NUL and no half character is left in what is stored as JSON', async () => {
  const message = await read(
    `From: ${'a'.repeat(310)}@example.\xf0\x9f\x98\x80net\nMessage-ID: <a\0b@c>\nReferences: <d\0e@f>\n` +
      'Content-Type: image/png\nContent-ID: <g\0h>\nContent-Transfer-Encoding: i\0j\n\nx',
  );
  assert.doesNotMatch(JSON.stringify(message), /\\u(?:0000|d[89a-f])/i);
  assert.deepEqual([message.messageId, message.files[0]?.contentId], ['<a\ufffdb@c>', 'g\ufffdh']);
});
