import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { type Db, poolOf } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { userIdOf } from '../../workspace-access.ts';
import { findUser, lockUser } from '../queries.ts';
import { forgiveSignIn, signInLimits } from '../sign-in-throttle.ts';
import type { User } from '../user.ts';
import { verifyPassword } from './password-hash.ts';

const wrongPassword = () => unacceptable('current_password', 'current_password is wrong');

/**
 * The caller, who has given their password again. It takes 45 ms of a processor, so it is done before the transaction;
 * `holdProved` begins that.
 */
export async function proveCurrentPassword(ctx: Ctx, currentPassword: string): Promise<User> {
  const user = await findUser(ctx.db, userIdOf(ctx));
  // Counted like a sign-in, or a stolen token would be a way to guess the password; and outside of the transaction that
  // an If-Match has begun, which a wrong password undoes.
  const counting = { ...ctx, db: poolOf(ctx.db) };
  await countOrRefuse(counting, signInLimits(user?.email ?? '', ctx.ip), ctx.clock.now());
  if (user?.passwordHash == null || !(await verifyPassword(currentPassword, user.passwordHash))) throw wrongPassword();
  await forgiveSignIn(counting, user.email, ctx.ip);
  return user;
}

/**
 * Holds the account of somebody who has proved their password until the transaction ends, as it is now. A password that
 * was changed since proves nothing: whoever changed it meant to stop this.
 */
export async function holdProved(tx: Db, proved: User): Promise<User> {
  await lockUser(tx, proved.id);
  const user = await findUser(tx, proved.id);
  if (user === undefined || user.passwordHash !== proved.passwordHash) throw wrongPassword();
  return user;
}
