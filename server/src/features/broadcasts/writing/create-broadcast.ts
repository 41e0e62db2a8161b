import { newId } from '#platform/ids.ts';
import type { Broadcast } from '../broadcast.ts';
import { NOBODY } from '../audience/audience.ts';
import type { BroadcastsCtx, Done } from '../broadcasts-ctx.ts';
import { findCorrection, insertCorrection } from '../corrections/correction-queries.ts';
import { getBroadcast } from '../get-broadcast.ts';
import { insertBroadcast } from '../queries.ts';
import { readBroadcastZone, readSchedule, type Schedule } from '../schedule-time.ts';
import { type BroadcastContent, type NewBroadcastInput, readContent } from './broadcast-input.ts';
import { withRoot } from './follow-up.ts';
import { requireNamedRecords } from './named-records.ts';

const EMPTY: Omit<BroadcastContent, 'name'> = {
  sender: null,
  replyTo: [],
  subject: null,
  preheader: null,
  html: null,
  text: null,
  templateId: null,
  variables: {},
  audience: NOBODY,
  followUpOf: null,
  recipientTimezone: false,
  trackOpens: null,
  trackClicks: null,
  tags: [],
};

/** Makes a draft. A time is only stored: sending the draft then schedules it. */
export async function createBroadcast(ctx: BroadcastsCtx, input: NewBroadcastInput): Promise<Done> {
  const content = await withRoot(ctx, await readContent(input), null);
  await requireNamedRecords(ctx, content);
  const { scheduled_for, timezone = null } = input;
  const schedule =
    scheduled_for == null
      ? { scheduledFor: null, timezone: readBroadcastZone(timezone), scheduleNote: null, wallTime: null }
      : await readSchedule(ctx.db, ctx.workspaceId, { scheduled_for, timezone });
  const name = content.name ?? content.subject ?? '';
  return store(ctx, { ...EMPTY, ...content, name: name.slice(0, 200) }, { ...schedule, details: {} });
}

/**
 * A draft with the same words, sender and audience as a broadcast in any state; nothing of its schedule or past. The
 * copy of a correction is one for the same people, unless it is to be another correction itself.
 */
export async function duplicateBroadcast(
  ctx: BroadcastsCtx,
  id: string,
  { isCorrection }: { isCorrection: boolean } = { isCorrection: false },
): Promise<Done> {
  const found = await getBroadcast(ctx, id);
  const corrected = isCorrection ? undefined : await findCorrection(ctx.db, found);
  const { name, sender, replyTo, subject, preheader, html, text, templateId, variables, audience, tags } = found;
  const { trackOpens, trackClicks, followUpOf } = found;
  const content = { sender, replyTo, subject, preheader, html, text, templateId, variables, audience, tags };
  const made = await store(
    ctx,
    {
      ...content,
      name,
      recipientTimezone: false,
      trackOpens,
      trackClicks,
      followUpOf: isCorrection ? null : followUpOf,
    },
    { scheduledFor: null, timezone: null, scheduleNote: null, wallTime: null, details: { duplicate_of: found.id } },
  );
  if (corrected !== undefined) await insertCorrection(ctx.db, made.broadcast, corrected);
  return made;
}

async function store(
  ctx: BroadcastsCtx,
  content: BroadcastContent,
  { details, ...schedule }: Schedule & { details: object },
): Promise<Done> {
  const now = ctx.clock.now();
  const broadcast: Broadcast = {
    ...content,
    ...schedule,
    workspaceId: ctx.workspaceId,
    id: newId(),
    status: 'draft',
    templateVersion: null,
    startsAt: null,
    finishBy: null,
    totalRecipients: null,
    startedAt: null,
    sentAt: null,
    finishedAt: null,
    cancelledAt: null,
    failedAt: null,
    error: null,
    errorCode: null,
    sentBy: null,
    sendId: null,
    skippedUnsubscribed: 0,
    pagesCompleted: 0,
    createdAt: now,
    updatedAt: now,
  };
  await insertBroadcast(ctx.db, broadcast);
  return { broadcast, auditEntries: [{ action: 'created', details: { ...details } }] };
}
