import { signal } from '#platform/work/signal.ts';

/**
 * "There is something to do for a bulk send": one was opened, its freeze was closed, it goes on or was cancelled.
 * A listener also polls every half second, which is how other processes learn of it.
 */
export const bulkWork = signal();
