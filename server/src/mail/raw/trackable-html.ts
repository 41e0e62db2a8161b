/**
 * The html of a finished message, where it may be changed: links and a pixel of each recipient can be put into it, and
 * every byte outside this part stays. A message that somebody signed or encrypted is not touched, because its receivers
 * would be warned of it.
 */
import { decodeTransfer } from '../inbound/decode-part.ts';
import { MimeError } from '../inbound/mime-error.ts';
import { type MimeLeaf, mimeLeaves } from '../inbound/mime-leaves.ts';
import { encodeTextBytes } from '../message/transfer-encoding.ts';
import { readHeaderFields } from './header-fields.ts';
import { type HtmlCharset, htmlCharset } from './html-charset.ts';

export interface TrackableHtml {
  readonly html: string;
  /** The message with another html in its place, in the charset of the first; as it is, if it cannot be written so. */
  withHtml(html: string): Buffer;
}

/** Why it is left alone, as the end of a sentence; null: there is no html in it. */
export interface Untrackable {
  readonly why: string | null;
}

/** Programs nest four parts; each level is one more look at all bytes. */
const LIMITS = { depth: 10, parts: 1_000, check: () => undefined };
/** Of the part as it stands: reading and filling it takes time for each recipient. */
const HTML_BYTES_MAX = 2 * 1024 * 1024;
const ENCODINGS = ['', '7bit', '8bit', 'binary', 'quoted-printable', 'base64'];
const SEAL = /^application\/(?:x-)?(?:pkcs7|pgp)-/;
const SIGNATURES = ['dkim-signature', 'domainkey-signature', 'arc-seal', 'arc-message-signature'];

/** `mime` is a message that was read. */
export function trackableHtml(mime: Buffer): TrackableHtml | Untrackable {
  const leaves = leavesOf(mime);
  if (leaves === null) return { why: 'its parts cannot be read' };
  const [leaf, second] = leaves.filter(isHtml);
  if (leaf === undefined) return { why: null };
  if (leaves.some(({ isSealed, type }) => isSealed || SEAL.test(type))) return { why: 'it is signed or encrypted' };
  if (second !== undefined) return { why: 'it has more than one html part' };
  if (leaf.end - leaf.start > HTML_BYTES_MAX) return { why: 'its html is larger than 2 MB' };
  const header = mime.toString('latin1', 0, mime.indexOf('\r\n\r\n', 0, 'latin1') + 2);
  if (readHeaderFields(header)?.some(({ name }) => SIGNATURES.includes(name)) !== false) {
    return { why: 'it has a signature of another server' };
  }
  const charset = htmlCharset(leaf.charset);
  const html = charset === null ? null : htmlOf(mime, leaf, charset);
  const fields = readHeaderFields(mime.toString('latin1', leaf.headerAt, leaf.start - 2));
  if (charset === null || html === null || fields === null) {
    return { why: 'its html has a charset that cannot be written, or is encoded in a way of its own' };
  }
  const kept = fields.filter(({ name }) => name !== 'content-transfer-encoding').map(({ text }) => text);
  // The line end in front of a boundary belongs to the boundary.
  const isWhole = leaf.end === mime.length;
  return {
    html,
    withHtml(changed) {
      const bytes = charset.encode(changed);
      if (bytes === null) return mime;
      const { encoding, chunks } = encodeTextBytes(bytes);
      const body = Buffer.concat(chunks);
      return Buffer.concat([
        mime.subarray(0, leaf.headerAt),
        Buffer.from(`${kept.join('')}Content-Transfer-Encoding: ${encoding}\r\n\r\n`, 'latin1'),
        isWhole ? body : body.subarray(0, -2),
        mime.subarray(leaf.end),
      ]);
    },
  };
}

function leavesOf(mime: Buffer): MimeLeaf[] | null {
  try {
    return mimeLeaves(mime, LIMITS);
  } catch (error) {
    if (error instanceof MimeError) return null;
    throw error;
  }
}

const isHtml = ({ type, disposition, filename }: MimeLeaf): boolean =>
  type === 'text/html' && disposition !== 'attachment' && (filename === null || filename === '');

/** null: changing it could change what its reader sees. */
const htmlOf = (mime: Buffer, { start, end, encoding }: MimeLeaf, charset: HtmlCharset): string | null =>
  ENCODINGS.includes(encoding) ? charset.decode(decodeTransfer(mime.subarray(start, end), encoding)) : null;
