import { type Db, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { type AddedSuppression, suppressionsAdded } from './announcements.ts';
import { publishSuppressed } from './publish-suppressed.ts';
import { type ChangedSuppression, upsertSuppressions } from './queries.ts';
import type { NewSuppression } from './suppression.ts';

/** Addresses in one statement, and in one announcement. */
const SUPPRESSIONS_PAGE = 1_000;

/**
 * Stops mail from this workspace to an address. Every way into the list (provider events, API, import) comes through
 * here, so that whatever must follow from a suppression follows from all of them. Adding an address that is there
 * already changes nothing, unless the new reason is stronger (complaint over hard bounce over manual) or the old entry
 * would have expired.
 */
export async function addSuppression(
  ctx: { db: Db; workspaceId: string },
  suppression: NewSuppression,
): Promise<{ added: boolean }> {
  const [added] = await addSuppressions(ctx.db, [{ ...suppression, workspaceId: ctx.workspaceId }]);
  return { added: added === true };
}

/**
 * The same for many, of any workspaces; answers in the order given which ones are new (an address given twice is new
 * the first time). It joins the caller's transaction or makes one: what reacts to the announcement is committed with
 * the suppressions or undoes them, and so is the event `email.suppressed` of each address that was not suppressed
 * before.
 */
export async function addSuppressions(
  db: Db,
  suppressions: readonly (NewSuppression & { workspaceId: string })[],
): Promise<boolean[]> {
  if (suppressions.length === 0) return [];
  const keyOf = (one: { workspaceId: string; identity: string }): string => `${one.workspaceId} ${one.identity}`;
  // In the order of their keys over all pages: two callers with the same addresses wait, and do not deadlock.
  const ordered = suppressions
    .map((one) => ({ ...one, id: newId(), key: keyOf(one) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const fresh = await inTransaction(db, async (tx) => {
    const news = new Set<string>();
    for (let from = 0; from < ordered.length; from += SUPPRESSIONS_PAGE) {
      const changed = await upsertSuppressions(tx, ordered.slice(from, from + SUPPRESSIONS_PAGE));
      for (const row of changed) if (row.isNew) news.add(keyOf(row));
      const told = changed.filter((row) => row.isNew || row.reasonChanged);
      if (told.length > 0) await suppressionsAdded.announce(tx, told.map(newsOf));
      await publishSuppressed(
        tx,
        changed.filter((row) => row.isNew),
      );
    }
    return news;
  });
  return suppressions.map((one) => fresh.delete(keyOf(one)));
}

const newsOf = ({ workspaceId, identity, reason, sourceEmailId, isNew }: ChangedSuppression): AddedSuppression => ({
  workspaceId,
  identity,
  reason,
  sourceEmailId,
  isNew,
});
