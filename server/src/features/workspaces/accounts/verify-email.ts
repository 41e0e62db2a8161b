import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { markEmailVerified } from './queries.ts';
import { redeemUserToken } from './user-token.ts';

/** Confirms an address with the link mailed to it. */
export async function verifyEmail(ctx: Ctx, token: string): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (tx) => {
    const userId = await redeemUserToken(tx, token, 'verify_email', now);
    await markEmailVerified(tx, userId, now);
  });
}
