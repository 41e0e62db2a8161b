import type { Ctx } from '#platform/http/context.ts';
import { proveCode } from '../accounts/two-factor/prove-code.ts';
import { actorOfUser } from '../accounts/user.ts';
import { type AcceptedInvite, acceptInvite } from './accept-invite.ts';
import { getOpenInvite } from './get-open-invite.ts';

/** The second step of accepting an invitation, by somebody who has given the password of the account in the first. */
export async function acceptInviteWithCode(
  ctx: Ctx,
  input: { token: string; challenge: string; code: string },
): Promise<AcceptedInvite> {
  await getOpenInvite(ctx, input.token); // a link that is over is told before a code is asked about
  return proveCode(ctx, input, (tx, user, kind) =>
    acceptInvite({ ...ctx, db: tx }, { token: input.token, session: null, secondFactor: kind }, actorOfUser(user)),
  );
}
