import { busy } from '#platform/errors/app-error.ts';

/** Each holds a connection and up to 10 MB. */
const AT_ONCE = 8;
/** One workspace whose servers hang leaves places for the others. */
const OF_ONE = 2;
const RETRY_AFTER_SECONDS = 5;

export type FetchLimit = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;

/** Fetches eight images at a time in this process, two of one workspace. Nobody waits: 503 beyond. */
export function createFetchLimit(): FetchLimit {
  const running: string[] = [];
  return async (workspaceId, work) => {
    const own = running.filter((one) => one === workspaceId).length;
    if (running.length >= AT_ONCE || own >= OF_ONE)
      throw busy('Other images are being fetched at this moment. Try again in a moment.', RETRY_AFTER_SECONDS);
    running.push(workspaceId);
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(workspaceId), 1);
    }
  };
}
