/** SQLSTATE, or the name that the system has for what failed (`ECONNRESET`). */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
};

/** SQLSTATE of an error that PostgreSQL answered (five characters), or undefined. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// Shutting down, crashed, starting up, idle too long (twice), a standby after a failover, too many connections, disk
// full, out of memory, I/O error, lock and statement time limits; and all of class 08 (connection).
const UNAVAILABLE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  '25006',
  '53300',
  '53100',
  '53200',
  '58030',
  '55P03',
  '57014',
]);
const LOST =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable|Cannot use a pool after/;

/**
 * The database cannot be reached or cannot work just now: the request is answered 503. The interrupted work may be
 * done.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (NETWORK.has(code) || UNAVAILABLE.has(code) || code.startsWith('08'))) return true;
  return error instanceof Error && LOST.test(error.message);
}

/** Deadlock or serialization failure: running the transaction again is expected to work. */
export function isTransientConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40P01' || state === '40001';
}
