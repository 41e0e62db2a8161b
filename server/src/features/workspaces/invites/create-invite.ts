import { createHash } from 'node:crypto';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { inviteMail } from '../accounts/account-mails.ts';
import { readEmail } from '../accounts/user.ts';
import { newLinkToken } from '../accounts/user-token.ts';
import { findMemberByEmail } from '../members/queries.ts';
import { mayManageRole, type Role } from '../permissions/role-permissions.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import type { SendSystemMail } from '../wiring.ts';
import { getManagedWorkspace, userIdOf } from '../workspace-access.ts';
import { type Invite, insertInvite, insertInviteToken, revokeExpiredInvite } from './queries.ts';

const LIFE_MS = 7 * 86_400_000;

/**
 * Invites an address. The link goes out by mail only and is never shown to the inviter: it is what proves, when it is
 * used, that the mailbox is theirs.
 */
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
      expiresAt: new Date(now.getTime() + LIFE_MS),
      now,
    });
    if (invite === undefined)
      throw conflict('This address has an open invitation. Revoke it to send another.', 'email');
    const token = newLinkToken();
    await insertInviteToken(tx, createHash('sha256').update(token).digest(), actor.id, invite.id);
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      { action: 'invite.created', targetType: 'invite', targetId: invite.id, details: { email, role: input.role } },
    );
    const shown = { workspaceName: actor.name, role: input.role, invitedBy: ctx.actor.email };
    await sendSystemMail({ ...ctx, db: tx }, inviteMail(ctx.settings.dashboardUrl, email, token, shown));
    return invite;
  });
}
