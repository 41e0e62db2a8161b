import { AppError } from '#platform/errors/app-error.ts';

/** An import has its file in memory and keeps a processor and a connection busy for a minute. */
const AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 15;

/** Runs at most two at a time in this process; whoever comes third is told to come back, and nothing of it is done. */
export function createImportSlots(): <T>(work: () => Promise<T>) => Promise<T> {
  let underWay = 0;
  return async (work) => {
    if (underWay >= AT_ONCE) {
      throw new AppError('service_unavailable_error', 'Other imports are under way. Send the file again in a while.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  };
}
