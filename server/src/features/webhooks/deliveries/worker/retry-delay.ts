/** No receiver may put us off for longer. */
const RETRY_AFTER_SECONDS_MAX = 3_600;

/**
 * Seconds until the next attempt after `attempts` of them; undefined: that was the last. `waits` are those of the
 * setting, each 20 % longer or shorter by chance (`random` in [0, 1)), so that what failed together does not come
 * back together. A wait that a 429 or 503 asked for (Retry-After) is honoured up to an hour when it is longer.
 */
export function retryDelaySeconds(
  attempts: number,
  waits: readonly number[],
  retryAfterSeconds: number | null,
  random: number,
): number | undefined {
  const wait = waits[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.max(wait * (0.8 + 0.4 * random), Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX));
}
