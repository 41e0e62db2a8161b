import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import PostalMime, { type Address, decodeWords, type Email } from 'postal-mime';
import { anyContent, anyRecipient, anyText } from '../../../test/harness/any-message.ts';
import { parseMailbox } from '../addresses/addresses.ts';
import { inspectMessage } from '../byte-gate.ts';
import { dkimBodyHash } from '../dkim.ts';
import { htmlToText } from './html-to-text.ts';
import {
  finishMessage,
  type MessageContent,
  type MessageRecipient,
  prepareContent,
  prepareOpenContent,
} from './message.ts';
import { headerSizeProblem, recipientHeaders, sharedHeaders } from './message-headers.ts';
import { encodeTextBody } from './transfer-encoding.ts';
import { propertyRuns } from '../../../test/harness/property-runs.ts';

const recipient: MessageRecipient = {
  to: [parseMailbox('Ada <ada@example.com>')],
  messageId: '<0197f400@acme.test>',
  date: new Date('2026-11-21T09:00:00Z'),
};

function aContent(change: Partial<MessageContent> = {}): MessageContent {
  return {
    from: parseMailbox('Acme <hello@acme.test>'),
    replyTo: [],
    subject: 'Hi',
    headers: {},
    inReplyTo: null,
    html: null,
    text: 'Hello',
    attachments: [],
    ...change,
  };
}

async function send(content: MessageContent, to = recipient): Promise<{ mime: Buffer; email: Email }> {
  const mime = await finishMessage(prepareContent(content), to);
  const envelopeTo = [...to.to, ...(to.cc ?? [])].map(({ identity }) => identity);
  assert.deepEqual(inspectMessage(mime, { from: content.from.address, envelopeTo }), []);
  return { mime, email: await PostalMime.parse(mime) };
}

/** Line ends are CRLF on the way, and this parser gives a part's last line break one time too often. */
const asLines = (text: string | undefined | null) => (text ?? '').replace(/\r\n|\r/g, '\n').replace(/\n+$/, '');
const people = (list: Address[] | undefined) =>
  (list ?? []).map(({ name, address }) => ({ name: name || null, address }));

test('every message comes back as it was written, and passes the gate', async () => {
  await fc.assert(
    fc.asyncProperty(anyContent, anyRecipient, async (content, to) => {
      fc.pre(headerSizeProblem(content, to) === null);
      const { email } = await send(content, to);
      assert.equal(email.subject ?? '', content.subject);
      const named = (list: readonly { name: string | null; address: string }[] = []) =>
        list.map(({ name, address }) => ({ name, address }));
      assert.deepEqual(people(email.from && [email.from]), named([content.from]));
      assert.deepEqual(people(email.to), named(to.to));
      assert.deepEqual(people(email.cc), named(to.cc));
      assert.deepEqual(people(email.replyTo), named(content.replyTo));
      assert.equal(email.messageId, to.messageId);
      assert.equal(email.date, `${to.date.toISOString().slice(0, 19)}.000Z`);
      assert.equal(asLines(email.html), asLines(content.html));
      const text = content.text ?? htmlToText(content.html ?? '');
      assert.equal(asLines(email.text), asLines(text));
      assert.equal(email.attachments.length, content.attachments.length);
      for (const [index, sent] of content.attachments.entries()) {
        const got = email.attachments[index];
        assert.equal(got?.filename, sent.filename);
        assert.equal(got?.mimeType, sent.contentType.split(';')[0]);
        assert.equal(got?.disposition, 'attachment');
        assert.ok(got.content instanceof ArrayBuffer);
        assert.deepEqual(Buffer.from(got.content), sent.body);
      }
      for (const [name, value] of Object.entries(content.headers)) {
        const got = email.headers.find(({ key }) => key === name.toLowerCase())?.value;
        assert.equal(decodeWords(got ?? ''), value);
      }
    }),
    { numRuns: 400 },
  );
});

test('the personal parts of a recipient are filled in; everything else is the same for all', async () => {
  await fc.assert(
    fc.asyncProperty(anyContent, anyText, fc.array(anyText, { maxLength: 4 }), async (content, own, shared) => {
      const token = { chars: 60, text: (mine: string) => createHash('sha256').update(mine).digest('hex').slice(0, 60) };
      const pieces = [
        ...shared.flatMap((text) => [text, { text: (mine: string) => mine }, text, token, text]),
        '<end>',
      ];
      const open = prepareOpenContent({ ...content, html: pieces, text: pieces });
      for (const mine of [own, '', own]) {
        const own = open.fill(mine);
        assert.equal(own.bodyHash(), dkimBodyHash(own.body));
        const filled = await finishMessage(own, recipient);
        assert.deepEqual(
          inspectMessage(filled, { from: content.from.address, envelopeTo: ['ada@example.com'] }).filter(
            (problem) => !problem.startsWith('header section'),
          ),
          [],
        );
        // Soft breaks keep lines of quoted-printable short.
        for (const line of filled.toString('latin1').split('\r\n')) assert.ok(!line.endsWith('=') || line.length <= 76);
        const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text(mine))).join('');
        const whole = await finishMessage(prepareContent({ ...content, html: text, text }), recipient);
        const [a, b] = await Promise.all([PostalMime.parse(filled), PostalMime.parse(whole)]);
        const rest = { html: '', text: '', headers: [], headerLines: [] };
        assert.deepEqual({ ...a, ...rest }, { ...b, ...rest });
        assert.equal(asLines(a.html), asLines(b.html));
        assert.equal(asLines(a.text), asLines(b.text));
      }
    }),
    { numRuns: propertyRuns({ test: 30, prove: 400 }) },
  );
});

