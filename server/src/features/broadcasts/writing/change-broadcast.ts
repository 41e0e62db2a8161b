import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict, unacceptable } from '#platform/errors/app-error.ts';
import { sentBy } from '#platform/http/context.ts';
import { type ChangedFields, changedFields } from '#platform/records/changed-fields.ts';
import { audienceView, type BroadcastAudience } from '../audience/audience.ts';
import { type Broadcast, isOpen, whyClosed } from '../broadcast.ts';
import { type AuditEntry, type BroadcastsCtx, type Done } from '../broadcasts-ctx.ts';
import { findCorrection } from '../corrections/correction-queries.ts';
import { getBroadcast, getLockedBroadcast } from '../get-broadcast.ts';
import { updateBroadcast } from '../queries.ts';
import { requireScheduledInTime } from '../sending/finish-by.ts';
import { readBroadcastZone, readSchedule, requireWithinBounds, type Schedule, wallTimeOf } from '../schedule-time.ts';
import { changeWhilePaused } from './change-while-paused.ts';
import { requireReady } from '../content/ready-broadcast.ts';
import { type NewBroadcastInput, readContent } from './broadcast-input.ts';
import { withRoot } from './follow-up.ts';
import { requireMaySend } from './may-send.ts';
import { requireNamedRecords } from './named-records.ts';

/**
 * Changes what is given of a broadcast that is not sent yet. `scheduled_for: null` makes a draft of a scheduled one; a
 * time reschedules it, and on a draft is only stored. A scheduled one must stay fit to be sent. Of one that is being
 * sent and is paused, the content changes for who has not been sent it yet.
 */
export async function changeBroadcast(ctx: BroadcastsCtx, id: string, input: NewBroadcastInput): Promise<Done> {
  const read = await readContent(input);
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const content = await withRoot(inside, read, id);
    const { status } = await getBroadcast(inside, id);
    // Of one that is being sent the send is held before it.
    if (status === 'sending') return changeWhilePaused(inside, id, { content, input });
    const before = await getLockedBroadcast(inside, id);
    await requireNamedRecords(inside, content);
    const changes = { ...content, ...(await readNewSchedule(tx, before, input)) };
    if (!isOpen(before.status)) throw conflict(whyClosed(before));
    const given = Object.keys(changes) as (keyof typeof changes)[]; // `keys` forgets them
    if (changedFields<Broadcast>(before, { ...before, ...changes }, given) === null)
      return { broadcast: before, auditEntries: [] };
    const people = changedFields<Broadcast>(before, { ...before, ...changes }, ['audience', 'followUpOf']);
    if (people !== null) await refuseForCorrection(tx, before, people);
    if (before.status === 'scheduled') requireMaySend(ctx, 'that is scheduled');
    const changed: Broadcast = { ...before, ...changes, updatedAt: ctx.clock.now() };
    if (changed.scheduledFor === null) changed.status = 'draft';
    changed.sentBy = changed.status === 'draft' ? null : sentBy(ctx);
    if (changed.status === 'scheduled') {
      await requireReady(inside, changed);
      // With or without local times, the same time means other instants: those must be to come.
      if (changed.scheduledFor !== null && changed.recipientTimezone !== before.recipientTimezone) {
        await requireWithinBounds(tx, changed.scheduledFor);
      }
      const times = [!isSameTime(before.scheduledFor, changed.scheduledFor), 'recipientTimezone' in changes];
      if (people !== null || times.includes(true)) {
        await requireScheduledInTime(inside, changed, changed.scheduledFor ?? changed.updatedAt);
      }
    }
    await updateBroadcast(tx, changed);
    return { broadcast: changed, auditEntries: auditEntriesOf(before, changed) };
  });
}

/** One that leaves out who got a follow-up would not reach everybody who has to know. */
async function refuseForCorrection(tx: Db, broadcast: Broadcast, people: object): Promise<void> {
  if ((await findCorrection(tx, broadcast)) === undefined) return;
  throw unacceptable(
    'audience' in people ? 'audience' : 'follow_up_of',
    'A correction goes to those who were sent what it corrects. Duplicate that broadcast.',
  );
}

const isSameTime = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();

/**
 * The fields of the schedule that change; none when neither time nor zone is given. Another zone by itself keeps the
 * instant, but the wall time of a broadcast at a local time, which is what it means.
 */
async function readNewSchedule(
  tx: Db,
  before: Broadcast,
  { scheduled_for, timezone, recipient_timezone: isLocal = before.recipientTimezone }: NewBroadcastInput,
): Promise<Partial<Schedule>> {
  if (typeof scheduled_for === 'string') {
    const kept = timezone === undefined ? before.timezone : null;
    return readSchedule(tx, before.workspaceId, { scheduled_for, timezone }, kept);
  }
  const zone = timezone === undefined ? before.timezone : readBroadcastZone(timezone);
  const shown = wallTimeOf(before);
  if (isLocal && scheduled_for === undefined && shown !== null && zone !== before.timezone) {
    return readSchedule(tx, before.workspaceId, { scheduled_for: shown, timezone: zone });
  }
  return {
    ...(scheduled_for === null ? { scheduledFor: null, scheduleNote: null, wallTime: null } : {}),
    ...(zone === before.timezone ? {} : { timezone: zone, wallTime: null }),
  };
}

/** A body has up to 2 MB: the log says that it changed, and not what it was. */
const LONG = ['html', 'text', 'variables'] as const;
const SHORT = [
  'name',
  'sender',
  'replyTo',
  'subject',
  'preheader',
  'templateId',
  'followUpOf',
  'recipientTimezone',
  'trackOpens',
  'trackClicks',
  'tags',
  'timezone',
] as const;

/** So many contacts of an audience are named; their number says the rest. */
const CONTACTS_NAMED = 20;

/** The audience before and after, in the words of the API. It may name 1,000 contacts one by one. */
function changedAudience(before: Broadcast, after: Broadcast): ChangedFields {
  if (changedFields(before, after, ['audience']) === null) return {};
  return { audience: { before: loggedAudience(before.audience), after: loggedAudience(after.audience) } };
}

function loggedAudience(audience: BroadcastAudience): Record<string, unknown> {
  const { contact_ids: ids, ...shown } = audienceView(audience);
  const contacts = { contact_ids: ids.slice(0, CONTACTS_NAMED) };
  return { ...shown, ...contacts, ...(ids.length > CONTACTS_NAMED ? { contacts: ids.length } : {}) };
}

function auditEntriesOf(before: Broadcast, after: Broadcast): AuditEntry[] {
  const auditEntries: AuditEntry[] = [];
  // A time that is set or taken off a scheduled broadcast has an entry of its own.
  const fields = before.status === 'draft' ? ([...SHORT, 'scheduledFor'] as const) : SHORT;
  const { sender, ...others } = changedFields(before, after, fields) ?? {};
  const audience = changedAudience(before, after);
  const changes = { ...(sender === undefined ? {} : { from: sender }), ...others, ...audience };
  const names = [...Object.keys(changes), ...Object.keys(changedFields(before, after, LONG) ?? {})];
  if (names.length > 0) auditEntries.push({ action: 'updated', details: { fields: names, changes } });
  if (before.status !== 'scheduled') return auditEntries;
  const was = before.scheduledFor;
  if (after.status === 'draft') auditEntries.push({ action: 'unscheduled', details: { was } });
  else if (!isSameTime(was, after.scheduledFor)) {
    auditEntries.push({ action: 'scheduled', details: { scheduled_for: after.scheduledFor, was } });
  }
  return auditEntries;
}
