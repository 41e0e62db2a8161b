/**
 * A message as bytes. The content of a send is composed once (prepareContent); each recipient costs a header block, a
 * copy and, when there is a key, a signature (finishMessage).
 *
 * Everything that came from a person is encoded or refused on the way in, so nothing in it can end a field, a part or
 * the message. Bcc is in the envelope only. A retry with the same arguments gives the same bytes but for the boundary.
 */
import { type DkimKey, dkimBodyHash, dkimSignature, refuseForeignKey, type SignableField } from '../dkim.ts';
import { type BodyContent, composeBody } from './message-body.ts';
import { type RecipientHeaders, recipientHeaders, type SharedHeaders, sharedHeaders } from './message-headers.ts';
import { composeOpenBody, type OpenTexts } from './open-body.ts';

export interface MessageContent extends SharedHeaders, BodyContent {}

export type MessageRecipient = RecipientHeaders;

export interface PreparedContent {
  fromDomain: string;
  /** The fields all recipients share, in the order they are sent. */
  headers: string;
  signable: SignableField[];
  body: Buffer;
  /**
   * Computed when it is asked for: without a key nobody asks, and files are in it. A function and no getter: V8 keeps
   * the pair of accessors of each object in the old generation, and the body of each recipient with it (decision 0181).
   */
  bodyHash(): string;
  /** Of a body that is one recipient's only: see FilledBody. */
  takeRoom?(bytes: number): Buffer | undefined;
}

/** Composes what all recipients of a send share. */
export function prepareContent(content: MessageContent): PreparedContent {
  const part = composeBody(content);
  const headers = sharedHeaders(content, part.headers);
  const body = Buffer.concat(part.chunks);
  let bodyHash: string | undefined;
  return {
    fromDomain: content.from.domain,
    headers: headers.text,
    signable: headers.signable,
    body,
    bodyHash() {
      bodyHash ??= dkimBodyHash(body);
      return bodyHash;
    },
  };
}

/** A send whose texts are partly each recipient's own: everything else of it is composed. */
export interface OpenContent<T> {
  /** `subject`: their own, in place of that of all. */
  fill(recipient: T, subject?: string): PreparedContent;
  /** Of memory that it keeps. */
  bytes: number;
}

/** Composes what all recipients of a send share. Their texts and files are encoded once. */
export function prepareOpenContent<T>(content: SharedHeaders & OpenTexts<T>): OpenContent<T> {
  const open = composeOpenBody(content);
  // Nothing below holds on to the content: its files would stay in memory twice.
  const { from, replyTo, subject: shared, headers, inReplyTo } = content;
  const blockOf = (subject: string) => sharedHeaders({ from, replyTo, subject, headers, inReplyTo }, open.headers);
  const block = blockOf(shared);
  return {
    bytes: open.bytes,
    fill(recipient, subject = shared) {
      const { body, bodyHash, takeRoom } = open.fill(recipient);
      const { text, signable } = subject === shared ? block : blockOf(subject);
      return { fromDomain: from.domain, headers: text, signable, body, takeRoom, bodyHash };
    },
  };
}

/** The message for one recipient, or for one group that sees each other; signed when a key is given. */
export async function finishMessage(
  prepared: PreparedContent,
  recipient: MessageRecipient,
  dkim?: DkimKey,
): Promise<Buffer> {
  const own = recipientHeaders(recipient);
  if (dkim === undefined) return join(own.text, prepared);
  refuseForeignKey(dkim, prepared.fromDomain);
  const fields = [...own.signable, ...prepared.signable];
  const signature = await dkimSignature(fields, prepared.bodyHash(), recipient.date, dkim);
  return join(signature + own.text, prepared);
}

function join(ownHeaders: string, { headers, body, takeRoom }: PreparedContent): Buffer {
  const text = `${ownHeaders}${headers}\r\n`;
  const whole = takeRoom?.(text.length);
  if (whole !== undefined) {
    whole.write(text, 0, 'latin1');
    return whole;
  }
  const mime = Buffer.allocUnsafe(text.length + body.length);
  mime.write(text, 0, 'latin1');
  body.copy(mime, text.length);
  return mime;
}
