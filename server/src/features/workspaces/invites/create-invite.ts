import { inTransaction } from '#platform/db/database.ts';
import { conflict, forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { readEmail } from '../accounts/user.ts';
import { findMemberByEmail } from '../members/queries.ts';
import { mayManageRole, type Role } from '../permissions/role-permissions.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import type { SendSystemMail } from '../wiring.ts';
import { getManagedWorkspace, userIdOf } from '../workspace-access.ts';
import { inviteExpiry, mailInviteLink } from './mail-invite-link.ts';
import { type Invite, insertInvite, revokeExpiredInvite } from './queries.ts';

/** Invites an address. */
export async function createInvite(
  ctx: Ctx,
  workspaceId: string,
  input: { email: string; role: Role },
  sendSystemMail: SendSystemMail,
): Promise<Invite> {
  const email = readEmail(input.email);
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (tx) => {
    const actor = await getManagedWorkspace(ctx, tx, workspaceId);
    if (!mayManageRole(actor.role, input.role)) throw forbidden('Only an owner can invite an owner.', 'role');
    if ((await findMemberByEmail(tx, actor.id, email)) !== undefined) {
      throw conflict('This person is a member already.', 'email');
    }
    await revokeExpiredInvite(tx, actor.id, email, now);
    const invite = await insertInvite(tx, {
      workspaceId: actor.id,
      id: newId(),
      email,
      role: input.role,
      invitedBy: userIdOf(ctx),
      expiresAt: inviteExpiry(now),
      now,
    });
    if (invite === undefined)
      throw conflict('This address has an open invitation. Send it again, or withdraw it first.', 'email');
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      { action: 'invite.created', targetType: 'invite', targetId: invite.id, details: { email, role: input.role } },
    );
    await mailInviteLink(ctx, tx, actor, invite, sendSystemMail);
    return invite;
  });
}
