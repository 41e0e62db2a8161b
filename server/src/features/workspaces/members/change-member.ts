import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict, forbidden, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { mayManageRole, type Role } from '../permissions/role-permissions.ts';
import { lockWorkspace } from '../queries.ts';
import { recordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Membership } from '../workspace.ts';
import { getManagedWorkspace, getMembership, userIdOf } from '../workspace-access.ts';
import { countMembers, deleteMember, findMember, type Member, updateMemberRole } from './queries.ts';

/** Gives a member another role. Admins cannot touch owners or make one; the last owner stays one. */
export async function changeMemberRole(ctx: Ctx, workspaceId: string, userId: string, role: Role): Promise<Member> {
  return inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspaceId.toLowerCase());
    const actor = await getManagedWorkspace(ctx, tx, workspaceId);
    const member = await getMember(tx, actor.id, userId);
    if (!mayManageRole(actor.role, member.role) || !mayManageRole(actor.role, role)) {
      throw forbidden('Only an owner can make or change an owner.');
    }
    if (role !== 'owner') await refuseLastOwner(tx, actor, member);
    await updateMemberRole(tx, actor.id, member.userId, role);
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      {
        action: 'member.role_changed',
        targetType: 'user',
        targetId: member.userId,
        details: { from: member.role, to: role },
      },
    );
    return { ...member, role };
  });
}

/** Removes a member, whose tokens for this workspace stop at their next request. Everybody may remove themselves. */
export async function removeMember(ctx: Ctx, workspaceId: string, userId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspaceId.toLowerCase());
    const leaves = userId.toLowerCase() === userIdOf(ctx);
    const actor = await (leaves ? getMembership : getManagedWorkspace)(ctx, tx, workspaceId);
    const member = await getMember(tx, actor.id, userId);
    if (!leaves && !mayManageRole(actor.role, member.role)) throw forbidden('Only an owner can remove an owner.');
    await refuseLastOwner(tx, actor, member);
    await deleteMember(tx, actor.id, member.userId);
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: actor.id },
      {
        action: leaves ? 'member.left' : 'member.removed',
        targetType: 'user',
        targetId: member.userId,
        details: { email: member.email, role: member.role },
      },
    );
  });
}

export async function getMember(db: Db, workspaceId: string, userId: string): Promise<Member> {
  const member = await findMember(db, workspaceId, userId.toLowerCase());
  if (member === undefined) throw notFound('member', userId);
  return member;
}

/** Holds only under lockWorkspace: of two owners who remove each other at once, the second finds no other left. */
async function refuseLastOwner(tx: Db, workspace: Membership, member: Member): Promise<void> {
  if (member.role !== 'owner') return;
  const { owners } = await countMembers(tx, workspace.id);
  if (owners < 2) throw conflict('This is the last owner. Make somebody else an owner first.');
}
