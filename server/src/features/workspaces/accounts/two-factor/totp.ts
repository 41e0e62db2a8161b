/** One-time passwords by time (RFC 6238) over HMAC-SHA1 with six digits and half a minute, as every app reads them. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
/** A clock may be half a minute off in either direction (RFC 6238, 5.2). */
const STEPS_AROUND = [0, -1, 1];
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const stepAt = (at: Date): number => Math.floor(at.getTime() / STEP_MS);

/** RFC 4226, 5.3. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const value = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step whose code this is; undefined: of none that is near. */
export const stepOfCode = (secret: Buffer, code: string, now: Date): number | undefined =>
  STEPS_AROUND.map((offset) => stepAt(now) + offset).find((step) => isSame(codeOf(secret, step), code));

/** Other letters and digits than ASCII have more bytes than characters. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** RFC 4648, 6, without padding. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The address that an app reads from a QR code. */
export function otpauthUrl(secret: Buffer, account: string): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer: 'Posthorn' });
  return `otpauth://totp/Posthorn:${encodeURIComponent(account)}?${query}`;
}
