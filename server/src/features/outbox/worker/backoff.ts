const FIRST_SECONDS = 5;
const LONGEST_SECONDS = 3_600;
/** Counted from the first attempt; then the email has failed. */
export const TRIED_FOR_SECONDS = 24 * 3_600;

/**
 * Seconds before the next attempt after `attempts` of them: 5, 10, 20 … 3,600, of which the last fifth is by chance
 * (`random` in [0, 1)), so that what failed together does not come back together.
 */
export function backoffSeconds(attempts: number, random: number): number {
  const whole = Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** Math.min(20, Math.max(0, attempts - 1)));
  return Math.max(FIRST_SECONDS, whole * (0.8 + 0.2 * random));
}
