import type { Db } from '#platform/db/database.ts';
import type { Audience } from '../audience.ts';
import { selectFreezing } from './freeze-queries.ts';
import { freezeRecipients } from './freeze-recipients.ts';

/** By measurement (bench/freeze.bench.ts): larger pages are no faster, and hold the send and its cancel up longer. */
export const FREEZE_PAGE = 5_000;

/**
 * Freezes the recipients of every send to these kinds of audiences, one page of each in turn: a small list does not
 * wait for a large one. Ends when there is nothing left that another process is not at. Returns how many recipients.
 */
export async function freezeSends(
  db: Db,
  audiences: readonly Pick<Audience, 'kind' | 'page' | 'pageSize'>[],
  goOn: () => boolean = () => true,
  page = FREEZE_PAGE,
): Promise<number> {
  let frozen = 0;
  for (let moved = true; moved && goOn(); ) {
    moved = false;
    for (const send of await selectFreezing(db)) {
      if (!goOn()) break;
      const audience = audiences.find(({ kind }) => kind === send.kind);
      if (audience === undefined) continue; // of a newer release: a process that knows it freezes it
      const result = await freezeRecipients(
        db,
        send,
        (after, limit, part) => audience.page({ ...send, part }, after, limit),
        Math.min(page, audience.pageSize ?? page),
      );
      if (result.outcome !== 'page' && result.outcome !== 'closed') continue;
      frozen += result.recipients;
      moved = true;
    }
  }
  return frozen;
}
