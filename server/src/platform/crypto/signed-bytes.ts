import { isMacOf, macOf } from './mac.ts';

/**
 * The one form of what we sign and get back from strangers: the payload, then its MAC. The key is of one purpose
 * (`secrets.key(purpose)`), so what was made for one purpose is refused by every other. Anyone who holds a token can
 * read its payload; nobody else can make one.
 *
 * `macBytes`: 32 is the whole hash; 12 and more is enough for what is guessed over a network.
 */
export function withMac(key: Buffer, payload: Buffer, macBytes: number): Buffer {
  const signed = Buffer.allocUnsafe(payload.length + macBytes);
  payload.copy(signed);
  macOf(key, payload, macBytes).copy(signed, payload.length);
  return signed;
}

/** The payload of what `withMac` made with the same key and length; undefined for anything else. */
export function withoutMac(key: Buffer, signed: Buffer, macBytes: number): Buffer | undefined {
  if (signed.length < macBytes) return undefined;
  const payload = signed.subarray(0, signed.length - macBytes);
  return isMacOf(key, payload, signed.subarray(payload.length)) ? payload : undefined;
}

export interface TokenForm {
  macBytes: number;
  /** Payloads shorter or longer were never signed: a token of another length is refused before a hash is computed. */
  payloadBytes: number | { min: number; max: number };
}

/** A token for a URL, a form or a header: `withMac` as base64url without padding (RFC 4648 §5). */
export const signToken = (key: Buffer, payload: Buffer, { macBytes }: Pick<TokenForm, 'macBytes'>): string =>
  withMac(key, payload, macBytes).toString('base64url');

/** The payload of a token that `signToken` made; undefined for anything else, in whatever spelling. */
export function readToken(key: Buffer, token: string, { macBytes, payloadBytes }: TokenForm): Buffer | undefined {
  const { min, max } = typeof payloadBytes === 'number' ? { min: payloadBytes, max: payloadBytes } : payloadBytes;
  if (token.length < tokenChars(min, macBytes) || token.length > tokenChars(max, macBytes)) return undefined;
  const signed = fromBase64url(token);
  return signed === undefined ? undefined : withoutMac(key, signed, macBytes);
}

/** How many characters the token of a payload has. */
export const tokenChars = (payloadBytes: number, macBytes: number): number =>
  Math.ceil(((payloadBytes + macBytes) * 4) / 3);

/**
 * The bytes of a text in base64url; undefined when it is not exactly as we write it. Decoders forgive padding, white
 * space, the other alphabet and loose last bits: a token would have several spellings, and be several tokens to whoever
 * compares texts.
 */
export function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
