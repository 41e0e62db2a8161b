import { inTransaction } from '#platform/db/database.ts';
import { invalid, unauthenticated } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../security-log/record-security-event.ts';
import { userIdOf } from '../workspace-access.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { holdProved, proveCurrentPassword } from './passwords/prove-current-password.ts';
import { deleteTokensOfPassword, findUser, updatePasswordHash, updateUserName } from './queries.ts';
import { endSessionsOfUser } from './sessions/session-queries.ts';
import type { User } from './user.ts';

/**
 * Changes the caller's name or password. A new password needs the current one (a token left open on somebody's desk is
 * not enough) and ends every other session.
 */
export async function updateMe(
  ctx: Ctx,
  input: { name?: string | null; password?: string; currentPassword?: string },
): Promise<User> {
  const userId = userIdOf(ctx);
  const now = ctx.clock.now();
  const fresh = await newPassword(ctx, input);
  return inTransaction(ctx.db, async (tx) => {
    if (fresh !== undefined) await holdProved(tx, fresh.proved);
    if (input.name !== undefined) await updateUserName(tx, userId, input.name, now);
    if (fresh !== undefined) {
      await updatePasswordHash(tx, userId, fresh.hash, now);
      await deleteTokensOfPassword(tx, userId);
      const keepId = ctx.actor.sessionId ?? null;
      const ended = await endSessionsOfUser(tx, userId, { keepId, reason: 'password_changed', now });
      await recordAccountEvent(tx, ctx, userId, {
        action: 'user.password_changed',
        targetType: 'user',
        targetId: userId,
        details: { sessions_ended: ended },
      });
    }
    return getMe(ctx, tx);
  });
}

/** The person has given the present password; the hash is made before the transaction, as it takes a processor. */
async function newPassword(
  ctx: Ctx,
  { password, currentPassword = '' }: { password?: string; currentPassword?: string },
): Promise<{ hash: string; proved: User } | undefined> {
  if (password === undefined) return undefined;
  const proved = await proveCurrentPassword(ctx, currentPassword);
  return { proved, hash: await hashPassword(password) };
}

/** Throws 400 for a new password without the current one. */
export const currentPasswordGiven = {
  of: ['password', 'current_password'] as const,
  check: (input: { password?: string; current_password?: string }): void => {
    if (input.password !== undefined && input.current_password === undefined) {
      throw invalid('current_password', 'current_password is required with password');
    }
  },
};

export async function getMe(ctx: Ctx, db = ctx.db): Promise<User> {
  const user = await findUser(db, userIdOf(ctx));
  if (user === undefined) throw unauthenticated('This account is gone.');
  return user;
}
