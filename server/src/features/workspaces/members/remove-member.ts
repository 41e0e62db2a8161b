import { inTransaction } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { mayManageRole } from '../permissions/role-permissions.ts';
import { lockWorkspace, revokeInvitesOf } from '../queries.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import { getManagedWorkspace, getMembership, userIdOf } from '../workspace-access.ts';
import { getMember } from './get-member.ts';
import { refuseLastOwner } from './last-owner.ts';
import { deleteMember } from './queries.ts';
import type { KeyOfMember, ListKeysOf } from '../wiring.ts';

/** Removes a member, whose tokens for this workspace stop at their next request, and
 * whose open invitations are withdrawn. Everybody may remove themselves. Returns the API keys that they made: keys
 * belong to the workspace, and go on working. */
export async function removeMember(
  ctx: Ctx,
  workspaceId: string,
  userId: string,
  listKeysOf: ListKeysOf,
): Promise<KeyOfMember[]> {
  return inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspaceId.toLowerCase());
    const leaves = userId.toLowerCase() === userIdOf(ctx);
    const actor = await (leaves ? getMembership : getManagedWorkspace)(ctx, tx, workspaceId);
    const member = await getMember(tx, actor.id, userId);
    if (!leaves && !mayManageRole(actor.role, member.role)) throw forbidden('Only an owner can remove an owner.');
    await refuseLastOwner(tx, actor, member);
    await deleteMember(tx, actor.id, member.userId);
    // Otherwise the way back would be an invitation to another address of theirs.
    const { userId: invitedBy } = member;
    const revoked = await revokeInvitesOf(tx, actor.id, { userId: invitedBy, kept: [], now: ctx.clock.now() });
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      {
        action: leaves ? 'member.left' : 'member.removed',
        targetType: 'user',
        targetId: member.userId,
        details: { email: member.email, role: member.role, ...(revoked === 0 ? {} : { invites_revoked: revoked }) },
      },
    );
    return listKeysOf(tx, actor.id, member.userId);
  });
}
