import { AppError } from '#platform/errors/app-error.ts';

/** Checks that callers wait for, in one process. */
const PLACES = 40;
const OF_A_WORKSPACE = 5;
/** By then most checks have ended. */
const RETRY_SECONDS = 10;

export interface CheckPlaces {
  /** Does it in a place of this workspace. Throws 429 when the workspace has no place left, or nobody has. */
  within<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
}

/**
 * A check waits up to 20 seconds for servers of somebody else, and a workspace may have any number of domains: it gets
 * an eighth of the checks of a process, so that its name servers delay nobody else.
 */
export function createCheckPlaces(): CheckPlaces {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    async within(workspaceId, work) {
      const own = taken.get(workspaceId) ?? 0;
      if (own >= OF_A_WORKSPACE || all >= PLACES) {
        const whose = own >= OF_A_WORKSPACE ? 'of this workspace ' : '';
        const message = `Too many checks ${whose}are under way. Try again in ${RETRY_SECONDS} seconds.`;
        throw new AppError('rate_limit_error', message, { retryAfterSeconds: RETRY_SECONDS });
      }
      taken.set(workspaceId, own + 1);
      all += 1;
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (taken.get(workspaceId) ?? 1) - 1;
        if (left === 0) taken.delete(workspaceId);
        else taken.set(workspaceId, left);
      }
    },
  };
}
