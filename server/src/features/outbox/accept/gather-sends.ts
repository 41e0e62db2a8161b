import type { Db } from '#platform/db/database.ts';
import { gatherer } from '#platform/work/gatherer.ts';
import { bytesOf } from './accepted-send.ts';
import { type InsertedSend, insertSends, type SendToInsert } from './queries/accept-sends.ts';

const PAGE_MAX = 64;
// Larger sends go alone: they would make the others wait.
const BYTES_MAX = 65_536;
const RECIPIENTS_MAX = 50;

/** A send that is small enough to share a statement and a commit with others. */
export function mayShare({ send, addresses }: SendToInsert): boolean {
  if (send.variants !== undefined) return false;
  return addresses.length <= RECIPIENTS_MAX && bytesOf(send.content) <= BYTES_MAX;
}

/**
 * Stores a send with those that come at the same time, and returns once they are committed. They take their places in
 * limits together, in the order in which they came.
 */
export const gatherSend: (db: Db, given: SendToInsert) => Promise<InsertedSend> = gatherer({
  pageMax: PAGE_MAX,
  store: (db, page: readonly SendToInsert[]) =>
    insertSends(
      db,
      page,
      page.map(({ send }) => send.takes),
    ),
});
