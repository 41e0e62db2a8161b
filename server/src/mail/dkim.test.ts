import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { anyContent, anyRecipient } from '../../test/harness/any-message.ts';
import { createDkimKeyPair, dkimBodyHash, loadDkimKey } from './dkim.ts';
import { finishMessage, type MessageRecipient, prepareContent } from './message/message.ts';
import { parseMailbox } from './addresses/addresses.ts';

const pair = await createDkimKeyPair();
const key = loadDkimKey('acme.test', 'ph1', pair.privateKey);

async function statusOf(mime: Buffer): Promise<string | undefined> {
  const { results } = await dkimVerify(mime, {
    resolver: async (name: string) => {
      assert.equal(name, 'ph1._domainkey.acme.test');
      return [[`v=DKIM1; k=rsa; p=${pair.publicKey}`]];
    },
  });
  assert.equal(results.length, 1);
  return results[0]?.status.result;
}

const content = {
  from: parseMailbox('Acme <hello@acme.test>'),
  replyTo: [],
  subject: 'Hi',
  headers: {},
  inReplyTo: null,
  html: null,
  text: 'Hello  world \n\n',
  attachments: [],
};
const recipient: MessageRecipient = {
  to: [parseMailbox('ada@example.com')],
  messageId: '<1@acme.test>',
  date: new Date(),
};
const unsubscribe = [
  { name: 'List-Unsubscribe', value: '<https://x.test/u>' },
  { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
];

test('every message verifies, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(anyContent, anyRecipient, async (any, to) => {
      const date = new Date();
      assert.equal(await statusOf(await finishMessage(prepareContent(any), { ...to, date }, key)), 'pass');
    }),
    { numRuns: 150 },
  );
});

test('an empty body verifies', async () => {
  assert.equal(await statusOf(await finishMessage(prepareContent({ ...content, text: '' }), recipient, key)), 'pass');
});

test('the body hash is that of the relaxed form, also over many pieces', () => {
  const reference = (body: string) => {
    const relaxed = body
      .replace(/[ \t]+/g, ' ')
      .replace(/ \r\n/g, '\r\n')
      .replace(/[ \r\n]+$/, '');
    return createHash('sha256')
      .update(relaxed === '' ? '' : `${relaxed}\r\n`)
      .digest('base64');
  };
  // RFC 6376 §3.4.5: the hash of an empty body, and its example.
  assert.equal(dkimBodyHash(Buffer.from('')), '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
  assert.equal(
    dkimBodyHash(Buffer.from(' C \r\nD \t E\r\n\r\n\r\n')),
    createHash('sha256').update(' C\r\nD E\r\n').digest('base64'),
  );
  const line = fc.array(fc.constantFrom(' ', '\t', 'a', 'bcd', '  '), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 1, max: 3000 }), (lines, times) => {
      const body = lines
        .map((text) => `${text}\r\n`)
        .join('')
        .repeat(times);
      assert.equal(dkimBodyHash(Buffer.from(body)), reference(body));
    }),
    { numRuns: 60 },
  );
});

test('a field that is changed, or added a second time, breaks the signature', async () => {
  const mime = (
    await finishMessage(prepareContent(content), { ...recipient, extraHeaders: unsubscribe }, key)
  ).toString('latin1');
  assert.equal(await statusOf(Buffer.from(mime, 'latin1')), 'pass');
  const added = [
    'From: x@evil.test',
    'To: x@evil.test',
    'Subject: Other',
    'Date: x',
    'Reply-To: x@evil.test',
    'Cc: x@evil.test',
    'Message-ID: <x@y>',
    'MIME-Version: 1.0',
    'Content-Type: text/html',
    'Content-Transfer-Encoding: 8bit',
    'References: <x@y>',
    'In-Reply-To: <x@y>',
    'List-Unsubscribe: <https://evil.test>',
    'List-Unsubscribe-Post: x',
  ];
  for (const field of added) assert.equal(await statusOf(Buffer.from(`${field}\r\n${mime}`, 'latin1')), 'fail', field);
  for (const [from, to] of [
    ['Subject: Hi', 'Subject: Ho'],
    ['One-Click', 'Two-Click'],
    ['https://x.test/u', 'https://x.test/v'],
    ['Hello', 'Hullo'],
  ] as const) {
    assert.ok(mime.includes(from));
    assert.notEqual(await statusOf(Buffer.from(mime.replace(from, to), 'latin1')), 'pass', from);
  }
});

test('a trace field or a list of another does not break it', async () => {
  const mime = (await finishMessage(prepareContent(content), recipient, key)).toString('latin1');
  assert.equal(
    await statusOf(Buffer.from(`Received: from x by y\r\nList-Id: <l.x.test>\r\n${mime}`, 'latin1')),
    'pass',
  );
});

test('the signature says what we promise: 2048 bits, relaxed, no length, both unsubscribe fields', async () => {
  const mime = await finishMessage(prepareContent(content), { ...recipient, extraHeaders: unsubscribe }, key);
  const field = /^DKIM-Signature: ((?:.*\r\n)(?:[ \t].*\r\n)*)/.exec(mime.toString('latin1'))?.[1] ?? '';
  for (const line of field.split('\r\n')) assert.ok(line.length <= 78);
  const tags = new Map(
    field
      .replace(/\s/g, '')
      .split(';')
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  );
  assert.deepEqual([...tags.keys()], ['v', 'a', 'c', 'd', 's', 't', 'bh', 'h', 'b']);
  assert.equal(tags.get('a'), 'rsa-sha256');
  assert.equal(tags.get('c'), 'relaxed/relaxed');
  assert.equal(tags.get('t'), String(Math.floor(recipient.date.getTime() / 1000)));
  const names = tags.get('h')?.split(':') ?? [];
  assert.equal(names.filter((name) => name === 'from').length, 2);
  assert.equal(names.filter((name) => name === 'list-unsubscribe-post').length, 2);
  assert.equal(key.privateKey.asymmetricKeyDetails?.modulusLength, 2048);
  assert.ok(Buffer.from(pair.publicKey, 'base64').length > 290);
});

test('a key of another domain signs nothing', async () => {
  const other = loadDkimKey('other.test', 'ph1', pair.privateKey);
  await assert.rejects(finishMessage(prepareContent(content), recipient, other), /cannot sign/);
  const parent = { ...content, from: parseMailbox('a@mail.acme.test') };
  assert.equal(await statusOf(await finishMessage(prepareContent(parent), recipient, key)), 'pass');
});
