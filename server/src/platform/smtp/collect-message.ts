import type { Readable } from 'node:stream';

/** Reads a message to its end and keeps its first `keepBytes`. Rejects when the other side goes before the end. */
export async function collectMessage(stream: Readable, keepBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let kept = 0;
  // Bytes: nobody gave the stream an encoding.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (kept >= keepBytes) continue;
    const part = chunk.subarray(0, keepBytes - kept);
    chunks.push(part);
    kept += part.length;
  }
  return Buffer.concat(chunks);
}
