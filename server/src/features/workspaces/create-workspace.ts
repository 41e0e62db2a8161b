import { randomBytes } from 'node:crypto';
import { inTransaction, type Db } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { countWorkspacesOfUser, insertMember, insertWorkspace } from './queries.ts';
import { recordSecurityEvent } from './security-log/record-security-event.ts';
import { userIdOf } from './workspace-access.ts';
import { type Membership, readTimezone, slugFromName } from './workspace.ts';

const SLUG_TRIES = 5;

/** Makes a workspace with its first owner, in the caller's transaction. A taken slug gets a random ending. */
export async function addWorkspace(
  tx: Db,
  workspace: { name: string; timezone?: string; ownerId: string; isHome?: boolean; now: Date },
): Promise<Membership> {
  const base = slugFromName(workspace.name);
  for (let tried = 0; tried < SLUG_TRIES; tried += 1) {
    const slug = tried === 0 ? base : `${base}-${randomBytes(3).toString('hex')}`;
    const created = await insertWorkspace(tx, {
      id: newId(),
      name: workspace.name,
      slug,
      timezone: workspace.timezone ?? 'UTC',
      isHome: workspace.isHome ?? false,
      now: workspace.now,
    });
    if (created === undefined) continue;
    await insertMember(tx, { workspaceId: created.id, userId: workspace.ownerId, role: 'owner', now: workspace.now });
    return { ...created, role: 'owner' };
  }
  throw new Error(`no free slug for a workspace after ${SLUG_TRIES} tries`);
}

/**
 * Where sign-up is closed only those who own a workspace already may make another: an invited guest of a closed
 * installation does not get tenants of their own.
 */
export async function permitNewWorkspace(ctx: Ctx): Promise<void> {
  if (ctx.settings.signup === 'open') return;
  const { owned } = await countWorkspacesOfUser(ctx.db, userIdOf(ctx));
  if (owned > 0) return;
  throw forbidden('Sign-up is closed here: only owners of a workspace can create another one.');
}

/** Makes another workspace for somebody who is signed in. */
export async function createWorkspace(
  ctx: Ctx,
  userId: string,
  input: { name: string; timezone?: string },
): Promise<Membership> {
  const timezone = input.timezone === undefined ? 'UTC' : readTimezone(input.timezone);
  return inTransaction(ctx.db, async (tx) => {
    await permitNewWorkspace({ ...ctx, db: tx });
    const created = await addWorkspace(tx, { name: input.name, timezone, ownerId: userId, now: ctx.clock.now() });
    await recordSecurityEvent(
      tx,
      { ...ctx, workspaceId: created.id },
      { action: 'workspace.created', targetType: 'workspace', targetId: created.id, details: { name: created.name } },
    );
    return created;
  });
}
