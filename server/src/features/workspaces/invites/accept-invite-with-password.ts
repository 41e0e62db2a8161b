import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { provePassword } from '../accounts/passwords/prove-password.ts';
import type { Challenge } from '../accounts/two-factor/challenge.ts';
import { askForCode } from '../accounts/two-factor/prove-code.ts';
import { actorOfUser, PASSWORD_CHARS_MIN } from '../accounts/user.ts';
import { type AcceptedInvite, acceptInvite } from './accept-invite.ts';
import { getOpenInvite } from './get-open-invite.ts';

/**
 * Accepts an invitation where nobody is signed in: with the password of the account that the address has, or with the
 * one its new account is to have. An account with two-factor sign-in is asked for a code, as it is at sign-in.
 */
export async function acceptInviteWithPassword(
  ctx: Ctx,
  input: { token: string; password: string; name?: string },
): Promise<AcceptedInvite | Challenge> {
  const { email, hasAccount } = await getOpenInvite(ctx, input.token);
  if (hasAccount) {
    const user = await provePassword(ctx, { email, password: input.password });
    const asked = await askForCode(ctx, user);
    return asked ?? acceptInvite(ctx, { token: input.token, session: null }, actorOfUser(user));
  }
  // An account may have an older, shorter password; a new one may not. Counted in code points, as schemas count.
  if (Array.from(input.password).length < PASSWORD_CHARS_MIN) {
    throw invalid('password', `password must have at least ${PASSWORD_CHARS_MIN} characters`);
  }
  return acceptInvite(ctx, { ...input, session: null }, undefined);
}
