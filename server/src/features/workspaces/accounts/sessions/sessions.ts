import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { recordAccountEvent } from '../../security-log/record-security-event.ts';
import { userIdOf } from '../../workspace-access.ts';
import { endSessionsOfUser, type SessionRow } from './session-queries.ts';

export const sessionView = (row: SessionRow, currentId: string | undefined) => ({
  id: row.id,
  current: row.id === currentId,
  user_agent: row.userAgent,
  ip: row.ip,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});

/** Ends the session this request belongs to. */
export async function signOut(ctx: Ctx): Promise<void> {
  const { sessionId } = ctx.actor;
  if (sessionId !== undefined) await end(ctx, { onlyId: sessionId, reason: 'signed_out' });
}

/** Ends another session of the caller; somebody else's does not exist. */
export async function endOneSession(ctx: Ctx, id: string): Promise<void> {
  const ended = await end(ctx, { onlyId: id.toLowerCase(), reason: 'ended_by_user' });
  if (ended === 0) throw notFound('session', id);
}

/** Ends every session of the caller but this one. */
export const endOtherSessions = (ctx: Ctx): Promise<number> =>
  end(ctx, { keepId: ctx.actor.sessionId ?? null, reason: 'ended_by_user' });

async function end(ctx: Ctx, which: { onlyId?: string; keepId?: string | null; reason: string }): Promise<number> {
  const userId = userIdOf(ctx);
  return inTransaction(ctx.db, async (tx) => {
    const ended = await endSessionsOfUser(tx, userId, { ...which, now: ctx.clock.now() });
    if (ended > 0) {
      await recordAccountEvent(tx, ctx, userId, {
        action: which.reason === 'signed_out' ? 'user.signed_out' : 'session.ended',
        targetType: 'session',
        ...(which.onlyId === undefined ? {} : { targetId: which.onlyId }),
        details: { sessions_ended: ended },
      });
    }
    return ended;
  });
}
