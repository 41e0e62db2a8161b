import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { holdProved, proveCurrentPassword } from '../passwords/prove-current-password.ts';
import type { User } from '../user.ts';
import { findTwoFactor } from './queries.ts';
import { type CodeKind, codeLimits, forgiveCodes, useCode, wrongCode } from './use-code.ts';

export interface GivenAgain {
  currentPassword: string;
  /** Required while two-factor sign-in is on, and not looked at while it is off. */
  code: string | undefined;
}

/**
 * Acts for a signed-in person who has given all again that a sign-in takes: the password, and a code when two-factor
 * sign-in is on. A session that was left open is not enough for what cannot be taken back. `act` runs in the
 * transaction that holds the account and takes the code: when it fails, the code is good once more. `kind` is undefined
 * while two-factor sign-in is off.
 */
export async function proveAgain(
  ctx: Ctx,
  { currentPassword, code }: GivenAgain,
  act: (tx: Db, user: User, kind: CodeKind | undefined) => Promise<void>,
): Promise<void> {
  const proved = await proveCurrentPassword(ctx, currentPassword);
  const now = ctx.clock.now();
  if (code !== undefined) await countOrRefuse(ctx, codeLimits(proved.id, ctx.ip), now);
  await inTransaction(ctx.db, async (tx) => {
    const user = await holdProved(tx, proved);
    const isOn = (await findTwoFactor(tx, user.id))?.enabledAt != null;
    if (isOn && code === undefined) {
      throw unacceptable('code', 'code is required while two-factor sign-in is on. Take it from the app.');
    }
    const kind =
      isOn && code !== undefined ? await useCode(tx, ctx.secrets, { userId: user.id, code, now }) : undefined;
    if (isOn && kind === undefined) throw wrongCode();
    await act(tx, user, kind);
  });
  if (code !== undefined) await forgiveCodes(ctx, proved.id);
}
