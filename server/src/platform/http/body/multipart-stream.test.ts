import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { formParts } from './multipart-stream.ts';

const TYPE = 'multipart/form-data; boundary=frontier';

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size: number, type = TYPE): Promise<[string, string | null, string][]> {
  const found: [string, string | null, string][] = [];
  for await (const { name, fileName, bytes: content } of formParts(type, cut(bytes, size))) {
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(Buffer.from(piece));
    found.push([name, fileName, Buffer.concat(pieces).toString('latin1')]);
  }
  return found;
}

const formOf = (parts: readonly (readonly [string, string])[]): Buffer =>
  Buffer.from(
    `${parts
      .map(([name, content]) => `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`)
      .join('')}--frontier--\r\n`,
    'latin1',
  );

test('the parts of a form are the same however its bytes are cut, also when they look like boundaries', async () => {
  const content = fc.array(fc.constantFrom('\r\n', '--', '--frontie', '\r\n--frontie', 'x', '\xff', '\0'), {
    maxLength: 9,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(content, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), async (contents, size) => {
      const parts = contents.map((one, index) => [`f${index}`, one.join('')] as const);
      const wanted = parts.map(([name, text]) => [name, null, text]);
      assert.deepEqual(await read(formOf(parts), size), wanted);
    }),
    { numRuns: propertyRuns({ test: 200, prove: 1_000 }) },
  );
});

test('a part that is not read to its end is passed over', async () => {
  const names: string[] = [];
  for await (const { name, bytes } of formParts(
    TYPE,
    cut(
      formOf([
        ['a', 'x'.repeat(500)],
        ['b', 'y'],
      ]),
      7,
    ),
  )) {
    names.push(name);
    for await (const _piece of bytes) break;
  }
  assert.deepEqual(names, ['a', 'b']);
});

test('names and names of files are read with and without quotes', async () => {
  const form =
    '--frontier\r\ncontent-type: text/csv\r\ncontent-disposition: form-data; filename="a b.csv"; name=file\r\n\r\nx\r\n--frontier--';
  assert.deepEqual(await read(Buffer.from(form), 5), [['file', 'a b.csv', 'x']]);
});

test('a form without a boundary, without its end, without names or with endless headers is refused', async () => {
  const good = formOf([['a', 'x']]);
  const head = 'content-disposition: form-data; name="a"';
  for (const [bytes, type] of [
    [good, 'multipart/form-data'],
    [good, 'multipart/form-data; boundary=other'],
    [good.subarray(0, -6), TYPE],
    [Buffer.from('--frontier\r\ncontent-type: text/plain\r\n\r\nx\r\n--frontier--'), TYPE],
    [Buffer.from(`--frontier\r\n${head}\r\n${'x: y\r\n'.repeat(3_000)}\r\nx\r\n--frontier--`), TYPE],
    [Buffer.from(`--frontier\r\n${head}; x=${'y'.repeat(9_000)}`), TYPE],
    [Buffer.alloc(0), TYPE],
  ] as const) {
    await assert.rejects(read(bytes, 100, type), { name: 'validation_error' });
  }
});
