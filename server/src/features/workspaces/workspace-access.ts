import { forbidden, notFound } from '#platform/errors/app-error.ts';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
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
  requireManager(membership);
  return membership;
}

type PathOfWorkspace = Readonly<Record<string, string>>;

/**
 * Refuses members who are neither owner nor admin of the workspace in the path, before the request is read. Somebody
 * who is no member passes: the handler answers 404.
 */
export async function permitManagers(ctx: Ctx, { id = '' }: PathOfWorkspace): Promise<void> {
  const membership = await findMembershipOf(ctx, id);
  if (membership !== undefined) requireManager(membership);
}

export async function permitOwners(ctx: Ctx, { id = '' }: PathOfWorkspace): Promise<void> {
  const membership = await findMembershipOf(ctx, id);
  if (membership !== undefined) requireOwner(membership);
}

/** The same of a member: everybody may leave. */
export async function permitManagersAndSelf(ctx: Ctx, params: PathOfWorkspace): Promise<void> {
  if (params['userId']?.toLowerCase() !== userIdOf(ctx)) await permitManagers(ctx, params);
}

const findMembershipOf = async (ctx: Ctx, workspaceId: string): Promise<Membership | undefined> =>
  isUuid(workspaceId) ? findMembership(ctx.db, workspaceId.toLowerCase(), userIdOf(ctx)) : undefined;

function requireManager({ role }: Membership): void {
  if (managesWorkspace(role)) return;
  throw forbidden(`Your role "${role}" does not allow this; it needs "owner" or "admin".`);
}

export function requireOwner({ role }: Membership): void {
  if (role !== 'owner') throw forbidden('Only an owner can delete a workspace.');
}

/** Of people only owners and admins of the active workspace may call a route. */
export async function permitManagersOfActive(ctx: Ctx): Promise<void> {
  if (ctx.actor.type !== 'user') return;
  if (ctx.workspaceId === '') throw forbidden('Name the workspace in the header X-Workspace-ID.', 'X-Workspace-ID');
  await getManagedWorkspace(ctx, ctx.db, ctx.workspaceId);
}
