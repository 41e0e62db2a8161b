/**
 * A message that somebody else composed, read for sending as it is (decision 0050).
 *
 * Its bytes are changed in three places only: fields that must not leave are taken out, a Date or a Message-ID that is
 * missing is added behind the last field, and a last line without an end gets one. A message that cannot leave like
 * this is refused with a sentence, so that its sender hears of it at once. Nothing in it is mended.
 */
import type { Mailbox } from '../addresses/addresses.ts';
import { inspectRawMessage, rawHeaderBytesMax } from '../byte-gate.ts';
import { formatDate } from '../message/message-headers.ts';
import { type HeaderField, readHeaderFields } from './header-fields.ts';
import { RawMessageError } from './raw-message-error.ts';
import { readFrom, readShownMailboxes, readShownText } from './shown-fields.ts';

/** A message that may leave, with what its record shows. */
export interface RawMessage {
  /** Every byte of it leaves as it stands here. Only a signature is put in front. */
  mime: Buffer;
  /** The one mailbox of From. Its name is decoded, for people. */
  from: Mailbox;
  /** Decoded, for people. Empty when there is none. */
  subject: string;
  /** The readable mailboxes of Reply-To, for people. */
  replyTo: Mailbox[];
  /** The field as it stands; some programs write one that is not quite an id. */
  messageId: string;
}

/** The fields that a message gets when it lacks them, and those that are taken out. */
export interface RawChanges {
  date: Date;
  /** A Message-ID at the domain of the sender. */
  newMessageId: (domain: string) => string;
  /** Fields that no receiver shall see, besides those that no message keeps. Names are in lower case. */
  isRemoved?: (name: string, value: string) => boolean;
}

/** The ceiling of every provider that we know. */
const rawBytesMax = 40 * 1024 * 1024;
/** Two servers that hand a message to each other do so for ever. Postfix gives up at the same number. */
const receivedMax = 50;
/** Kept for the record; a longer one still leaves as it is. */
const messageIdCharsMax = 998;
/** Bcc is for the envelope, Return-Path for the last server. X-SES fields steer a provider, and the last are ours. */
const neverSent = /^(?:bcc|resent-bcc|return-path|x-ses-.*|x-posthorn-.*)$/;
const lineEnd = Buffer.from('\r\n');

/** Reads a message, or throws RawMessageError. Time is linear in the message. */
export async function readRawMessage(given: Uint8Array, changes: RawChanges): Promise<RawMessage> {
  if (given.length > rawBytesMax) throw new RawMessageError('The message is larger than 40 MB.');
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const headerEnd = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  if (headerEnd === -1) throw new RawMessageError('The message has no empty line behind its header.');
  if (headerEnd > rawHeaderBytesMax) throw new RawMessageError('The header of the message is larger than 64 KB.');
  const fields = readHeaderFields(bytes.toString('latin1', 0, headerEnd + lineEnd.length));
  if (fields === null) throw new RawMessageError('A line of the header is not a field.');
  refuseLoop(fields);
  const from = await readFrom(fields);
  const kept = fields.filter((field) => isKept(field, changes));
  const added = missingFields(kept, changes, from.domain);
  const all = [...kept, ...added];
  const isChanged = added.length > 0 || kept.length < fields.length;
  const mime = endedWith(lineEnd, isChanged ? withHeader(all, bytes.subarray(headerEnd + lineEnd.length)) : bytes);
  const problems = inspectRawMessage(mime, { from: from.address });
  if (problems.length > 0) throw new RawMessageError(`The message has ${problems.join(', and ')}.`);
  return {
    mime,
    from,
    subject: await readShownText(valueOf(all, 'subject') ?? ''),
    replyTo: await readShownMailboxes(valueOf(all, 'reply-to') ?? ''),
    messageId: (valueOf(all, 'message-id') ?? '').slice(0, messageIdCharsMax),
  };
}

function refuseLoop(fields: readonly HeaderField[]): void {
  if (fields.filter(({ name }) => name === 'received').length <= receivedMax) return;
  throw new RawMessageError(`The message has passed more than ${receivedMax} servers: it goes round in a loop.`);
}

function isKept({ name, value }: HeaderField, { isRemoved }: RawChanges): boolean {
  if (neverSent.test(name) || isRemoved?.(name, value) === true) return false;
  // Without a value it is as good as missing.
  return value !== '' || (name !== 'date' && name !== 'message-id');
}

function missingFields(kept: readonly HeaderField[], changes: RawChanges, domain: string): HeaderField[] {
  const field = (name: string, value: string): HeaderField => ({
    name: name.toLowerCase(),
    value,
    text: `${name}: ${value}\r\n`,
  });
  return [
    ...(valueOf(kept, 'date') === undefined ? [field('Date', formatDate(changes.date))] : []),
    ...(valueOf(kept, 'message-id') === undefined ? [field('Message-ID', changes.newMessageId(domain))] : []),
  ];
}

const valueOf = (fields: readonly HeaderField[], name: string): string | undefined =>
  fields.find((field) => field.name === name)?.value;

/** `rest` begins with the empty line. */
const withHeader = (fields: readonly HeaderField[], rest: Buffer): Buffer =>
  Buffer.concat([Buffer.from(fields.map(({ text }) => text).join(''), 'latin1'), rest]);

/** SMTP ends a message with a line end, whatever was given: the record and the signature are of the bytes with it. */
const endedWith = (end: Buffer, bytes: Buffer): Buffer =>
  bytes.subarray(-end.length).equals(end) ? bytes : Buffer.concat([bytes, end]);
