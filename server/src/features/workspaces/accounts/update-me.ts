import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { inTransaction } from '#platform/db/database.ts';
import { invalid, unacceptable, unauthenticated } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../security-log/record-security-event.ts';
import { userIdOf } from '../workspace-access.ts';
import { hashPassword, verifyPassword } from './passwords/password-hash.ts';
import { deleteTokensOfPassword, findUser, updatePasswordHash, updateUserName } from './queries.ts';
import { endSessionsOfUser } from './sessions/session-queries.ts';
import { forgiveSignIn, signInLimits } from './sign-in-throttle.ts';
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
  const passwordHash = input.password === undefined ? undefined : await newPasswordHash(ctx, input);
  return inTransaction(ctx.db, async (tx) => {
    if (input.name !== undefined) await updateUserName(tx, userId, input.name, now);
    if (passwordHash !== undefined) {
      await updatePasswordHash(tx, userId, passwordHash, now);
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

async function newPasswordHash(ctx: Ctx, input: { password?: string; currentPassword?: string }): Promise<string> {
  const { password = '', currentPassword = '' } = input;
  await proveCurrentPassword(ctx, currentPassword);
  return hashPassword(password);
}

/** The caller, who has given their password again. */
export async function proveCurrentPassword(ctx: Ctx, currentPassword: string): Promise<User> {
  const user = await findUser(ctx.db, userIdOf(ctx));
  // Counted like a sign-in, or a stolen token would be a way to guess the password.
  await countOrRefuse(ctx, signInLimits(user?.email ?? '', ctx.ip), ctx.clock.now());
  if (user?.passwordHash == null || !(await verifyPassword(currentPassword, user.passwordHash))) {
    throw unacceptable('current_password', 'current_password is wrong');
  }
  await forgiveSignIn(ctx, user.email, ctx.ip);
  return user;
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
