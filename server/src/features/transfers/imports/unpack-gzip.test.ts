import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { unpackGzip } from './unpack-gzip.ts';

async function read(pieces: readonly Buffer[], bytesMax?: number): Promise<string> {
  const found: Buffer[] = [];
  async function* given() {
    yield* pieces;
  }
  for await (const piece of unpackGzip(given(), bytesMax)) found.push(Buffer.from(piece));
  return Buffer.concat(found).toString();
}

test('a packed file is unpacked however it is cut, and every other file stays as it is', async () => {
  const packed = gzipSync('email\nada@example.com\n');
  const single = [...packed].map((byte) => Buffer.from([byte]));
  assert.equal(await read(single), 'email\nada@example.com\n');
  assert.equal(await read([packed, gzipSync('bob@example.com\n')]), 'email\nada@example.com\nbob@example.com\n');
  assert.equal(await read([Buffer.from('e'), Buffer.from('mail')]), 'email');
  assert.equal(await read([]), '');
});

test('a file that unpacks to more than a file may have is refused before it is unpacked whole', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  assert.ok(bomb.length < 100_000);
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(read([bomb], 1_048_576), { name: 'validation_error', message: /more than 1 MB/ });
  assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000);
});
