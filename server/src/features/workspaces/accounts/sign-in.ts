import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../security-log/record-security-event.ts';
import { openSession, type SessionStart, type SignedIn } from './sessions/open-session.ts';
import { provePassword } from './passwords/prove-password.ts';
import type { Challenge } from './two-factor/challenge.ts';
import { askForCode } from './two-factor/prove-code.ts';
import { actorOfUser } from './user.ts';

/** Signs in with email and password, or asks for the second step of a person who has one. */
export async function signIn(
  ctx: Ctx,
  input: { email: string; password: string; start: SessionStart },
): Promise<SignedIn | Challenge> {
  const user = await provePassword(ctx, input);
  const asked = await askForCode(ctx, user);
  if (asked !== undefined) return asked;
  return inTransaction(ctx.db, async (tx) => {
    const signedIn = await openSession(ctx, tx, user, input.start);
    await recordAccountEvent(tx, { ...ctx, actor: actorOfUser(user) }, user.id, {
      action: 'user.signed_in',
      targetType: 'session',
      targetId: signedIn.sessionId,
    });
    return signedIn;
  });
}
