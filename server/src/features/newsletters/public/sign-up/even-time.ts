import { randomInt } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';

/** Longer than a sign-up takes that stores somebody and queues an email; shorter than a person notices. */
const AT_LEAST_MS = 100;
/** What is left of a difference (a timer that waits for other work) drowns in this. */
const NOISE_MS = 30;

/**
 * Does the work, and takes a time that does not depend on what it found: neither the answer nor its time may tell
 * whether an address is on a list. The work itself is done, and committed, before the wait.
 */
export async function inEvenTime<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  const due = clock.monotonicMs() + AT_LEAST_MS + randomInt(NOISE_MS);
  try {
    return await work();
  } finally {
    const leftMs = due - clock.monotonicMs();
    if (leftMs > 0) await clock.sleep(leftMs);
  }
}
