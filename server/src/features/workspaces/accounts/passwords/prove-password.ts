import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { AddressError, identityOf } from '#mail/addresses/addresses.ts';
import { unauthenticated } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { hashPassword, needsRehash, verifyNothing, verifyPassword } from './password-hash.ts';
import { findUserByEmail, replacePasswordHash } from '../queries.ts';
import { forgiveSignIn, signInLimits } from '../sign-in-throttle.ts';
import type { User } from '../user.ts';

/**
 * The account that an email and a password belong to. An unknown address and a wrong password get the same answer after
 * the same work, and count against the same limits, so that nothing tells which addresses have an account. Every place
 * that takes a password of somebody who is not signed in takes it here: there is one throttle.
 */
export async function provePassword(ctx: Ctx, input: { email: string; password: string }): Promise<User> {
  const email = identityOrText(input.email);
  await countOrRefuse(ctx, signInLimits(email, ctx.ip), ctx.clock.now());
  const user = await findUserByEmail(ctx.db, email);
  const isRight = await passwordIsRight(user, input.password);
  if (user === undefined || !isRight) throw unauthenticated('The email or the password is wrong.');
  await forgiveSignIn(ctx, email, ctx.ip);
  if (user.passwordHash !== null && needsRehash(user.passwordHash)) {
    await replacePasswordHash(ctx.db, user.id, user.passwordHash, await hashPassword(input.password));
  }
  return user;
}

const passwordIsRight = (user: User | undefined, password: string): Promise<boolean> =>
  user?.passwordHash == null ? verifyNothing(password) : verifyPassword(password, user.passwordHash);

/** An invalid address has no account either, and gets the same answer as one without an account. */
function identityOrText(email: string): string {
  try {
    return identityOf(email.trim());
  } catch (error) {
    if (error instanceof AddressError) return email;
    throw error;
  }
}
