import { randomBytes } from 'node:crypto';

const BYTES = 15; // 20 characters, 120 bits

/** A password for somebody who did not choose one: printed once, and kept as a hash only. */
export const generatePassword = (): string => randomBytes(BYTES).toString('base64url');
