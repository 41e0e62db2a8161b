import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import { getManagedWorkspace } from '../workspace-access.ts';
import { revokeInvite } from './queries.ts';

/** Makes the link of an invitation worthless. */
export async function withdrawInvite(ctx: Ctx, workspaceId: string, inviteId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const actor = await getManagedWorkspace(ctx, tx, workspaceId);
    const revoked = await revokeInvite(tx, actor.id, inviteId.toLowerCase(), ctx.clock.now());
    if (revoked === undefined) throw notFound('invite', inviteId);
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      { action: 'invite.revoked', targetType: 'invite', targetId: inviteId, details: { email: revoked.email } },
    );
  });
}
