import { countOrRefuse, firstExceeded } from '#platform/attempts/attempt-limits.ts';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SendSystemMail } from '../../wiring.ts';
import { resetPasswordMail } from '../account-mails.ts';
import type { BackgroundWork } from '../background-work.ts';
import { findUserByEmail } from '../queries.ts';
import { mailLimits } from '../sign-in-throttle.ts';
import { readEmail } from '../user.ts';
import { issueUserToken } from '../user-token.ts';

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
  await countOrRefuse(ctx, [mailLimits.ip(ctx.ip)], now);
  ports.background.run('password reset mail', ctx.log, async () => {
    // More than a few in an hour is somebody filling another person's mailbox.
    if ((await firstExceeded(ctx, [mailLimits.account(email)], now)) !== undefined) return;
    const user = await findUserByEmail(ctx.db, email);
    if (user === undefined) return;
    await inTransaction(ctx.db, async (tx) => {
      const token = await issueUserToken(tx, user.id, 'reset_password', now);
      await ports.sendSystemMail({ ...ctx, db: tx }, resetPasswordMail(ctx.settings.dashboardUrl, user.email, token));
    });
  });
}
