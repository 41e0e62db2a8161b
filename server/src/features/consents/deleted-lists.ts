import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { peopleErased } from './announcements.ts';
import { hashOfAddress } from './consent.ts';
import { deleteEmptyList, lapseLists, listPeopleOfHash, pageDeletedLists } from './deleted-lists-queries.ts';
import { erasePeople } from './erase-people.ts';
import { deletePageOfConsents } from './queries.ts';

const LISTS_AT_ONCE = 100;
const PAGE = 2_000;

/** Removes the consents of lists that were deleted longer ago than they are kept, page by page. */
export async function forgetLapsedLists(db: Db, days: number, goOn: () => boolean = () => true): Promise<void> {
  for (const list of await lapseLists(db, days, LISTS_AT_ONCE)) {
    for (let page = PAGE; page === PAGE; ) {
      if (!goOn()) return;
      page = await deletePageOfConsents(db, list, PAGE);
    }
    await deleteEmptyList(db, list);
  }
}

/**
 * Erases an address from what is kept of the deleted lists of a workspace, or of these. Times and a keyed hash stay.
 * Returns from how many lists.
 */
export async function eraseFromDeletedLists(
  { db, secrets }: { db: Db; secrets: Secrets },
  asked: { workspaceId: string; ids: readonly string[] },
  { email, at }: { email: string; at: Date },
): Promise<number> {
  let erased = 0;
  let after: string | null = null;
  do {
    const lists = await pageDeletedLists(db, asked, { limit: LISTS_AT_ONCE, offset: 0, after });
    for (const { workspaceId, id: listId } of lists.slice(0, LISTS_AT_ONCE)) {
      const list = { workspaceId, listId };
      erased += await inTransaction(db, async (tx) => {
        const people = await listPeopleOfHash(tx, list, hashOfAddress(secrets, email));
        if (people.length === 0) return 0;
        // A row that went on to another address is somebody else's, whose proof stays.
        const rows = people.map(({ id, isTheirs }) => ({ id: isTheirs ? id : null, email }));
        const former = await erasePeople(tx, secrets, list, rows, at);
        await peopleErased.announce(tx, { workspaceId, emails: [email, ...former], at });
        return 1;
      });
    }
    after = lists.length > LISTS_AT_ONCE ? (lists[LISTS_AT_ONCE - 1]?.id ?? null) : null;
  } while (after !== null);
  return erased;
}
