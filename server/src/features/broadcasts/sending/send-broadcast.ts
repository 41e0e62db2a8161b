import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import { bulkSends, queue } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, invalid, unacceptable } from '#platform/errors/app-error.ts';
import { type SentBy, sentBy } from '#platform/http/context.ts';
import { storedTimeOfNow } from '#platform/time/wall-time.ts';
import { choosePeople } from '../audience/choose-people.ts';
import type { LocalStarts } from '../audience/local-starts.ts';
import { CONTACTS } from '../recipients/contact-audience.ts';
import { awaitFollowUps } from '../audience/follow-ups-queries.ts';
import { insertRecipients } from '../audience/recipients-queries.ts';
import { SUBSCRIBERS } from '../recipients/subscriber-audience.ts';
import { type Broadcast, isOpen, whyClosed } from '../broadcast.ts';
import { type BroadcastsCtx, type Done } from '../broadcasts-ctx.ts';
import { requireReady } from '../content/ready-broadcast.ts';
import { getLockedBroadcast } from '../get-broadcast.ts';
import { readFinishBy, requireInTime, requireScheduledInTime } from './finish-by.ts';
import { readBroadcastZone, readSchedule, requireWithinBounds, type Schedule } from '../schedule-time.ts';
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
  finish_by?: string | null | undefined;
  recipient_timezone?: boolean | undefined;
}

/**
 * Sends a broadcast now, or at the time that is given or stored in a draft. Once and never again: of two calls at the
 * same time the second is refused.
 */
export async function sendBroadcast(ctx: BroadcastsCtx, id: string, input: SendInput): Promise<Sent> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const held = await getLockedBroadcast(inside, id);
    const { recipient_timezone: recipientTimezone = held.recipientTimezone } = input;
    const finishBy = await readFinishBy(inside, held, input);
    const broadcast: Broadcast = { ...held, finishBy, recipientTimezone };
    const schedule = await readTime(inside, broadcast, input);
    if (!isOpen(broadcast.status)) throw conflict(whyClosed(broadcast));
    if (schedule !== null) return scheduleBroadcast(inside, broadcast, schedule);
    if (recipientTimezone) throw unacceptable('scheduled_for', WITHOUT_TIME);
    const sent = await startSending(inside, broadcast, { by: sentBy(ctx), zones: null });
    requireInTime(broadcast.finishBy, sent.estimatedCompletionAt);
    return sent;
  });
}

const WITHOUT_TIME =
  'With recipient_timezone, each recipient gets it at a local time. Give it as scheduled_for; or set recipient_timezone ' +
  'to false to send it to everybody now.';

const WITHOUT_ITS_TIME = 'timezone is the zone of scheduled_for, which is missing';

const OF_ANOTHER_TIME =
  'timezone is another zone than that of the stored time; give scheduled_for beside it, or change the zone with PATCH';

/** null: now. */
async function readTime(
  { db, workspaceId }: BroadcastsCtx,
  broadcast: Broadcast,
  { scheduled_for, timezone, finish_by }: SendInput,
): Promise<Schedule | null> {
  if (scheduled_for != null) {
    const kept = timezone === undefined ? broadcast.timezone : null;
    return readSchedule(db, workspaceId, { scheduled_for, timezone }, kept);
  }
  const stored = scheduled_for === null || broadcast.status !== 'draft' ? null : await storedTimeOfNow(broadcast);
  // With a zone alone somebody means a time: without one, everybody would get it now. null says so.
  const isZoneAlone = timezone != null && scheduled_for === undefined && finish_by == null;
  if (isZoneAlone && stored?.scheduledFor == null) throw invalid('timezone', WITHOUT_ITS_TIME);
  if (isZoneAlone && readBroadcastZone(timezone) !== broadcast.timezone) throw invalid('timezone', OF_ANOTHER_TIME);
  if (stored === null || stored.scheduledFor === null) return null;
  await requireWithinBounds(db, stored.scheduledFor);
  return stored;
}

async function scheduleBroadcast(ctx: BroadcastsCtx, before: Broadcast, schedule: Schedule): Promise<Sent> {
  const broadcast: Broadcast = {
    ...before,
    ...schedule,
    status: 'scheduled',
    sentBy: sentBy(ctx),
    updatedAt: ctx.clock.now(),
  };
  const { sender } = await requireReady(ctx, broadcast);
  if (before.status !== 'scheduled') requireNotStopped(sender.sendingStop);
  await requireScheduledInTime(ctx, broadcast, schedule.scheduledFor ?? broadcast.updatedAt);
  await updateBroadcast(ctx.db, broadcast);
  const was = before.status === 'scheduled' ? { was: before.scheduledFor } : {};
  const auditEntries = [{ action: 'scheduled', details: { scheduled_for: schedule.scheduledFor, ...was } }];
  return { broadcast, auditEntries, estimatedCompletionAt: null };
}

/**
 * Moves a broadcast that the transaction holds, a draft or a scheduled one, on its way: writes whom it goes to in one
 * snapshot, and opens the bulk send, which the worker freezes page by page. `by` is who said so, which for a scheduled
 * one was some time ago. `zones`: it leaves at a local time of its recipients.
 */
export async function startSending(
  ctx: BroadcastsCtx,
  broadcast: Broadcast,
  { by, zones }: { by: SentBy; zones: LocalStarts | null },
): Promise<Sent> {
  const { filled, sender, composed, links } = await requireReady(ctx, broadcast);
  requireNotStopped(sender.sendingStop);
  if (broadcast.followUpOf !== null) await awaitFollowUps(ctx.db, broadcast.workspaceId, broadcast.followUpOf);
  const people = await choosePeople(ctx, broadcast);
  const written = await insertRecipients(ctx.db, broadcast, { people, zones });
  const total = written.reduce((sum, { recipients }) => sum + recipients, 0);
  const parts = zones === null ? [] : partsOf(zones, written);
  if (total === 0) throw unacceptable('audience', 'Nobody would get the broadcast: nobody is in its audience.');
  const { workspaceId, id } = broadcast;
  const { templateId, templateVersion, variables } = filled;
  const { newsletterId = null } = broadcast.audience;
  const sendId = await bulkSends.open(ctx.db, {
    workspaceId,
    origin: { source: 'broadcast', broadcastId: id, templateId, newsletterId },
    audience:
      newsletterId === null ? { kind: CONTACTS, audienceId: id } : { kind: SUBSCRIBERS, audienceId: newsletterId },
    ...composed,
    links,
    sandbox: by.mode === 'test',
    requestId: by.requestId ?? null,
    ...(zones === null ? {} : { parts }),
  });
  const { finishBy, recipientTimezone } = broadcast;
  const started = { templateVersion, variables, finishBy, recipientTimezone };
  const sending = await markSending(ctx.db, broadcast, { ...started, by, sendId, total });
  if (sending === undefined) throw conflict(whyClosed(broadcast));
  return {
    broadcast: sending,
    auditEntries: [{ action: 'send_started', details: { total_recipients: total, ...firstAndLast(parts) } }],
    estimatedCompletionAt: await queue.estimateCompletion(ctx, total),
  };
}

/** For the log. */
const firstAndLast = (parts: readonly { at: Date }[]) =>
  parts.length === 0 ? {} : { first_start_at: parts[0]?.at, last_start_at: parts.at(-1)?.at };

/** The times of the parts that recipients were written for. */
const partsOf = ({ times }: LocalStarts, written: readonly { part: number | null; recipients: number }[]) =>
  written.flatMap(({ part, recipients }) => {
    const at = part === null ? undefined : times[part];
    return part === null || at === undefined ? [] : [{ part, at, recipients }];
  });
