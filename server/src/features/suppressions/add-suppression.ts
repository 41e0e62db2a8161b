import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { upsertSuppressions } from './queries.ts';
import type { NewSuppression } from './suppression.ts';

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

/** The same for many, of any workspaces, in one statement; answers in the order given which ones are new. */
export async function addSuppressions(
  db: Db,
  suppressions: readonly (NewSuppression & { workspaceId: string })[],
): Promise<boolean[]> {
  if (suppressions.length === 0) return [];
  const added = await upsertSuppressions(
    db,
    suppressions.map((suppression) => ({ ...suppression, id: newId() })),
  );
  const names = new Set(added.map((row) => `${row.workspaceId} ${row.identity}`));
  return suppressions.map((suppression) => names.has(`${suppression.workspaceId} ${suppression.identity}`));
}
