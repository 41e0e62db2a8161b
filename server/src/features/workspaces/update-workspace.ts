import { inTransaction } from '#platform/db/database.ts';
import { conflict, forbidden, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { deleteWorkspaceRow, updateWorkspace } from './queries.ts';
import { recordSecurityEvent } from './security-log/record-security-event.ts';
import { type Membership, readTimezone } from './workspace.ts';
import { getManagedWorkspace, getMembership } from './workspace-access.ts';
import type { WorkspaceReaction } from './wiring.ts';

/** Renames a workspace or moves it to another time zone. The slug stays: links are made of it. */
export async function changeWorkspace(
  ctx: Ctx,
  workspaceId: string,
  input: { name?: string; timezone?: string },
): Promise<Membership> {
  const timezone = input.timezone === undefined ? null : readTimezone(input.timezone);
  return inTransaction(ctx.db, async (tx) => {
    const membership = await getManagedWorkspace(ctx, tx, workspaceId);
    const changed = await updateWorkspace(tx, membership.id, {
      name: input.name ?? null,
      timezone,
      now: ctx.clock.now(),
    });
    if (changed === undefined) throw notFound('workspace', workspaceId);
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: membership.id },
      { action: 'workspace.updated', targetType: 'workspace', targetId: membership.id, details: { ...input } },
    );
    return { ...changed, role: membership.role };
  });
}

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
    if (membership.role !== 'owner') throw forbidden('Only an owner can delete a workspace.');
    if (membership.isHome) throw conflict('This workspace sends the mail of the installation and cannot be deleted.');
    for (const react of reactions) await react(tx, membership.id);
    await deleteWorkspaceRow(tx, membership.id);
  });
  // Its own log went with it; this line is what is left.
  ctx.log.warn({ workspaceId, userId: ctx.actor.id }, 'workspace deleted');
}
