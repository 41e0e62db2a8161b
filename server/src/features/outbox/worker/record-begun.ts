import type { Db } from '#platform/db/database.ts';
import { gatherer } from '#platform/work/gatherer.ts';
import type { ClaimedEmail } from './queries/claim-emails.ts';
import { recordBegun } from './queries/record-begun.ts';

// At most as many begin at once as there are connections.
const PAGE_MAX = 200;

/**
 * Puts on record that the hand-off of an email has begun. Emails that begin together share a statement and its commit.
 * False: the email is not ours any more, or not by this claim.
 */
export function createBeginnings(db: Db): (email: ClaimedEmail) => Promise<boolean> {
  const record = gatherer<ClaimedEmail, boolean>({
    pageMax: PAGE_MAX,
    async store(own, emails) {
      const begun = await recordBegun(own, emails);
      return emails.map((email) => begun.has(email));
    },
  });
  return (email) => record(db, email);
}
