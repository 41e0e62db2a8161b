/** A received message, read for people and programs. Its bytes are kept beside it, and are never changed. */
import type { Address } from 'postal-mime';
import { htmlToText } from '../message/html-to-text.ts';
import { decodeText, decodeTransfer, storable } from './decode-part.ts';
import { fieldValue, type RawField, readHeaderSection } from './header-section.ts';
import { isAutomatic } from './is-automatic.ts';
import { MimeError } from './mime-error.ts';
import { type MimeLeaf, mimeLeaves } from './mime-leaves.ts';
import { stripText } from './stripped-text.ts';

export interface InboundMailbox {
  email: string;
  name: string | null;
}

/** A file in a message, by its place there. */
export interface InboundFile {
  id: string;
  filename: string;
  contentType: string;
  /** Without the transfer encoding. */
  size: number;
  contentId: string | null;
  disposition: string;
  start: number;
  end: number;
  encoding: string;
}

export interface InboundMessage {
  from: InboundMailbox | null;
  to: InboundMailbox[];
  cc: InboundMailbox[];
  replyTo: InboundMailbox[];
  subject: string;
  date: Date | null;
  /** With their angle brackets. */
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  headers: { name: string; value: string }[];
  text: string | null;
  html: string | null;
  /** The characters of the text in front of what it quotes. */
  strippedChars: number | null;
  strippedConfidence: number | null;
  files: InboundFile[];
  isAutomatic: boolean;
}

export interface ReadOptions {
  envelopeFrom: string;
  /** In milliseconds; only differences count. */
  nowMs(): number;
}

const DEPTH_MAX = 50;
const PARTS_MAX = 1_000;
const READ_MS_MAX = 2_000;
/** A longer text is a file beside the others. */
const BODY_BYTES_MAX = 4 * 1_024 * 1_024;
const HEADERS_MAX = 1_000;
const VALUE_CHARS_MAX = 10_000;
const ADDRESSES_CHARS_MAX = 65_536;
const ADDRESSES_MAX = 1_000;
const REFERENCES_MAX = 100;

/** The fields of a header alone: what is left of a message whose parts cannot be read. */
export async function readInboundHeader(raw: Buffer, options: ReadOptions): Promise<InboundMessage> {
  const end = Math.min(raw.length, 128 * 1_024);
  const { fields } = readHeaderSection(raw, 0, end);
  return { ...(await readFields(fields, options)), text: null, html: null, ...nothingStripped, files: [] };
}

const nothingStripped = { strippedChars: null, strippedConfidence: null };

/** Reads a message. Throws MimeError for one that is built to be read with difficulty. */
export async function readInboundMessage(raw: Buffer, options: ReadOptions): Promise<InboundMessage> {
  const startedMs = options.nowMs();
  const check = (): void => {
    if (options.nowMs() - startedMs > READ_MS_MAX) throw new MimeError('Reading it took longer than 2 seconds.');
  };
  const { fields } = readHeaderSection(raw, 0, raw.length);
  const message = await readFields(fields, options);
  const leaves = mimeLeaves(raw, { depth: DEPTH_MAX, parts: PARTS_MAX, check });
  const bodies: Record<'text' | 'html', string[]> = { text: [], html: [] };
  const files: InboundFile[] = [];
  let bodyBytes = 0;
  for (const leaf of leaves) {
    check();
    const bytes = decodeTransfer(raw.subarray(leaf.start, leaf.end), leaf.encoding);
    const kind = bodyBytes + bytes.length > BODY_BYTES_MAX ? null : bodyKind(leaf);
    if (kind === null) files.push(await fileOf(leaf, bytes.length, files.length + 1));
    else {
      bodyBytes += bytes.length;
      bodies[kind].push(decodeText(bytes, leaf.charset));
    }
  }
  check();
  const html = bodies.html.length === 0 ? null : joined(bodies.html);
  const text = bodies.text.length > 0 ? joined(bodies.text) : html === null ? null : htmlToText(html);
  const isReply = message.inReplyTo !== null || /^\s*(?:re|aw|sv|antw)\s*:/i.test(message.subject);
  const stripped = text === null ? undefined : stripText(text, isReply);
  return {
    ...message,
    text,
    html,
    strippedChars: stripped?.chars ?? null,
    strippedConfidence: stripped?.confidence ?? null,
    files,
  };
}

/** The bytes of a file of a message. */
export const bytesOfFile = (
  raw: Buffer,
  { start, end, encoding }: Pick<InboundFile, 'start' | 'end' | 'encoding'>,
): Buffer => decodeTransfer(raw.subarray(start, end), encoding);

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n');

