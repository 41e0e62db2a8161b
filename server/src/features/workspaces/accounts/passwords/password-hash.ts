import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { busy } from '#platform/errors/app-error.ts';

/**
 * Passwords as argon2id in the PHC string format: $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>, base64 without padding.
 * Parameters are those OWASP gives as minimum: 19 MiB, two passes, one lane; about 45 ms on our reference machine.
 */
const CURRENT = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

// Each takes 19 MiB and a thread of libuv's four, which file and name look-ups need too.
const RUNNING_MAX = 2;
const WAITING_MAX = 64;

const argon2 = promisify(argon2Callback);

let running = 0;
const waiting: (() => void)[] = [];

/** At most two hashes run at a time; a flood of sign-ins queues up to a bound and is then refused. */
async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX) throw busy('Too many sign-ins at once. Try again in a moment.');
    await new Promise<void>((resolve) => waiting.push(resolve)); // the one who ends hands over its place
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

// One keyboard types é as one code point and another as two: the same password either way (RFC 8265 §4.2).
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'), 'utf8');

/** A new hash with a new salt, ready to store. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const hash = await oneOfFew(() =>
    argon2('argon2id', { message: bytesOf(password), nonce, tagLength: HASH_BYTES, ...CURRENT }),
  );
  const { memory, passes, parallelism } = CURRENT;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`;
}

/** Whether the password made this hash; false for anything that is no hash of ours. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = PHC.exec(stored);
  if (match === null) return false;
  const [, memory, passes, parallelism, salt = '', expectedText = ''] = match;
  const expected = Buffer.from(expectedText, 'base64');
  const actual = await oneOfFew(() =>
    argon2('argon2id', {
      message: bytesOf(password),
      nonce: Buffer.from(salt, 'base64'),
      tagLength: expected.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }),
  );
  return timingSafeEqual(actual, expected);
}

/** True when a hash was made with other parameters than today's: it is replaced at the next successful sign-in. */
export function needsRehash(stored: string): boolean {
  const match = PHC.exec(stored);
  if (match === null) return true;
  return (
    Number(match[1]) !== CURRENT.memory ||
    Number(match[2]) !== CURRENT.passes ||
    Number(match[3]) !== CURRENT.parallelism
  );
}

let decoy: Promise<string> | undefined;

/** Takes as long as a verification and is false: for an address that has no account, so that time tells nothing. */
export async function verifyNothing(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(SALT_BYTES).toString('hex'));
  await verifyPassword(password, await decoy);
  return false;
}
