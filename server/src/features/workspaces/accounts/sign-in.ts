import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../security-log/record-security-event.ts';
import { openSession, type SignedIn } from './sessions/open-session.ts';
import { provePassword } from './passwords/prove-password.ts';
import { actorOfUser } from './user.ts';

/** Signs in with email and password. */
export async function signIn(
  ctx: Ctx,
  input: { email: string; password: string; userAgent: string | undefined },
): Promise<SignedIn> {
  const user = await provePassword(ctx, input);
  return inTransaction(ctx.db, async (tx) => {
    const signedIn = await openSession(ctx, tx, user, input.userAgent);
    await recordAccountEvent(tx, { ...ctx, actor: actorOfUser(user) }, user.id, {
      action: 'user.signed_in',
      targetType: 'session',
      targetId: signedIn.sessionId,
    });
    return signedIn;
  });
}
