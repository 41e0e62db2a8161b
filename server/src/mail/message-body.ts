/**
 * The body of a message: its parts, nested as readers expect them.
 *
 *   mixed( alternative( text/plain, related( text/html, inline pictures ) ), attachments )
 *
 * with every level left out that would hold one part only. Plain text comes first: the last alternative is the
 * preferred one (RFC 2046 §5.1.4).
 */
import { randomBytes } from 'node:crypto';
import { buildHeaderValue } from 'nodemailer/lib/mime-funcs';
import type { Attachment } from './attachment-rules.ts';
import { htmlToText } from './html-to-text.ts';
import { encodeFileBody, encodeTextBody, encodeTextBodyAs } from './transfer-encoding.ts';

/** A part, or a whole body: its header fields, each with a line break, and its lines. */
export interface MimePart {
  headers: string;
  chunks: Buffer[];
}

export interface BodyContent {
  html: string | null;
  /** null: made from the html. An empty text beside html: none is sent. */
  text: string | null;
  attachments: readonly Attachment[];
}

/** Composes the parts of a body. Throws when there is neither html nor text. `htmlPart` takes the place of the html's own. */
export function composeBody({ html, text, attachments }: BodyContent, htmlPart?: MimePart): MimePart {
  const isInline = (file: Attachment) => html !== null && file.disposition === 'inline' && file.contentId !== null;
  const readable = composeReadable(html, text, attachments.filter(isInline), htmlPart);
  const files = attachments.filter((file) => !isInline(file)).map((file) => attachmentPart(file, 'attachment'));
  return files.length === 0 ? readable : multipart('mixed', [readable, ...files]);
}

/** A body with a gap where its html goes. */
export interface OpenBody {
  headers: string;
  before: Buffer[];
  after: Buffer[];
  /** The lines of a html that is to stand in the gap. */
  encode(html: string): Buffer[];
}

/** Composes everything but the html. No html can end its part: a boundary never comes out of either encoding. */
export function composeOpenBody(content: BodyContent & { html: string }): OpenBody {
  const gap = Buffer.alloc(0);
  const { encoding } = encodeTextBody(content.html);
  const part = composeBody(content, { headers: textHeaders('html', encoding), chunks: [gap] });
  const at = part.chunks.indexOf(gap);
  return {
    headers: part.headers,
    before: part.chunks.slice(0, at),
    after: part.chunks.slice(at + 1),
    encode: (html) => encodeTextBodyAs(encoding, html),
  };
}

function composeReadable(
  html: string | null,
  text: string | null,
  inline: Attachment[],
  htmlPart?: MimePart,
): MimePart {
  if (html === null) {
    if (text === null) throw new Error('A message needs html or text');
    return textPart('plain', text);
  }
  const shown = htmlPart ?? textPart('html', html);
  const rich = inline.length === 0 ? shown : related(shown, inline);
  const plain = text ?? htmlToText(html);
  return plain === '' ? rich : multipart('alternative', [textPart('plain', plain), rich]);
}

function related(html: MimePart, inline: Attachment[]): MimePart {
  // RFC 2387 requires the type of the root part.
  return multipart('related', [html, ...inline.map((file) => attachmentPart(file, 'inline'))], ' type="text/html";');
}

function textPart(subtype: 'plain' | 'html', text: string): MimePart {
  const { encoding, chunks } = encodeTextBody(text);
  return { headers: textHeaders(subtype, encoding), chunks };
}

const textHeaders = (subtype: 'plain' | 'html', encoding: string): string =>
  `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`;

/** Inline is only what the html shows: readers paste any other inline text file into the body. */
function attachmentPart(file: Attachment, placement: 'attachment' | 'inline'): MimePart {
  const { encoding, chunks } = encodeFileBody(file.body);
  // The library writes RFC 2231 parameters; a break before each one keeps the lines short.
  const disposition = buildHeaderValue({ value: placement, params: { filename: file.filename } });
  const headers = [
    `Content-Type: ${file.contentType.replaceAll('; ', ';\r\n ')}`,
    `Content-Transfer-Encoding: ${encoding}`,
    `Content-Disposition: ${disposition.replaceAll('; ', ';\r\n ')}`,
  ];
  if (file.contentId !== null) headers.push(`Content-ID: <${file.contentId}>`);
  return { headers: `${headers.join('\r\n')}\r\n`, chunks };
}

function multipart(subtype: string, parts: MimePart[], parameter = ''): MimePart {
  const boundary = unusedBoundary(parts);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${part.headers}\r\n`, 'latin1'),
    ...part.chunks,
  ]);
  chunks.push(Buffer.from(`--${boundary}--\r\n`, 'latin1'));
  return { headers: `Content-Type: multipart/${subtype};${parameter}\r\n boundary="${boundary}"\r\n`, chunks };
}

/** `=_` cannot come out of either encoding (RFC 2045 §6.7), the rest nobody can guess; looking makes it certain. */
function unusedBoundary(parts: MimePart[]): string {
  for (;;) {
    const boundary = `=_${randomBytes(18).toString('base64url')}`;
    if (!parts.some(({ chunks }) => chunks.some((chunk) => chunk.includes(boundary, 0, 'latin1')))) return boundary;
  }
}
