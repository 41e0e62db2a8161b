import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import type { Newsletter } from '../newsletter.ts';
import type { Issue } from './issue.ts';
import { findIssue, holdNewsletter, lockIssue } from './queries.ts';

/**
 * The issue of this newsletter with this id. Not found for an id that is none, is unknown, or belongs to another
 * newsletter, of this workspace or of another.
 */
export async function getIssue(ctx: { readonly db: Db }, newsletter: Newsletter, id: string): Promise<Issue> {
  const found = isUuid(id) ? await findIssue(ctx.db, newsletter.workspaceId, newsletter.id, id) : undefined;
  if (found === undefined) throw notFound('issue', id);
  return found;
}

/** The same, held by the transaction: of two moves at once the second sees what the first has done. */
export async function getLockedIssue(tx: Db, newsletter: Newsletter, id: string): Promise<Issue> {
  const found = isUuid(id) ? await lockIssue(tx, newsletter.workspaceId, newsletter.id, id) : undefined;
  if (found === undefined) throw notFound('issue', id);
  return found;
}

/**
 * The issue, held for a change. The send of a paused one is held before it, as everywhere, and the newsletter before
 * both. Undefined: it is not there.
 */
export async function lockWithPausedSend(
  { db, workspaceId }: { readonly db: Db; readonly workspaceId: string },
  newsletterId: string,
  id: string,
): Promise<{ issue: Issue; isPaused: boolean } | undefined> {
  if (!(await holdNewsletter(db, workspaceId, newsletterId))) return undefined;
  const sendId = (await findIssue(db, workspaceId, newsletterId, id))?.sendId ?? null;
  const isPaused = sendId !== null && (await bulkSends.holdPaused(db, { workspaceId, sendId }));
  const issue = await lockIssue(db, workspaceId, newsletterId, id);
  return issue && { issue, isPaused };
}
