import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { updateWorkspace } from './queries.ts';
import { recordSecurityEvent } from './security-log/record-security-event.ts';
import { type Membership, readTimezone } from './workspace.ts';
import { getManagedWorkspace } from './workspace-access.ts';

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
