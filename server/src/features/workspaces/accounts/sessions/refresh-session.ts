import { inTransaction } from '#platform/db/database.ts';
import { unauthenticated } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../../security-log/record-security-event.ts';
import { type SignedIn, sessionExpiry } from './open-session.ts';
import { findUser, markMemberSeen } from '../queries.ts';
import { endSession, rotateSession } from './session-queries.ts';
import { issueSessionToken, readSessionToken } from './session-token.ts';
import { actorOfUser } from '../user.ts';

/**
 * Exchanges a refresh token for the next one. Each works once: the second use of any token that was replaced means
 * that two parties hold it, and ends the session for both. There is no grace for a parallel or repeated call, because
 * a thief would get it too: a client refreshes from one place at a time, and signs in again when an answer was lost.
 */
export async function refreshSession(ctx: Ctx, token: string): Promise<SignedIn> {
  const presented = readSessionToken(ctx.secrets, 'refresh', token);
  if (presented === undefined) throw refused();
  const now = ctx.clock.now();
  const signedIn = await inTransaction(ctx.db, async (tx): Promise<SignedIn | undefined> => {
    const next = issueSessionToken(ctx.secrets, 'refresh', presented.sessionId);
    const session = await rotateSession(tx, {
      id: presented.sessionId,
      presented: presented.hash,
      next: next.hash,
      ip: ctx.ip,
      now,
      expiresAt: sessionExpiry(now),
    });
    const user = session === undefined ? undefined : await findUser(tx, session.userId);
    if (user === undefined) return endReused(ctx, tx, presented.sessionId);
    await markMemberSeen(tx, user.id, now);
    return { user, sessionId: presented.sessionId, token: next.token, kind: 'refresh' };
  });
  // Thrown out here: inside, it would undo the end of the session.
  if (signedIn === undefined) throw refused();
  return signedIn;
}

const refused = () => unauthenticated('This refresh token is not valid any more. Sign in again.');

async function endReused(ctx: Ctx, tx: Ctx['db'], sessionId: string): Promise<undefined> {
  const ended = await endSession(tx, sessionId, 'refresh_token_reused', ctx.clock.now());
  if (ended === undefined) return; // over already: an old token of it tells nothing new
  const user = await findUser(tx, ended.userId);
  if (user === undefined) return;
  await recordAccountEvent(tx, { ...ctx, actor: actorOfUser(user) }, user.id, {
    action: 'session.refresh_token_reused',
    targetType: 'session',
    targetId: sessionId,
  });
}
