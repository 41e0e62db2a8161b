import { inTransaction } from '#platform/db/database.ts';
import { unauthenticated } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../../security-log/record-security-event.ts';
import { hashPassword } from './password-hash.ts';
import { deleteTokensOfPassword, findUser, markEmailVerified, updatePasswordHash } from '../queries.ts';
import { endSessionsOfUser } from '../sessions/session-queries.ts';
import { actorOfUser } from '../user.ts';
import { redeemUserToken } from '../user-token.ts';

/** Sets a new password with a link from a mail, and ends every session: whoever knew the old one is out. */
export async function resetPassword(ctx: Ctx, input: { token: string; password: string }): Promise<void> {
  const now = ctx.clock.now();
  const passwordHash = await hashPassword(input.password);
  await inTransaction(ctx.db, async (tx) => {
    const userId = await redeemUserToken(tx, input.token, 'reset_password', now);
    const user = await findUser(tx, userId);
    if (user === undefined) throw unauthenticated('This account is gone.');
    await updatePasswordHash(tx, userId, passwordHash, now);
    await markEmailVerified(tx, userId, now); // only who reads that mailbox has the link
    await deleteTokensOfPassword(tx, userId);
    const ended = await endSessionsOfUser(tx, userId, { reason: 'password_reset', now });
    await recordAccountEvent(tx, { ...ctx, actor: actorOfUser(user) }, userId, {
      action: 'user.password_reset',
      targetType: 'user',
      targetId: userId,
      details: { sessions_ended: ended },
    });
  });
}