const only = [{ text: (own: string) => own }];

/** Frees what is young and not in use. */
function collectYoung(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert.ok(typeof collect === 'function');
  collect({ type: 'minor' });
}

test('a body that was filled is freed without a search of the whole memory', () => {
  const [bodies, bodyBytes] = [20, 100_000];
  const open = prepareOpenContent({ ...aContent(), html: only, text: null });
  const grownBy = (): number => {
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < bodies; n += 1) assert.ok(open.fill('a'.repeat(bodyBytes)).bodyHash());
    collectYoung();
    return process.memoryUsage().arrayBuffers - before;
  };
  // V8 gives back the bytes of buffers a little later, and other tests leave some: the middle of several rounds counts.
  const rounds = Array.from({ length: 9 }, grownBy).toSorted((a, b) => a - b);
  assert.ok((rounds[4] ?? Infinity) < (bodies * bodyBytes) / 2, `bodies stay: ${rounds.join(', ')}`);
});

test('a html that looks like the boundary of its part cannot end it', async () => {
  const open = prepareOpenContent({ ...aContent({ html: '<p>x</p>' }), html: only, text: ['plain'] });
  const boundary = /boundary="([^"]+)"/.exec(open.fill('').headers)?.[1] ?? '';
  assert.notEqual(boundary, '');
  const html = `<p>\r\n--${boundary}--\r\nContent-Type: text/html\r\n\r\n</p>`;
  const email = await PostalMime.parse(await finishMessage(open.fill(html), recipient));
  assert.equal(asLines(email.html), asLines(html));
  assert.equal(asLines(email.text), 'plain');
});

test('a content that is finished twice gives two messages, and neither changes the other', async () => {
  const open = prepareOpenContent({ ...aContent(), html: null, text: ['Hi ', { text: (own: string) => own }] });
  const own = open.fill('Ada');
  const first = await finishMessage(own, recipient);
  const kept = first.toString();
  const second = await finishMessage(own, { ...recipient, messageId: '<0197f401@acme.test>' });
  assert.equal(first.toString(), kept);
  assert.equal(second.toString(), kept.replace('0197f400', '0197f401'));
  const long = { ...recipient, extraHeaders: [{ name: 'X-Long', value: 'x '.repeat(4_000) }] };
  assert.match((await finishMessage(open.fill('Ada'), long)).toString(), /\r\n\r\nHi =\r\nAda=\r\n\r\n$/);
});

test('a token of another length than its place is an error: it would leave what was written before it', () => {
  const open = prepareOpenContent({ ...aContent(), html: null, text: ['a', { chars: 5, text: (own: string) => own }] });
  assert.match(open.fill('12345').body.toString(), /^a12345=?\r\n/);
  assert.throws(() => open.fill('1234'), /a token of 4 characters has a place for 5/);
});

test('files are encoded once, however many recipients have a html of their own', () => {
  const body = Buffer.alloc(6 * 1024 * 1024, 'x');
  const file = {
    filename: 'a.bin',
    contentType: 'application/octet-stream',
    disposition: 'attachment',
    contentId: null,
  } as const;
  const content = { ...aContent({ html: '<p>x</p>' }), html: only, text: null, attachments: [{ ...file, body }] };
  const open = prepareOpenContent(content);
  const expected = open.fill('<p>1</p>').body.subarray(-body.length);
  body.fill('y'); // nobody looks at the file again
  assert.ok(open.fill('<p>2</p>').body.subarray(-body.length).equals(expected));
});

test('a word of 100,000 characters and a text full of boundaries survive', async () => {
  const first = await send(aContent({ html: '<p>x</p>', text: 'x' }));
  const boundary = /boundary="([^"]+)"/.exec(first.mime.toString())?.[1];
  for (const text of ['w'.repeat(100_000), 'é'.repeat(100_000), `--${boundary}\r\n--${boundary}--\r\n`.repeat(1000)]) {
    const { email, mime } = await send(aContent({ html: text, text }));
    assert.equal(asLines(email.text), asLines(text));
    assert.equal(asLines(email.html), asLines(text));
    for (const line of mime.toString().split('\r\n')) assert.ok(line.length <= 78);
  }
});

