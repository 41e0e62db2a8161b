import { randomInt } from 'node:crypto';
import type { Clock } from '../clock.ts';

/** Longer than a sign-up that stores a subscriber and queues an email; shorter than a person notices. */
const AT_LEAST_MS = 100;
/** A random wait up to this hides the remaining differences, such as a timer that waits for other work. */
const NOISE_MS = 30;

/**
 * Does the work, and takes a time that does not depend on the result: neither the answer nor its time may tell
 * whether an address is on a list. The work is done and committed before the wait.
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
