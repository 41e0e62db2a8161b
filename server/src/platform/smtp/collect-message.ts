import type { Readable } from 'node:stream';
import type { HeldBody } from '../http/body/body-budget.ts';

export interface CollectOptions {
  /** The first bytes that are kept; the rest is read and thrown away. */
  keepBytes: number;
  /** The room of the message, none so far; it grows with the message. Left out: it takes none. */
  held?: HeldBody | undefined;
}

/**
 * Reads a message to its end, since the other side listens for an answer only then. Undefined: there was no room for
 * it. Rejects when the other side goes before the end.
 */
export async function collectMessage(stream: Readable, options: CollectOptions): Promise<Buffer | undefined> {
  const { keepBytes, held } = options;
  const chunks: Buffer[] = [];
  let kept = 0;
  let hasRoom = true;
  // Bytes: nobody gave the stream an encoding.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (kept >= keepBytes || !hasRoom) continue;
    const part = chunk.subarray(0, keepBytes - kept);
    if (held !== undefined) hasRoom = held.grow(part.length);
    if (hasRoom) chunks.push(part);
    else {
      // At once, and not when the other side ends: it may take its time, and others have none of that room meanwhile.
      chunks.length = 0;
      held?.release();
    }
    kept += part.length;
  }
  if (!hasRoom) return undefined;
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
}
