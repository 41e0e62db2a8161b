import type { Db } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../newsletter.ts';
import { upsertSlug } from '../queries.ts';

/**
 * Gives the newsletter its slug, and sets the one it had free, which leads to it until somebody takes it. 409 when
 * another newsletter has it, in this workspace or in another: the answer does not say in which. Of two that take it
 * at the same time the second waits for the first.
 */
export async function takeSlug(tx: Db, { workspaceId, id, slug }: Newsletter): Promise<void> {
  if (!(await upsertSlug(tx, workspaceId, id, slug))) throw conflict(`The slug ${slug} is taken.`, 'slug');
}
