import { randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';

const PURPOSE = 'webhook secret';
const RANDOM_BYTES = 32;

/** The stored secrets of an endpoint, sealed. */
export interface SealedSecrets {
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretUntil: Date | null;
}

const PREFIX = 'whsec_';

/**
 * 256 random bits behind a prefix by which scanners of leaked secrets know it. In base64 with padding, because the
 * `standardwebhooks` package takes no base64url.
 */
export const generateSecret = (): string => `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64')}`;

/** A secret that always follows from these bytes, for what has no row to keep one in. */
export const derivedSecret = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`;

/** The random bytes. Node decodes both alphabets, and secrets made before November 2026 are base64url. */
export const decodedSecret = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

export const sealSecret = (secrets: Secrets, secret: string): Buffer => secrets.seal(PURPOSE, Buffer.from(secret));

export const openSecret = (secrets: Secrets, sealed: Buffer): string => secrets.open(PURPOSE, sealed).toString();

/** The secrets that sign a delivery at this moment, new first: two of them while a rotation overlaps. */
export function openSecrets(secrets: Secrets, row: SealedSecrets, now: Date): string[] {
  const open = [openSecret(secrets, row.secret)];
  const { previousSecret, previousSecretUntil } = row;
  if (previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now) {
    open.push(openSecret(secrets, previousSecret));
  }
  return open;
}

/** For whoever may know the endpoint and not its secret. */
export const maskedSecret = (secret: string): string => `${PREFIX}••••${secret.slice(-4)}`;
