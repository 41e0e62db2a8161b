import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { AppError, unauthenticated } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { findUser } from '../queries.ts';
import type { User } from '../user.ts';
import { type Challenge, readChallenge, signChallenge } from './challenge.ts';
import { findTwoFactor } from './queries.ts';
import { type CodeKind, codeLimits, forgiveCodes, useCode } from './use-code.ts';

/** A challenge for somebody who has just proved their password and has two-factor sign-in; undefined: it is off. */
export async function askForCode(ctx: Ctx, user: User): Promise<Challenge | undefined> {
  const found = await findTwoFactor(ctx.db, user.id);
  return found?.enabledAt == null ? undefined : signChallenge(ctx, user);
}

/**
 * The second step, by somebody who has proved the password in the first. Every place that takes a code of somebody who
 * is not signed in takes it here. `act` runs in the transaction that takes the code: when it fails, the code is good
 * once more.
 */
export async function proveCode<T>(
  ctx: Ctx,
  input: { challenge: string; code: string },
  act: (tx: Db, user: User, kind: CodeKind) => Promise<T>,
): Promise<T> {
  const claims = readChallenge(ctx, input.challenge);
  const user = claims === undefined ? undefined : await findUser(ctx.db, claims.userId);
  if (user === undefined || claims?.isOf(user) !== true) throw stepIsOver();
  const now = ctx.clock.now();
  await countOrRefuse(ctx, codeLimits(user.id, ctx.ip), now);
  const result = await inTransaction(ctx.db, async (tx) => {
    const kind = await useCode(tx, ctx.secrets, { userId: user.id, code: input.code, now });
    if (kind === undefined) throw unauthenticated('The code is wrong, was used already, or is too old.');
    return act(tx, user, kind);
  });
  await forgiveCodes(ctx, user.id);
  return result;
}

/** Names the field, so that a page can tell it from a wrong code: another code does not help here. */
const stepIsOver = (): AppError =>
  new AppError('authentication_error', 'This step is over. Sign in with your password again.', { param: 'challenge' });
