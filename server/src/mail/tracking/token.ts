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
import { readToken, signToken, tokenChars } from '#platform/crypto/signed-bytes.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/** The email that a token speaks of. Ids are lower-case UUIDs. */
export interface TrackedEmail {
  workspaceId: string;
  emailId: string;
}

/** The content of a valid click token. */
export interface TrackedClick extends TrackedEmail {
  target: string;
}

const PURPOSES = { open: 0x11, click: 0x12 } as const;
type Purpose = keyof typeof PURPOSES;

const ID_BYTES = 16;
const TARGET_AT = 1 + 2 * ID_BYTES;
const MAC_BYTES = 12;
/** A click token is part of an address of at most 2,000 characters, so no longer one was ever made. */
const TARGET_BYTES_MAX = 1_491;
const FORM = { macBytes: MAC_BYTES, payloadBytes: { min: TARGET_AT, max: TARGET_AT + TARGET_BYTES_MAX } };
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The token of the pixel in an email: always 60 characters. */
export const openToken = (email: TrackedEmail, key: Buffer): string => sealed('open', email, '', key);

/** The token of one link in an email. The target must be well-formed Unicode. */
export const clickToken = (email: TrackedEmail, target: string, key: Buffer): string =>
  sealed('click', email, target, key);

/** How long the click token of a target is, in characters. */
export const clickTokenChars = (target: string): number =>
  tokenChars(TARGET_AT + Buffer.byteLength(target, 'utf8'), MAC_BYTES);

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
  const payload = Buffer.allocUnsafe(TARGET_AT + Buffer.byteLength(target, 'utf8'));
  payload[0] = PURPOSES[purpose];
  idToBytes(workspaceId).copy(payload, 1);
  idToBytes(emailId).copy(payload, 1 + ID_BYTES);
  payload.write(target, TARGET_AT, 'utf8');
  return signToken(key, payload, FORM);
}

function opened(purpose: Purpose, token: string, key: Buffer): TrackedClick | undefined {
  const payload = readToken(key, token, FORM);
  if (payload === undefined || payload[0] !== PURPOSES[purpose]) return undefined;
  return {
    workspaceId: idFromBytes(payload, 1),
    emailId: idFromBytes(payload, 1 + ID_BYTES),
    target: utf8.decode(payload.subarray(TARGET_AT)),
  };
}
