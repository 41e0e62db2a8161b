import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyObjectOf } from './key-objects.ts';

/**
 * HMAC-SHA256 (RFC 2104), cut to `bytes` when given. §5 there allows half of the hash, and never less than 80 bits,
 * for what is checked here at the speed of a disk; a shorter one has its reason where it is made.
 */
export function macOf(key: Buffer, data: Buffer | string, bytes = 32): Buffer {
  const mac = createHmac('sha256', keyObjectOf(key)).update(data).digest();
  return bytes === mac.length ? mac : mac.subarray(0, bytes);
}

/** Compares in a time that does not depend on where the two differ. */
export function isMacOf(key: Buffer, data: Buffer | string, mac: Buffer): boolean {
  return mac.length > 0 && mac.length <= 32 && timingSafeEqual(macOf(key, data, mac.length), mac);
}
