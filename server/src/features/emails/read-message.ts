import type { Email } from 'postal-mime';

/** A message taken apart by a parser that did not write it, so that it shows what a mail client would. */
export async function readMessage(mime: Buffer) {
  return messageView(await parseMessage(mime));
}

type Parsed = Pick<Email, 'headers' | 'html' | 'text' | 'attachments'>;

function messageView(parsed: Parsed) {
  return {
    headers: parsed.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    html: parsed.html ?? null,
    text: parsed.text ?? null,
    attachments: parsed.attachments.map((file) => ({
      filename: file.filename,
      content_type: file.mimeType,
      content_id: file.contentId?.replace(/^<|>$/g, '') ?? null,
      disposition: file.disposition,
      size: bytesOf(file).length,
    })),
  };
}

export function bytesOf({ content }: Pick<Email['attachments'][number], 'content'>): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.from(content);
}

/** A message that a mail client would give up on has no parts to show. */
export async function parseMessage(mime: Buffer): Promise<Parsed> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    return await PostalMime.parse(mime);
  } catch {
    return { headers: [], attachments: [] };
  }
}
