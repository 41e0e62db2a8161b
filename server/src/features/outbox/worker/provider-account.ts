import type { Db } from '#platform/db/database.ts';
import { pausePace, setProviderRate } from './queries/pace.ts';

/**
 * Tells the engine what the provider's account allows, in recipients per second. All processes keep to the lower of
 * this and the setting from their next slots on. null, or what is no rate, takes the word back.
 */
async function noteProviderRate(db: Db, ratePerSecond: number | null): Promise<void> {
  await setProviderRate(db, ratePerSecond !== null && ratePerSecond > 0 ? ratePerSecond : null);
}

/** The quota of the provider is used up: nothing leaves for so long, and the queue says why. */
async function pauseForQuota(db: Db, seconds: number, words: string): Promise<void> {
  await pausePace(db, seconds, `quota: ${words}`);
}

/** The words of the provider's account to the engine. */
export const providerAccount = { noteProviderRate, pauseForQuota };
