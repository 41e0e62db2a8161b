import { bulkSends, queue } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, forbidden, unacceptable } from '#platform/errors/app-error.ts';
import { type SentBy, sentBy } from '#platform/http/context.ts';
import { chooseRecipients } from '../audience/choose-contacts.ts';
import { CONTACTS } from '../audience/contact-audience.ts';
import { insertRecipients } from '../audience/recipients-queries.ts';
import { type Broadcast, isOpen, whyClosed } from '../broadcast.ts';
import { type BroadcastsCtx, type Done } from '../broadcasts-ctx.ts';
import { requireReady } from '../content/ready-broadcast.ts';
import { getLockedBroadcast } from '../get-broadcast.ts';
import { readSchedule, requireWithinBounds, type Schedule } from '../schedule-time.ts';
import { updateBroadcast } from '../queries.ts';
import { markSending } from './move-queries.ts';

/** The result of sending a broadcast. */
export interface Sent extends Done {
  /** When its last email will have left, by the queue and the rate; null: it is scheduled. */
  estimatedCompletionAt: Date | null;
}

export interface SendInput {
  scheduled_for?: string | null | undefined;
  timezone?: string | null | undefined;
}

/**
 * Sends a broadcast now, or at the time that is given or stored in a draft. Once and never again: of two calls at the
 * same time the second is refused.
 */
export async function sendBroadcast(ctx: BroadcastsCtx, id: string, input: SendInput): Promise<Sent> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const broadcast = await getLockedBroadcast(inside, id);
    const schedule = await readTime(inside, broadcast, input);
    if (!isOpen(broadcast.status)) throw conflict(whyClosed(broadcast));
    if (schedule !== null) return scheduleBroadcast(inside, broadcast, schedule);
    return startSending(inside, broadcast, sentBy(ctx.actor));
  });
}

/** null: now. */
async function readTime(
  { db, workspaceId }: BroadcastsCtx,
  broadcast: Broadcast,
  { scheduled_for, timezone }: SendInput,
): Promise<Schedule | null> {
  if (scheduled_for != null) {
    const kept = timezone === undefined ? broadcast.timezone : null;
    return readSchedule(db, workspaceId, { scheduled_for, timezone }, kept);
  }
  const { status, scheduledFor, timezone: stored, scheduleNote } = broadcast;
  if (scheduled_for === null || status !== 'draft' || scheduledFor === null) return null;
  await requireWithinBounds(db, scheduledFor);
  return { scheduledFor, timezone: stored, scheduleNote };
}

async function scheduleBroadcast(ctx: BroadcastsCtx, before: Broadcast, schedule: Schedule): Promise<Sent> {
  const broadcast: Broadcast = {
    ...before,
    ...schedule,
    status: 'scheduled',
    sentBy: sentBy(ctx.actor),
    updatedAt: ctx.clock.now(),
  };
  await requireReady(ctx, broadcast);
  await updateBroadcast(ctx.db, broadcast);
  const was = before.status === 'scheduled' ? { was: before.scheduledFor } : {};
  const auditEntries = [{ action: 'scheduled', details: { scheduled_for: schedule.scheduledFor, ...was } }];
  return { broadcast, auditEntries, estimatedCompletionAt: null };
}

/**
 * Moves a broadcast that the transaction holds, a draft or a scheduled one, on its way: writes whom it goes to in one
 * snapshot, and opens the bulk send, which the worker freezes page by page. `by` is who said so, which for a scheduled
 * one was some time ago.
 */
export async function startSending(ctx: BroadcastsCtx, broadcast: Broadcast, by: SentBy): Promise<Sent> {
  const { filled, sender, composed, links } = await requireReady(ctx, broadcast);
  if (sender.workspacePaused) throw forbidden('Sending is paused for this workspace.');
  const total = await insertRecipients(ctx.db, broadcast, await chooseRecipients(ctx, broadcast));
  if (total === 0) throw unacceptable('audience', 'Nobody would get the broadcast: nobody is in its audience.');
  const { workspaceId, id } = broadcast;
  const { templateId, templateVersion, variables } = filled;
  const sendId = await bulkSends.open(ctx.db, {
    workspaceId,
    origin: { source: 'broadcast', broadcastId: id, templateId },
    audience: { kind: CONTACTS, audienceId: id },
    ...composed,
    links,
    sandbox: by.mode === 'test',
  });
  const sending = await markSending(ctx.db, broadcast, { by, sendId, total, templateVersion, variables });
  if (sending === undefined) throw conflict(whyClosed(broadcast));
  return {
    broadcast: sending,
    auditEntries: [{ action: 'send_started', details: { total_recipients: total } }],
    estimatedCompletionAt: await queue.estimateCompletion(ctx, total),
  };
}
