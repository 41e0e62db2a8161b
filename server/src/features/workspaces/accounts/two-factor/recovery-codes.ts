import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './totp.ts';

const CODES = 10;
/** 80 bits: nobody tries them out, so a plain hash keeps them. */
const CODE_BYTES = 10;
const CODE = /^[A-Z2-7]{16}$/;

/** Ten codes as they are shown once, such as `ABCD-EFGH-2345-WXYZ`, with their hashes. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const plain = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)));
  return { codes: plain.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')), hashes: plain.map(hashOf) };
}

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Undefined for a text that cannot be a recovery code. */
export function hashOfRecoveryCode(text: string): Buffer | undefined {
  const code = text.toUpperCase();
  return CODE.test(code) ? hashOf(code) : undefined;
}
