import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutMessage } from './cut-message.ts';

const KB = 1024;

function joined({ own, chunks }: ReturnType<typeof cutMessage>): Buffer {
  const pieces: Buffer[] = [];
  let before = 0;
  for (const { ownBytes, bytes } of chunks) {
    pieces.push(own.subarray(before, ownBytes), bytes);
    before = ownBytes;
  }
  return Buffer.concat([...pieces, own.subarray(before)]);
}

const file = randomBytes(200 * KB).toString('base64');
const aMessage = (to: string, boundary: string, text: string): Buffer =>
  Buffer.from(
    `To: ${to}\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\n\r\n${text}\r\n` +
      `--${boundary}\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--${boundary}--\r\n`,
  );

test('any message comes together again, byte for byte', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n\r\n',
      '\r\n--b\r\n',
      '\n--',
      '\r\n--b--',
      'a'.repeat(15 * KB),
      'b'.repeat(300 * KB),
      '\0\xff',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const mime = Buffer.from(pieces.join(''), 'latin1');
      assert.ok(joined(cutMessage(mime)).equals(mime));
    }),
    { numRuns: 100 },
  );
});

test('two messages with one file have its chunks in common, whatever stands before it', () => {
  const [ada, bob] = [
    aMessage('ada@example.net', 'b1', 'Hi'),
    aMessage('bob@example.net', 'b-two', 'x'.repeat(999)),
  ].map(cutMessage);
  const hashes = ada?.chunks.map((chunk) => chunk.hash);
  assert.equal(hashes?.length, 1);
  assert.deepEqual(
    bob?.chunks.map((chunk) => chunk.hash),
    hashes,
  );
  assert.ok((ada?.own.length ?? 0) < KB);
});

test('a small message is its own', () => {
  const mime = Buffer.from(`Subject: Hi\r\n\r\n${'a'.repeat(15 * KB)}`);
  assert.deepEqual(cutMessage(mime), { own: mime, chunks: [] });
});

test('a message of a million delimiters is cut into few pieces', () => {
  const mime = Buffer.from(`Subject: Hi\r\n\r\n${'\n--'.repeat(1_000_000)}`);
  const cut = cutMessage(mime);
  assert.ok(cut.chunks.length < 20);
  assert.ok(joined(cut).equals(mime));
});
