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
import type { Attachment } from '../attachments/attachment-rules.ts';
import { htmlToText } from './html-to-text.ts';
import { encodeFileBody, encodeTextBody } from './transfer-encoding.ts';

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

/** Composes the parts of a body. Throws when there is neither html nor text. */
export const composeBody = (content: BodyContent): MimePart =>
  nestParts(content.attachments, {
    html: content.html === null ? null : textPart('html', content.html),
    text: plainPart(content.text ?? (content.html === null ? null : htmlToText(content.html)), content.html !== null),
  });

/** Puts the parts together as readers expect them nested. */
export function nestParts(
  attachments: readonly Attachment[],
  parts: { html: MimePart | null; text: MimePart | null },
): MimePart {
  const { html, text } = parts;
  const isInline = (file: Attachment) => html !== null && file.disposition === 'inline' && file.contentId !== null;
  const inline = attachments.filter(isInline);
  const rich = html === null || inline.length === 0 ? html : related(html, inline);
  const shown = [text, rich].filter((part) => part !== null);
  const [only] = shown;
  if (only === undefined) throw new Error('A message needs html or text');
  const readable = shown.length === 1 ? only : multipart('alternative', shown);
  const files = attachments.filter((file) => !isInline(file)).map((file) => attachmentPart(file, 'attachment'));
  return files.length === 0 ? readable : multipart('mixed', [readable, ...files]);
}

/** An empty text beside html says nothing: none is sent. */
const plainPart = (text: string | null, hasHtml: boolean): MimePart | null =>
  text === null || (text === '' && hasHtml) ? null : textPart('plain', text);

function related(html: MimePart, inline: Attachment[]): MimePart {
  // RFC 2387 requires the type of the root part.
  return multipart('related', [html, ...inline.map((file) => attachmentPart(file, 'inline'))], ' type="text/html";');
}

function textPart(subtype: 'plain' | 'html', text: string): MimePart {
  const { encoding, chunks } = encodeTextBody(text);
  return { headers: textHeaders(subtype, encoding), chunks };
}

export const textHeaders = (subtype: 'plain' | 'html', encoding: string): string =>
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
