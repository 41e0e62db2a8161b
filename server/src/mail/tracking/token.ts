/**
 * The tokens of tracked mail: who opened (workspace, email), and for a click also where the link leads. Everything is
 * in the token and signed, so a link works without a database, and nobody can make one that leads elsewhere.
 *
 *   byte 0       0x11 open, 0x12 click: version (4 bits) and purpose (4 bits)
 *   bytes 1–16   workspace id
 *   bytes 17–32  email id
 *   then         the target in UTF-8 (clicks only)
 *   last 12      HMAC-SHA256 over all of the above, cut to 96 bits (RFC 2104 §5 allows half the hash and 80 bits)
 *
 * written as base64url without padding (RFC 4648 §5), in its one canonical form.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/** The email that a token speaks of. Ids are lower-case UUIDs. */
export interface TrackedEmail {
  workspaceId: string;
  emailId: string;
}

/** What a good click token says. */
export interface TrackedClick extends TrackedEmail {
  target: string;
}

const PURPOSES = { open: 0x11, click: 0x12 } as const;
type Purpose = keyof typeof PURPOSES;

const ID_BYTES = 16;
const TARGET_AT = 1 + 2 * ID_BYTES;
const MAC_BYTES = 12;
const CHARS_MIN = charsOf(0);
/** Nothing longer was ever made: a link whose address would be longer than 2,000 characters stays as it is. */
const CHARS_MAX = 2_048;
const ALPHABET = /^[A-Za-z0-9_-]+$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The token of the pixel in an email: always 60 characters. */
export const openToken = (email: TrackedEmail, key: Buffer): string => sealed('open', email, '', key);

/** The token of one link in an email. The target must be well-formed Unicode. */
export const clickToken = (email: TrackedEmail, target: string, key: Buffer): string =>
  sealed('click', email, target, key);

/** How long the click token of a target is, in characters. */
export const clickTokenChars = (target: string): number => charsOf(Buffer.byteLength(target, 'utf8'));

/** The email a pixel's token is of; undefined for anything we did not make for this purpose. */
export function readOpenToken(token: string, key: Buffer): TrackedEmail | undefined {
  const read = opened('open', token, key);
  return read === undefined || read.target !== ''
    ? undefined
    : { workspaceId: read.workspaceId, emailId: read.emailId };
}

/** The email and target of a link's token; undefined for anything we did not make for this purpose. */
export const readClickToken = (token: string, key: Buffer): TrackedClick | undefined => opened('click', token, key);

function sealed(purpose: Purpose, { workspaceId, emailId }: TrackedEmail, target: string, key: Buffer): string {
  const bytes = Buffer.allocUnsafe(TARGET_AT + Buffer.byteLength(target, 'utf8') + MAC_BYTES);
  bytes[0] = PURPOSES[purpose];
  idToBytes(workspaceId).copy(bytes, 1);
  idToBytes(emailId).copy(bytes, 1 + ID_BYTES);
  bytes.write(target, TARGET_AT, 'utf8');
  const signed = bytes.subarray(0, -MAC_BYTES);
  macOf(signed, key).copy(bytes, signed.length);
  return bytes.toString('base64url');
}

function opened(purpose: Purpose, token: string, key: Buffer): TrackedClick | undefined {
  if (token.length < CHARS_MIN || token.length > CHARS_MAX || !ALPHABET.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Decoding passes over bits that do not belong to a byte: only the spelling we write is ours.
  if (bytes.toString('base64url') !== token) return undefined;
  const signed = bytes.subarray(0, -MAC_BYTES);
  if (!timingSafeEqual(macOf(signed, key), bytes.subarray(-MAC_BYTES))) return undefined;
  if (signed[0] !== PURPOSES[purpose]) return undefined;
  return {
    workspaceId: idFromBytes(signed, 1),
    emailId: idFromBytes(signed, 1 + ID_BYTES),
    target: utf8.decode(signed.subarray(TARGET_AT)),
  };
}

const macOf = (signed: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(signed).digest().subarray(0, MAC_BYTES);

function charsOf(targetBytes: number): number {
  return Math.ceil(((TARGET_AT + targetBytes + MAC_BYTES) * 4) / 3);
}