test('parts nest as readers expect, and no level holds one part only', async () => {
  const logo = {
    filename: 'l.png',
    contentType: 'image/png',
    contentId: 'logo',
    disposition: 'inline' as const,
    body: Buffer.from('png'),
  };
  const pdf = {
    ...logo,
    filename: 'r.pdf',
    contentType: 'application/pdf',
    contentId: null,
    disposition: 'attachment' as const,
  };
  const types = async (change: Partial<MessageContent>) =>
    [...(await send(aContent(change))).mime.toString().matchAll(/^Content-Type: ([a-z/]+)/gm)].map((match) => match[1]);
  const html = '<img src="cid:logo" alt="Logo">';
  assert.deepEqual(await types({}), ['text/plain']);
  assert.deepEqual(await types({ html, text: '' }), ['text/html']);
  assert.deepEqual(await types({ html, text: null }), ['multipart/alternative', 'text/plain', 'text/html']);
  assert.deepEqual(await types({ html: '<img src="x">', text: null }), ['text/html']);
  assert.deepEqual(await types({ attachments: [logo] }), ['multipart/mixed', 'text/plain', 'image/png']);
  assert.deepEqual(await types({ html, attachments: [pdf, logo] }), [
    'multipart/mixed',
    'multipart/alternative',
    'text/plain',
    'multipart/related',
    'text/html',
    'image/png',
    'application/pdf',
  ]);
  const { email } = await send(aContent({ html, attachments: [logo] }));
  assert.deepEqual(
    email.attachments.map(({ contentId, related }) => ({ contentId, related })),
    [{ contentId: '<logo>', related: true }],
  );
});

test('nothing a person writes ends a header or adds one', async () => {
  const evil = 'x\r\nBcc: v@evil.test\r\n\r\nbody';
  const { mime, email } = await send(
    aContent({
      subject: evil,
      from: { ...parseMailbox('a@acme.test'), name: evil },
      headers: { 'X-A': 'é\r\nBcc: v@evil.test' },
    }),
    { ...recipient, to: [{ ...parseMailbox('b@x.test'), name: `"${evil}` }] },
  );
  assert.doesNotMatch(mime.toString(), /^bcc/im);
  assert.equal(email.bcc, undefined);
  assert.equal(email.subject, 'x Bcc: v@evil.test body');
});

test('threading headers occur once, and those of the customer win', async () => {
  const { mime } = await send(aContent({ inReplyTo: '<p@x.test>', headers: { References: '<a@x.test> <p@x.test>' } }));
  assert.deepEqual(mime.toString().match(/^(?:In-Reply-To|References):.*$/gm), [
    'In-Reply-To: <p@x.test>',
    'References: <a@x.test> <p@x.test>',
  ]);
});

test('the names, addresses and headers of a message are bounded before it is accepted', () => {
  const content = aContent({ subject: 's'.repeat(998) });
  const crowd = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => ({ ...parseMailbox(`p${i}@example.com`), name }));
  assert.equal(headerSizeProblem(content, { to: crowd(50, 'Ada Lovelace'), cc: [] }), null);
  assert.match(headerSizeProblem(content, { to: crowd(50, '字'.repeat(300)), cc: [] }) ?? '', /13 KB/);
});

test('headers that are found to fit without being encoded fit, whatever their characters are', () => {
  const worst = fc.constantFrom('a', ' ', '"', '=?', '\u00e9', '\u5b57', '\u{1f600}', 'a b', '\u5b57 a');
  fc.assert(
    fc.property(worst, worst, fc.nat(1_700), fc.nat(1_700), fc.nat(20), (one, other, long, name, others) => {
      const content = aContent({
        subject: one.repeat(Math.ceil(long / one.length)),
        headers: Object.fromEntries(Array.from({ length: others }, (_, n) => [`X-${n}`, other])),
        inReplyTo: '<p@x.test>',
      });
      const to = [{ ...parseMailbox('a@x.test'), name: other.repeat(Math.ceil(name / other.length)) }];
      fc.pre(headerSizeProblem(content, { to }) === null);
      const own = recipientHeaders({ to, messageId: '', date: new Date(0) });
      assert.ok(sharedHeaders(content, '').text.length + own.text.length <= 13 * 1_024);
    }),
    { numRuns: 300 },
  );
});

test('an encoded body is plain 7-bit lines of at most 76 characters', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const { body } = prepareContent(aContent({ text }));
      assert.match(body.toString('latin1'), /^(?:[\t\x20-\x7e]{0,76}\r\n)+$/);
    }),
  );
});

test('a text that ends in white space keeps it, and no line of it ends in white space', () => {
  for (const text of ['Hello ', 'Hello\t', 'Hello \r\nAda ']) {
    const { encoding, chunks } = encodeTextBody(text);
    const encoded = Buffer.concat(chunks).toString('latin1');
    assert.equal(encoding, 'quoted-printable');
    assert.doesNotMatch(encoded, /[\t ]\r\n/);
    const decoded = encoded.replaceAll('=\r\n', '').replaceAll('=20', ' ').replaceAll('=09', '\t');
    assert.equal(decoded, `${text}\r\n`);
  }
});
