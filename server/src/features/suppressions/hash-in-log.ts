import type { Secrets } from '#platform/crypto/secrets.ts';
import { macOf } from '#platform/crypto/mac.ts';

const BYTES = 16;

/** An address in a log that nobody can change: who knows the address can find it, and it tells no other. */
export const hashInLog = (secrets: Secrets, identity: string): string =>
  macOf(secrets.key('suppression log'), identity, BYTES).toString('hex');
