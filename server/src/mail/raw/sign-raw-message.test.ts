import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { propertyRuns } from '../../../test/harness/property-runs.ts';
import { createDkimKeyPair, loadDkimKey } from '../dkim.ts';
import { readRawMessage } from './read-raw-message.ts';
import { prepareRawMessage, signRawMessage } from './sign-raw-message.ts';

const date = new Date('2026-11-22T10:00:00Z');
const pair = await createDkimKeyPair();
const key = loadDkimKey('acme.test', 'ph1', pair.privateKey);

const verdictOn = async (mime: Buffer): Promise<string | undefined> => {
  const { results } = await dkimVerify(mime, { resolver: async () => [[`v=DKIM1; k=rsa; p=${pair.publicKey}`]] });
  return results.find(({ selector }) => selector === 'ph1')?.status.result;
};

const joined = (pieces: string[], maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((chosen) => chosen.join(''));
const value = joined(
  ['a', 'B=', ';', ' ', '  ', '\t', '\r\n ', '\r\n\t ', '"', '<x@y.test>', '=?utf-8?Q?=C3=BC?='],
  12,
);
const name = fc.constantFrom('Subject', 'to', 'CC', 'Reply-To', 'Content-Type', 'MIME-Version', 'X-Other', 'Received');
const field = fc.tuple(name, fc.constantFrom(':', ': ', ':\t', ':  '), value).map((parts) => `${parts.join('')}x\r\n`);
// A line of at most 998 octets (RFC 5322 section 2.1.1): longer ones are refused, which another test shows.
const isOfShortLines = (text: string) => text.split('\r\n').every((line) => line.length <= 998);
const body = joined(['.', 'a', ' ', '\t', '\xff', '\xc3\xbc', '\r\n', '\r\n\r\n', '-- ', 'x'.repeat(200)], 30).filter(
  isOfShortLines,
);
const message = fc
  .tuple(fc.uniqueArray(field, { selector: (text) => text.split(':')[0]?.toLowerCase(), maxLength: 8 }), body)
  .map(([fields, text]) => Buffer.from(`${fields.join('')}From: hello@acme.test\r\n\r\n${text}`, 'latin1'));

test('whatever its fields and lines are, a message that was accepted leaves unchanged, signed, and verifies', async () => {
  await fc.assert(
    fc.asyncProperty(message, async (given) => {
      const { mime } = await readRawMessage(given, { date, newMessageId: (domain) => `<new@${domain}>` });
      const signed = await signRawMessage(prepareRawMessage(mime, 'acme.test'), date, key);
      assert.ok(signed.subarray(-mime.length).equals(mime));
      assert.equal(await verdictOn(signed), 'pass');
    }),
    { numRuns: propertyRuns({ test: 60, prove: 800 }) },
  );
});

test('without a key the bytes leave as they were accepted; a key of another domain signs nothing', async () => {
  const mime = Buffer.from('From: hello@other.test\r\n\r\nHello\r\n');
  const prepared = prepareRawMessage(mime, 'other.test');
  assert.equal(await signRawMessage(prepared, date), mime);
  await assert.rejects(signRawMessage(prepared, date, key), /cannot sign mail from other\.test/);
});
