import type { Clock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { deletePageOfContacts, endContactPurge, findContactPurge, insertContactPurge } from './purge-queries.ts';

const PAGE = 2_000;
const NAME = 'contacts of deleted workspaces';

/** In the transaction that deletes a workspace: nobody reaches its contacts any more, and they go page by page. */
export const queueContactPurge = (tx: Db, workspaceId: string): Promise<void> => insertContactPurge(tx, workspaceId);

/** Removes a page of the contacts of a deleted workspace. False: there is no more. */
export async function purgeContacts(db: Db): Promise<boolean> {
  const workspaceId = await findContactPurge(db);
  if (workspaceId === undefined) return false;
  if ((await deletePageOfContacts(db, workspaceId, PAGE)) === 0) {
    await inTransaction(db, (tx) => endContactPurge(tx, workspaceId));
  }
  return true;
}

/** The same once an hour, in one process. */
export const purgeContactsService = (parts: { db: Db; clock: Clock; log: Log }): Service => {
  const of = { ...parts, name: NAME };
  return hourlyService(
    of,
    'contacts of deleted workspaces could not be removed; trying again later',
    (goOn, stopping) => inThisHour(of, ({ everyPage }) => everyPage(() => purgeContacts(parts.db)), goOn, stopping),
  );
};
