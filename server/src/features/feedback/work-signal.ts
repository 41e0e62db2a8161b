import { signal } from '#platform/work/signal.ts';

/**
 * "There is something to read or to apply." The service also looks every half second, for the work of other
 * processes.
 */
export const feedbackWork = signal();
