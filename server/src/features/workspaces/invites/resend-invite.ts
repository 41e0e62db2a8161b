import { inTransaction } from '#platform/db/database.ts';
import { forbidden, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { mayManageRole } from '../permissions/role-permissions.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import type { SendSystemMail } from '../wiring.ts';
import { getManagedWorkspace } from '../workspace-access.ts';
import { inviteExpiry, mailInviteLink } from './mail-invite-link.ts';
import { deleteInviteTokens, type Invite, lockInvite, prolongInvite } from './queries.ts';

/** Mails an invitation again, also one that has expired: with another link, good for another seven days. */
export async function resendInvite(
  ctx: Ctx,
  workspaceId: string,
  inviteId: string,
  sendSystemMail: SendSystemMail,
): Promise<Invite> {
  return inTransaction(ctx.db, async (tx) => {
    const actor = await getManagedWorkspace(ctx, tx, workspaceId);
    const id = inviteId.toLowerCase();
    const found = await lockInvite(tx, actor.id, id);
    if (found === undefined) throw notFound('invite', inviteId);
    if (!mayManageRole(actor.role, found.role)) throw forbidden('Only an owner can invite an owner.');
    // The link before may lie in a mailbox that somebody else reads by now.
    await deleteInviteTokens(tx, actor.id, id);
    const invite = await prolongInvite(tx, actor.id, id, inviteExpiry(ctx.clock.now()));
    if (invite === undefined) throw notFound('invite', inviteId);
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      {
        action: 'invite.resent',
        targetType: 'invite',
        targetId: id,
        details: { email: found.email, role: found.role },
      },
    );
    await mailInviteLink(ctx, tx, actor, invite, sendSystemMail);
    return invite;
  });
}
