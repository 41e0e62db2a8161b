/**
 * The tokens of tracked mail: who opened (workspace, email), and for a click also where the link leads. Everything is
 * in the token and signed, so a link works without a database, and nobody can make one that leads elsewhere.
 *
 *   byte 0       0x11 open, 0x22 click: version (4 bits) and purpose (4 bits)
 *   bytes 1–16   workspace id
 *   bytes 17–32  email id
 *   an open      12 bytes: HMAC-SHA256 over the above, cut to 96 bits (RFC 2104 §5 allows half the hash and 80 bits)
 *   a click      6 bytes of the content's id, 12 bytes: HMAC over all before it; then the target in UTF-8, and
 *                12 bytes: HMAC over 0x23, workspace id, the 6 bytes and the target
 *
 * written as base64url without padding (RFC 4648 §5), in its one canonical form.
 *
 * A click has two parts, each signed: one of the recipient, the same in all links of an email, and one of the target,
 * the same in all emails of a content. So an email costs one HMAC however many links it has, and links are encoded
 * once. A part of another content or workspace does not fit: a token leads where a link of that mail leads, or nowhere.
 *
 * Mail from before November 2026 has clicks of 0x12: the 33 bytes, the target, and one HMAC over both.
 */
import { isMacOf, macOf } from '#platform/crypto/mac.ts';
import { fromBase64url, readToken, signToken, tokenChars, withoutMac } from '#platform/crypto/signed-bytes.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/** The email that a token speaks of. Ids are lower-case UUIDs. */
export interface TrackedEmail {
  workspaceId: string;
  emailId: string;
}

/** The content whose links are tracked. Its id is a lower-case UUID. */
export interface TrackedContent {
  workspaceId: string;
  contentId: string;
}

/** The content of a valid click token. */
export interface TrackedClick extends TrackedEmail {
  target: string;
  /** The last 12 digits of the id of the content; null in mail from before they were in the token. */
  contentTail: string | null;
}

const OPEN = 0x11;
const CLICK = 0x22;
const CLICK_TARGET = 0x23;
const OLD_CLICK = 0x12;

const ID_BYTES = 16;
const EMAIL_END = 1 + 2 * ID_BYTES;
/** Of a version 7 UUID the last ones are random. */
const CONTENT_BYTES = 6;
const MAC_BYTES = 12;
/** A multiple of three, so that its characters and those of the target stand beside each other. */
const SENDER_BYTES = EMAIL_END + CONTENT_BYTES + MAC_BYTES;
/** A click token is part of an address of at most 2,000 characters, so no longer one was ever made. */
const CLICK_BYTES = { min: SENDER_BYTES + MAC_BYTES, max: 1_500 };
const FORM = { macBytes: MAC_BYTES, payloadBytes: EMAIL_END };
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The token of the pixel in an email: always 60 characters. */
export function openToken({ workspaceId, emailId }: TrackedEmail, key: Buffer): string {
  return signToken(key, Buffer.concat([Buffer.of(OPEN), idToBytes(workspaceId), idToBytes(emailId)]), FORM);
}

/** How long the part of the recipient in a click token is, in characters. */
export const CLICK_SENDER_CHARS = (SENDER_BYTES / 3) * 4;

/** The first part of the click tokens in an email. */
export function clickSender({ workspaceId, emailId, contentId }: TrackedEmail & TrackedContent, key: Buffer): string {
  const part = Buffer.allocUnsafe(SENDER_BYTES);
  part[0] = CLICK;
  idToBytes(workspaceId).copy(part, 1);
  idToBytes(emailId).copy(part, 1 + ID_BYTES);
  contentBytes(contentId).copy(part, EMAIL_END);
  const macAt = SENDER_BYTES - MAC_BYTES;
  macOf(key, part.subarray(0, macAt), MAC_BYTES).copy(part, macAt);
  return part.toString('base64url');
}

/** The second part of the click tokens that lead to this target. The target must be well-formed Unicode. */
export function clickTarget({ workspaceId, contentId }: TrackedContent, target: string, key: Buffer): string {
  const bytes = Buffer.from(target, 'utf8');
  const mac = macOf(key, targetInput(idToBytes(workspaceId), contentBytes(contentId), bytes), MAC_BYTES);
  return Buffer.concat([bytes, mac]).toString('base64url');
}

/** The token of one link in an email. */
export const clickToken = (email: TrackedEmail & TrackedContent, target: string, key: Buffer): string =>
  clickSender(email, key) + clickTarget(email, target, key);

/** How long the click token of a target is, in characters. */
export const clickTokenChars = (target: string): number =>
  tokenChars(SENDER_BYTES + Buffer.byteLength(target, 'utf8'), MAC_BYTES);

/** The email a pixel's token is of; undefined for anything we did not make for this purpose. */
export function readOpenToken(token: string, key: Buffer): TrackedEmail | undefined {
  const payload = readToken(key, token, FORM);
  return payload === undefined || payload[0] !== OPEN ? undefined : emailIn(payload);
}

/** The email and target of a link's token; undefined for anything we did not make for this purpose. */
export function readClickToken(token: string, key: Buffer): TrackedClick | undefined {
  if (token.length > tokenChars(CLICK_BYTES.max, 0)) return undefined;
  const bytes = fromBase64url(token);
  if (bytes?.[0] === OLD_CLICK) return readOldClick(bytes, key);
  if (bytes === undefined || bytes[0] !== CLICK || bytes.length < CLICK_BYTES.min) return undefined;
  const sender = withoutMac(key, bytes.subarray(0, SENDER_BYTES), MAC_BYTES);
  if (sender === undefined) return undefined;
  const target = bytes.subarray(SENDER_BYTES, -MAC_BYTES);
  const input = targetInput(sender.subarray(1, 1 + ID_BYTES), sender.subarray(EMAIL_END), target);
  return isMacOf(key, input, bytes.subarray(-MAC_BYTES))
    ? { ...emailIn(sender), target: utf8.decode(target), contentTail: sender.toString('hex', EMAIL_END) }
    : undefined;
}

function readOldClick(bytes: Buffer, key: Buffer): TrackedClick | undefined {
  const payload = withoutMac(key, bytes, MAC_BYTES);
  if (payload === undefined || payload.length < EMAIL_END) return undefined;
  return { ...emailIn(payload), target: utf8.decode(payload.subarray(EMAIL_END)), contentTail: null };
}

const contentBytes = (contentId: string): Buffer => idToBytes(contentId).subarray(-CONTENT_BYTES);

const targetInput = (workspace: Buffer, content: Buffer, target: Buffer): Buffer =>
  Buffer.concat([Buffer.of(CLICK_TARGET), workspace, content, target]);

const emailIn = (payload: Buffer): TrackedEmail => ({
  workspaceId: idFromBytes(payload, 1),
  emailId: idFromBytes(payload, 1 + ID_BYTES),
});