function bodyKind({ type, disposition, filename }: MimeLeaf): 'text' | 'html' | null {
  if (disposition === 'attachment' || (filename !== null && filename !== '')) return null;
  if (type === 'text/plain') return 'text';
  return type === 'text/html' ? 'html' : null;
}

async function fileOf(leaf: MimeLeaf, size: number, place: number): Promise<InboundFile> {
  const { decodeWords } = await postalMime();
  const given = leaf.filename === null ? '' : decodeWords(textOf(leaf.filename)).slice(0, VALUE_CHARS_MAX);
  const shown = leaf.type === 'message/rfc822' ? `message-${place}.eml` : `attachment-${place}`;
  return {
    id: String(place),
    filename: safeName(given) || shown,
    contentType: leaf.type.slice(0, 200),
    size,
    contentId: leaf.contentId === null ? null : storable(leaf.contentId),
    disposition: leaf.disposition === 'inline' ? 'inline' : 'attachment',
    start: leaf.start,
    end: leaf.end,
    encoding: storable(leaf.encoding.slice(0, 50)),
  };
}

/** A name without a path, control characters or signs that no file system has. */
const safeName = (name: string): string =>
  storable(name)
    .replace(/^.*[\\/]/s, '')
    .replace(/[\x00-\x1f\x7f-\x9f<>:"|?*\ufffd\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
    .replace(/^\.+/, '')
    .slice(0, 200)
    .toWellFormed();

type Fields = Omit<InboundMessage, 'text' | 'html' | 'strippedChars' | 'strippedConfidence' | 'files'>;

async function readFields(fields: readonly RawField[], { envelopeFrom }: ReadOptions): Promise<Fields> {
  const { decodeWords, addressParser } = await postalMime();
  const value = (name: string): string => textOf(fieldValue(fields, name) ?? '');
  const shown = (text: string): string => clean(decodeWords(text.slice(0, VALUE_CHARS_MAX)));
  const mailboxes = (name: string): InboundMailbox[] => {
    const text = value(name);
    if (text === '' || text.length > ADDRESSES_CHARS_MAX) return [];
    return addressParser(text, { flatten: true })
      .slice(0, ADDRESSES_MAX)
      .flatMap((one: Address) => mailboxOf(one, shown) ?? []);
  };
  const ids = (name: string): string[] =>
    [...value(name).slice(0, ADDRESSES_CHARS_MAX).matchAll(MESSAGE_ID)]
      .map(([id]) => storable(id))
      .slice(-REFERENCES_MAX);
  return {
    from: mailboxes('from')[0] ?? null,
    to: mailboxes('to'),
    cc: mailboxes('cc'),
    replyTo: mailboxes('reply-to'),
    subject: shown(value('subject')),
    date: dateOf(value('date')),
    messageId: ids('message-id')[0] ?? null,
    inReplyTo: ids('in-reply-to')[0] ?? null,
    references: ids('references'),
    headers: fields.slice(0, HEADERS_MAX).map((field) => ({ name: field.name, value: shown(textOf(field.value)) })),
    isAutomatic: isAutomatic(fields, envelopeFrom),
  };
}

const MESSAGE_ID = /<[^\s<>]{1,500}>/g;

function mailboxOf({ name, address }: Address, shown: (text: string) => string): InboundMailbox | undefined {
  const email = clean(address ?? '')
    .slice(0, 320)
    .toWellFormed();
  if (!email.includes('@')) return undefined;
  return { email, name: shown(name) || null };
}

const YEAR_MIN = 1_970;
const YEAR_MAX = 2_100;

/** A program that reads `0000` as 2000 is not alone, so the year is looked at where it stands. */
const GIVEN_YEAR = /\d\s+[a-z]{3,9}\s+(\d{4})\b/i;

function dateOf(text: string): Date | null {
  const date = new Date(text.slice(0, 100).replace(/\([^)]*\)/g, ''));
  const year = date.getUTCFullYear();
  const given = Number(GIVEN_YEAR.exec(text)?.[1] ?? year);
  return Number.isNaN(year) || Math.min(given, year) < YEAR_MIN || year > YEAR_MAX ? null : date;
}

/** Bytes of a header as text: UTF-8, which RFC 6532 allows, or else Windows-1252. */
const textOf = (latin1: string): string =>
  /[\x80-\uffff]/.test(latin1) && !/[\u0100-\uffff]/.test(latin1)
    ? decodeText(Buffer.from(latin1, 'latin1'), undefined)
    : latin1;

const clean = (text: string): string =>
  storable(text)
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
    .trim();

/** Loaded with the first message: most processes read none. */
const postalMime = () => import('postal-mime');
