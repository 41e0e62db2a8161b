import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SendSystemMail } from '../../wiring.ts';
import { changeEmailMail } from '../account-mails.ts';
import { mailLimits } from '../sign-in-throttle.ts';
import { type GivenAgain, proveAgain } from '../two-factor/prove-again.ts';
import { readEmail } from '../user.ts';
import { hashOfLinkToken, newLinkToken } from '../user-token.ts';
import { insertAddressToken } from './queries.ts';

const LINK_MS = 24 * 3_600_000;

/**
 * Mails a link to a new address; nothing changes until somebody follows it. The answer does not tell whether the
 * address has an account: the link does, to whoever reads its mail.
 */
export async function requestEmailChange(
  ctx: Ctx,
  input: GivenAgain & { email: string },
  sendSystemMail: SendSystemMail,
): Promise<void> {
  const newEmail = readEmail(input.email);
  const now = ctx.clock.now();
  const token = newLinkToken();
  const hash = hashOfLinkToken(token);
  if (hash === undefined) throw new Error('a token of ours is none');
  await proveAgain(ctx, input, async (tx, user) => {
    if (newEmail === user.email) throw unacceptable('email', 'This is the address of your account already.');
    // Here, so that a wrong code takes no mail from those of an hour.
    await countOrRefuse({ ...ctx, db: tx }, [mailLimits.ip(ctx.ip), mailLimits.account(newEmail)], now);
    const expiresAt = new Date(now.getTime() + LINK_MS);
    await insertAddressToken(tx, { hash, userId: user.id, newEmail, expiresAt, now });
    const mail = changeEmailMail(ctx.settings.dashboardUrl, newEmail, token, user.email);
    await sendSystemMail({ ...ctx, db: tx }, mail);
  });
}
