import { signal } from '#platform/work/signal.ts';

/**
 * "There is something to read or to apply." `earliestAt` is the time of the earliest event that was stored. The
 * service also looks every half second, for the work of other processes.
 */
export const feedbackWork = signal<{ earliestAt?: Date }>();
