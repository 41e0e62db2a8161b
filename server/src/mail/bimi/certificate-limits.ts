/** Real ones have 8 to 60 KB. */
export const MAX_CERTIFICATE_BYTES = 256 * 1024;
/** Days before the end at which somebody has to be told. */
export const EXPIRY_DAYS = [60, 30, 7] as const;
const DAY_MS = 86_400_000;

/** How many of `EXPIRY_DAYS` have been reached: 0 for a certificate with time left, 3 in the last week and after it. */
export const expiryStep = (expiresAt: Date, now: Date): number =>
  EXPIRY_DAYS.filter((days) => expiresAt.getTime() - now.getTime() <= days * DAY_MS).length;
