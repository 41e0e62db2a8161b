import { inTransaction } from '#platform/db/database.ts';
import { unauthenticated } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../security-log/record-security-event.ts';
import type { SendSystemMail } from '../wiring.ts';
import { resetPasswordMail } from './account-mails.ts';
import type { BackgroundWork } from './background-work.ts';
import { hashPassword } from './password-hash.ts';
import { deleteUserTokens, findUser, findUserByEmail, markEmailVerified, updatePasswordHash } from './queries.ts';
import { endSessionsOfUser } from './session-queries.ts';
import { countOrRefuse, isOverLimit, mailLimits } from './sign-in-throttle.ts';
import { actorOfUser, readEmail } from './user.ts';
import { issueUserToken, redeemUserToken } from './user-token.ts';

/**
 * Mails a reset link to an address that has an account. Whether it has one is told neither by the answer nor by its
 * time: everything that depends on it happens after the answer.
 */
export async function requestPasswordReset(
  ctx: Ctx,
  emailText: string,
  ports: { sendSystemMail: SendSystemMail; background: BackgroundWork },
): Promise<void> {
  const email = readEmail(emailText);
  const now = ctx.clock.now();
  await countOrRefuse(ctx.db, [mailLimits.ip(ctx.ip)], now);
  ports.background.run('password reset mail', ctx.log, async () => {
    // More than a few in an hour is somebody filling another person's mailbox.
    if ((await isOverLimit(ctx.db, mailLimits.account(email), now)) !== undefined) return;
    const user = await findUserByEmail(ctx.db, email);
    if (user === undefined) return;
    await inTransaction(ctx.db, async (tx) => {
      const token = await issueUserToken(tx, user.id, 'reset_password', now);
      await ports.sendSystemMail({ ...ctx, db: tx }, resetPasswordMail(ctx.settings.dashboardUrl, user.email, token));
    });
  });
}

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
    await deleteUserTokens(tx, userId, 'reset_password');
    const ended = await endSessionsOfUser(tx, userId, { reason: 'password_reset', now });
    await recordAccountEvent(tx, { ...ctx, actor: actorOfUser(user) }, userId, {
      action: 'user.password_reset',
      targetType: 'user',
      targetId: userId,
      details: { sessions_ended: ended },
    });
  });
}

/** Confirms an address with the link mailed to it. */
export async function verifyEmail(ctx: Ctx, token: string): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (tx) => {
    const userId = await redeemUserToken(tx, token, 'verify_email', now);
    await markEmailVerified(tx, userId, now);
  });
}
