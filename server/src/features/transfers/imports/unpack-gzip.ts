import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError, invalid } from '#platform/errors/app-error.ts';

/** The largest file, packed or not. */
export const FILE_BYTES_MAX = 512 * 1_048_576;

const isGzip = (start: Buffer): boolean => start[0] === 0x1f && start[1] === 0x8b;

/**
 * The bytes of a file; one that is packed with gzip (RFC 1952) is unpacked as it arrives. No file of ours begins like
 * one, so nobody has to say that it is. Throws a validation error for one that is damaged, or larger than a file may
 * be: a few kilobytes unpack to any size.
 */
export async function* unpackGzip(pieces: AsyncIterable<Buffer>, bytesMax = FILE_BYTES_MAX): AsyncGenerator<Buffer> {
  const source = pieces[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await source.next();
    if (next.done === true) break;
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  const whole = joined(start, source);
  yield* isGzip(start) ? unpacked(whole, bytesMax) : whole;
}

async function* joined(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* unpacked(packed: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  // The reader below hears of a failure of either; stopping early ends both.
  const gunzip = pipeline(Readable.from(packed), createGunzip(), () => undefined);
  let length = 0;
  try {
    for await (const piece of gunzip) {
      const bytes = piece as Buffer; // no encoding was set
      length += bytes.length;
      if (length > bytesMax) throw invalid('body', `Unpacked, the file has more than ${bytesMax / 1_048_576} MB.`);
      yield bytes;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalid('body', 'The file is gzip, and damaged or not complete.');
  }
}
