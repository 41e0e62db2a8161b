import { inTransaction } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { managesWorkspace, mayManageRole, type Role, ROLES } from '../permissions/role-permissions.ts';
import { lockWorkspace, revokeInvitesOf } from '../queries.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import { getManagedWorkspace } from '../workspace-access.ts';
import { getMember } from './get-member.ts';
import { refuseLastOwner } from './last-owner.ts';
import { type Member, updateMemberRole } from './queries.ts';

/** Gives a member another role. Admins cannot touch owners or make one; the last owner stays one. Open
 * invitations that they may no longer give are withdrawn. */
export async function changeMemberRole(ctx: Ctx, workspaceId: string, userId: string, role: Role): Promise<Member> {
  return inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspaceId.toLowerCase());
    const actor = await getManagedWorkspace(ctx, tx, workspaceId);
    const member = await getMember(tx, actor.id, userId);
    if (!mayManageRole(actor.role, member.role) || !mayManageRole(actor.role, role)) {
      throw forbidden('Only an owner can make or change an owner.');
    }
    if (role !== 'owner') await refuseLastOwner(tx, actor, member);
    if (member.role === role) return member;
    await updateMemberRole(tx, actor.id, member.userId, role);
    const kept = managesWorkspace(role) ? ROLES.filter((one) => mayManageRole(role, one)) : [];
    const revoked = await revokeInvitesOf(tx, actor.id, { userId: member.userId, kept, now: ctx.clock.now() });
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      {
        action: 'member.role_changed',
        targetType: 'user',
        targetId: member.userId,
        details: {
          changes: { role: { before: member.role, after: role } },
          ...(revoked === 0 ? {} : { invites_revoked: revoked }),
        },
      },
    );
    return { ...member, role };
  });
}
