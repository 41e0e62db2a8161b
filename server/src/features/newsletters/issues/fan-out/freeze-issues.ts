import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { pageOfActiveSubscribers } from './queries.ts';

/** By measurement (bench/freeze.bench.ts): larger pages are no faster, and hold the send and its cancel up longer. */
const PAGE = 5_000;

/**
 * Freezes the recipients of every issue that is being sent, one page of each in turn, so that a small list does not wait
 * for a large one. Ends when there is nothing left that another process is not at. Returns how many recipients.
 */
export async function freezeIssues(db: Db, goOn: () => boolean = () => true, page = PAGE): Promise<number> {
  let frozen = 0;
  for (let moved = true; moved && goOn(); ) {
    moved = false;
    for (const send of await bulkSends.freezing(db)) {
      if (!goOn()) break;
      const result = await bulkSends.freeze(
        db,
        send,
        (after, limit) => pageOfActiveSubscribers(send, after, limit),
        page,
      );
      if (result.outcome !== 'page' && result.outcome !== 'closed') continue;
      frozen += result.recipients;
      moved = true;
    }
  }
  return frozen;
}
