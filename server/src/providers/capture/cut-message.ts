import { hash } from 'node:crypto';

/** Below this, a part costs more to look up than to keep again. */
const SMALLEST = 16 * 1024;
const CHUNK = 256 * 1024;
/** A message may consist of lines that look like delimiters. */
const DELIMITERS_READ = 1_000;

/** `ownBytes`: how many bytes of the message's own come before it. */
export interface Chunk {
  ownBytes: number;
  hash: string;
  bytes: Buffer;
}

export interface CutMessage {
  own: Buffer;
  chunks: Chunk[];
}

/**
 * Separates what a message may have in common with others, such as its files, from what is its own: headers,
 * signatures, small texts. The cuts lie behind the headers and behind the lines that delimit MIME parts, so that equal
 * parts give equal chunks wherever they stand. Put together again, the bytes are those that came.
 */
export function cutMessage(mime: Buffer): CutMessage {
  if (mime.length < SMALLEST) return { own: mime, chunks: [] };
  const own: Buffer[] = [];
  const chunks: Chunk[] = [];
  let ownBytes = 0;
  for (const section of sectionsOf(mime)) {
    if (section.length < SMALLEST) {
      own.push(section);
      ownBytes += section.length;
    } else {
      for (const bytes of pagesOf(section)) chunks.push({ ownBytes, hash: hash('sha256', bytes, 'hex'), bytes });
    }
  }
  return { own: Buffer.concat(own), chunks };
}

function* sectionsOf(mime: Buffer): Generator<Buffer> {
  const headersEnd = mime.indexOf('\r\n\r\n');
  let start = headersEnd < 0 ? 0 : headersEnd + 2;
  yield mime.subarray(0, start);
  for (let read = 0; read < DELIMITERS_READ; read += 1) {
    const delimiter = mime.indexOf('\n--', start);
    const lineEnd = delimiter < 0 ? -1 : mime.indexOf('\n', delimiter + 1);
    if (lineEnd < 0) break;
    // The line is the message's own: its boundary may differ from copy to copy.
    yield mime.subarray(start, delimiter + 1);
    yield mime.subarray(delimiter + 1, lineEnd);
    start = lineEnd;
  }
  yield mime.subarray(start);
}

function* pagesOf(section: Buffer): Generator<Buffer> {
  let start = 0;
  // A last piece that is small stays with the one before it.
  for (; section.length - start >= CHUNK + SMALLEST; start += CHUNK) yield section.subarray(start, start + CHUNK);
  yield section.subarray(start);
}
