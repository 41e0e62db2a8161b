import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../../security-log/record-security-event.ts';
import { openSession, type SessionStart, type SignedIn } from '../sessions/open-session.ts';
import { actorOfUser } from '../user.ts';
import { proveCode } from './prove-code.ts';

/** The second step of a sign-in. */
export function signInWithCode(
  ctx: Ctx,
  input: { challenge: string; code: string; start: SessionStart },
): Promise<SignedIn> {
  return proveCode(ctx, input, async (tx, user, kind) => {
    const opened = await openSession(ctx, tx, user, input.start);
    await recordAccountEvent(tx, { ...ctx, actor: actorOfUser(user) }, user.id, {
      action: 'user.signed_in',
      targetType: 'session',
      targetId: opened.sessionId,
      details: { second_factor: kind },
    });
    return opened;
  });
}
