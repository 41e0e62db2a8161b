import { requireSenderDomain } from '#features/emails';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { moveToNow, updateTime } from '../queries/moves.ts';
import { type Done, lockOpen } from '../reading/read-scheduled.ts';
import { type ScheduledEmail, whyClosed } from '../scheduled-email.ts';
import { readScheduleTime } from '../schedule-time.ts';
import { requireBefore } from './create-scheduled.ts';
import { requireSameMode } from './same-mode.ts';

export interface NewTime {
  scheduled_for: string;
  timezone?: string | null;
}

/**
 * Gives an email that has not begun another time. `check` may refuse what is held now. The row is the timer: once this
 * is committed, the old time starts nothing.
 */
export async function reschedule(
  ctx: Ctx,
  id: string,
  { scheduled_for: text, timezone }: NewTime,
  { token, check }: { token: string; check?: (held: Ctx, row: ScheduledEmail) => Promise<void> },
): Promise<Done & { previous: Date }> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const before = await lockOpen(inside, id);
    await check?.(inside, before);
    requireSameMode(ctx, before);
    const kept = timezone === undefined ? before.timezone : null;
    const asked = { param: 'scheduled_for', text, timezone: timezone ?? null, kept };
    const time = await readScheduleTime(tx, ctx.workspaceId, asked);
    requireBefore(before.body.expiresAt == null ? null : new Date(before.body.expiresAt), time.scheduledFor);
    await requireSenderDomain(inside, before.fromDomain);
    const row = await updateTime(tx, before, time);
    if (row === undefined) throw conflict(whyClosed(before));
    const [from, to] = [before.scheduledFor.toISOString(), row.scheduledFor.toISOString()];
    const details = { from, to, idempotency_token: token };
    return { row, action: 'rescheduled', details, previous: before.scheduledFor };
  });
}

/** Has it sent in a second, through the queue like every other. */
export async function sendNow(ctx: Ctx, id: string): Promise<Done> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const before = await lockOpen(inside, id);
    requireSameMode(ctx, before);
    await requireSenderDomain(inside, before.fromDomain);
    const row = await moveToNow(tx, before);
    if (row === undefined) throw conflict(whyClosed(before));
    return { row, action: 'send_now' };
  });
}
