import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { deleteWorkspaceRow } from './queries.ts';
import { getMembership, requireOwner } from './workspace-access.ts';
import type { WorkspaceReaction } from './wiring.ts';

/**
 * Deletes a workspace and everything in it. Features whose rows do not hang on the workspace by a foreign key (the
 * queue) react first, in the same transaction.
 */
export async function deleteWorkspace(
  ctx: Ctx,
  workspaceId: string,
  reactions: readonly WorkspaceReaction[],
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const membership = await getMembership(ctx, tx, workspaceId);
    requireOwner(membership);
    if (membership.isHome) throw conflict('This workspace sends the mail of the installation and cannot be deleted.');
    for (const react of reactions) await react(tx, membership.id);
    await deleteWorkspaceRow(tx, membership.id);
  });
  // Its own log went with it; this line is what is left.
  ctx.log.warn({ workspaceId, userId: ctx.actor.id }, 'workspace deleted');
}
