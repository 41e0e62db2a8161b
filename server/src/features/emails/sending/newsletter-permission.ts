import { requireKeyForNewsletter } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';

/** The dependencies of sending on features above it, given by main. */
export interface SendingPorts {
  /** Which of these ids are no newsletter of the workspace. */
  missingNewsletters(db: Db, workspaceId: string, ids: readonly string[]): Promise<readonly string[]>;
}

/**
 * Refuses newsletters that an email may not belong to: 403 for one outside of what the key is restricted to, 422 for
 * one that this workspace does not have. Another workspace's is unknown like any other.
 */
export async function requireNewsletter(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'>,
  newsletterId: string | null,
  ports: SendingPorts,
): Promise<void> {
  if (newsletterId === null) return;
  requireKeyForNewsletter(ctx.actor, newsletterId, 'newsletterId');
  const missing = await ports.missingNewsletters(ctx.db, ctx.workspaceId, [newsletterId]);
  if (missing.length > 0) throw unacceptable('newsletterId', 'newsletterId is not in this workspace.');
}
