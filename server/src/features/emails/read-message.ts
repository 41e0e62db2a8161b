import type { Email } from 'postal-mime';

/** A message taken apart by a parser that did not write it, so that it shows what a mail client would. */
export async function readMessage(mime: Buffer) {
  const parsed = await parsedOf(mime);
  return {
    headers: parsed.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    html: parsed.html ?? null,
    text: parsed.text ?? null,
    attachments: parsed.attachments.map((file) => ({
      filename: file.filename,
      content_type: file.mimeType,
      content_id: file.contentId?.replace(/^<|>$/g, '') ?? null,
      disposition: file.disposition,
      size: typeof file.content === 'string' ? Buffer.byteLength(file.content) : file.content.byteLength,
    })),
  };
}

/** A message that a mail client would give up on has no parts to show. */
async function parsedOf(mime: Buffer): Promise<Pick<Email, 'headers' | 'html' | 'text' | 'attachments'>> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    return await PostalMime.parse(mime);
  } catch {
    return { headers: [], attachments: [] };
  }
}
