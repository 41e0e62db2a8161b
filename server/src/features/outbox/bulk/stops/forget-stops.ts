import type { Db } from '#platform/db/database.ts';
import { deletePageOfStops, type StoppedAudience, selectStoppedAudience } from './stops-queries.ts';

const PAGE = 2_000;

/**
 * Removes stops that nothing needs any more: those from before the oldest send to their audience of which something may
 * still leave. A send that was opened later has frozen nobody who had left by then. Any number of processes may do it.
 * Returns how many went.
 */
export async function forgetStops(db: Db, goOn: () => boolean = () => true): Promise<number> {
  let removed = 0;
  let after: StoppedAudience | null = null;
  for (;;) {
    const audience: StoppedAudience | undefined = await selectStoppedAudience(db, after);
    if (audience === undefined) return removed;
    for (let page = PAGE; page === PAGE; removed += page) {
      if (!goOn()) return removed;
      page = await deletePageOfStops(db, audience, PAGE);
    }
    after = audience;
  }
}
