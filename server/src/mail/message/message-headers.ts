/** The header fields of a message: those all recipients share, and those of one recipient. */
import type { Mailbox } from '../addresses/addresses.ts';
import { type SignableField, signableField } from '../dkim.ts';
import { formatMailbox, formatMailboxes } from '../addresses/format-mailbox.ts';
import { encodeText, encodeValue, headerField } from '../headers/header-text.ts';

export interface SharedHeaders {
  from: Mailbox;
  replyTo: readonly Mailbox[];
  subject: string;
  /** Accepted by checkCustomHeaders; a List-Id, which it refuses, is one of ours. */
  headers: Readonly<Record<string, string>>;
  /** A Message-ID in angle brackets, or null. */
  inReplyTo: string | null;
}

export interface RecipientHeaders {
  to: readonly Mailbox[];
  cc?: readonly Mailbox[];
  /** With its angle brackets. */
  messageId: string;
  date: Date;
  /**
   * Fields of our own, such as List-Unsubscribe: never a customer's, and encoded where a customer's words are in
   * them.
   */
  extraHeaders?: readonly { name: string; value: string }[];
}

/** Header fields as they are sent, and as they are signed. */
export interface HeaderBlock {
  text: string;
  signable: SignableField[];
}

/** The limit that every provider and relay we know accepts. */
const headerBytesMax = 16 * 1024;
/** Kept free at acceptance for what is added per message: signature, Message-ID, unsubscribe fields. */
const headerBytesReserved = 3 * 1024;

export function sharedHeaders(content: SharedHeaders, bodyHeaders: string): HeaderBlock {
  const custom = Object.entries(content.headers);
  const names = new Set(custom.map(([name]) => name.toLowerCase()));
  const fields: [string, string][] = [['From', formatMailbox(content.from)]];
  if (content.replyTo.length > 0) fields.push(['Reply-To', formatMailboxes(content.replyTo)]);
  fields.push(['Subject', encodeText(content.subject)]);
  // A customer who threads by hand has written these himself, and they occur once.
  if (content.inReplyTo !== null && !names.has('in-reply-to')) fields.push(['In-Reply-To', content.inReplyTo]);
  if (content.inReplyTo !== null && !names.has('references')) fields.push(['References', content.inReplyTo]);
  for (const [name, value] of custom) fields.push([name, name === 'List-Id' ? ownValue(value) : encodeValue(value)]);
  fields.push(['MIME-Version', '1.0']);
  const block = headerBlock(fields);
  return {
    text: block.text + bodyHeaders,
    signable: [...block.signable, ...bodyHeaders.split(/\r\n(?! )/).flatMap(parseField)],
  };
}

export function recipientHeaders(recipient: RecipientHeaders): HeaderBlock {
  const fields: [string, string][] = [
    ['Date', formatDate(recipient.date)],
    ['To', formatMailboxes(recipient.to)],
  ];
  if (recipient.cc !== undefined && recipient.cc.length > 0) fields.push(['Cc', formatMailboxes(recipient.cc)]);
  fields.push(['Message-ID', recipient.messageId]);
  for (const { name, value } of recipient.extraHeaders ?? []) fields.push([name, ownValue(value)]);
  return headerBlock(fields);
}

/** A name in a field of our own was encoded as a phrase, which must not happen twice; what is no ASCII yet was not. */
const ownValue = (value: string): string => (/^[\x20-\x7e]*$/.test(value) ? value : encodeValue(value));

/** Why these headers cannot be sent, asked at acceptance so that no accepted message is stopped later; or null. */
export function headerSizeProblem(
  content: SharedHeaders,
  recipient: Pick<RecipientHeaders, 'to' | 'cc'>,
): string | null {
  if (charactersAtMost(content, recipient) <= headerBytesMax - headerBytesReserved) return null;
  const own = recipientHeaders({ ...recipient, messageId: '', date: new Date(0) });
  const bytes = sharedHeaders(content, '').text.length + own.text.length;
  if (bytes <= headerBytesMax - headerBytesReserved) return null;
  return 'The names, addresses, subject and headers of the message are larger than 13 KB together.';
}

/**
 * A character that was typed takes 4 in base64 at most (3 bytes of UTF-8), which encoded words of 64 with 12 around
 * them make 5, and their folds 6; one of a quoted name takes 2.
 */
const charactersOfOne = 8;
/** The name of a field, its line break, and the first encoded word of a value. */
const charactersOfField = 64;

/**
 * So many characters at most, however names and texts are encoded. Most messages are far below the limit, and of them
 * nothing has to be encoded to know it.
 */
function charactersAtMost(content: SharedHeaders, recipient: Pick<RecipientHeaders, 'to' | 'cc'>): number {
  const mailboxes = [content.from, ...content.replyTo, ...recipient.to, ...(recipient.cc ?? [])];
  const custom = Object.entries(content.headers);
  let typed = content.subject.length + 2 * (content.inReplyTo?.length ?? 0);
  for (const { name, address } of mailboxes) typed += address.length + (name?.length ?? 0);
  for (const [name, value] of custom) typed += name.length + value.length;
  return typed * charactersOfOne + (FIELDS_OF_ALL + mailboxes.length + custom.length) * charactersOfField;
}

/** Subject, In-Reply-To, References, MIME-Version, Date, Message-ID and To of nobody. */
const FIELDS_OF_ALL = 7;

function headerBlock(fields: readonly [string, string][]): HeaderBlock {
  return {
    text: fields.map(([name, value]) => headerField(name, value)).join(''),
    signable: fields.map(([name, value]) => signableField(name, value)),
  };
}

function parseField(field: string): SignableField[] {
  const colon = field.indexOf(':');
  return colon === -1 ? [] : [signableField(field.slice(0, colon), field.slice(colon + 1))];
}

/** RFC 5322 §3.3, in UTC with a numeric zone. */
export function formatDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}
