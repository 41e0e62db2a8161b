import { forbidden, notFound } from '#platform/errors/app-error.ts';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { managesWorkspace } from './permissions/role-permissions.ts';
import { findMembership } from './queries.ts';
import type { Membership } from './workspace.ts';

/** The signed-in person behind a `user` route. */
export function userIdOf(ctx: Ctx): string {
  if (ctx.actor.type !== 'user' || ctx.actor.id === null) throw new Error('a user route was called without a user');
  return ctx.actor.id;
}

/**
 * The workspace named in the path, as the caller's own membership: read now, so that a removed or demoted member is
 * refused at once. A workspace they are no member of does not exist for them.
 */
export async function getMembership(ctx: Ctx, db: Db, workspaceId: string): Promise<Membership> {
  const membership = await findMembership(db, workspaceId.toLowerCase(), userIdOf(ctx));
  if (membership === undefined) throw notFound('workspace', workspaceId);
  return membership;
}

/** The same for what only owners and admins may do. */
export async function getManagedWorkspace(ctx: Ctx, db: Db, workspaceId: string): Promise<Membership> {
  const membership = await getMembership(ctx, db, workspaceId);
  if (!managesWorkspace(membership.role)) {
    throw forbidden(`Your role "${membership.role}" does not allow this; it needs "owner" or "admin".`);
  }
  return membership;
}

/** The active workspace of a route that only its owners and admins may call. */
export async function managedWorkspaceId(ctx: Ctx): Promise<string> {
  if (ctx.workspaceId === '') throw forbidden('Name the workspace in the header X-Workspace-ID.', 'X-Workspace-ID');
  return (await getManagedWorkspace(ctx, ctx.db, ctx.workspaceId)).id;
}
