import { queue } from '#features/outbox';
import { findWorkspaceZone } from '#features/workspaces';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { countAudience } from '../audience/audience-queries.ts';
import { choosePeople } from '../audience/choose-people.ts';
import { planStarts } from '../audience/plan-starts.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';

type Asking = Pick<BroadcastsCtx, 'db' | 'workspaceId'>;

/**
 * Reads when the last email is to have left, in the zone that was given, of the broadcast or of the workspace. Left
 * out: as it was scheduled with.
 */
export async function readFinishBy(
  { db, workspaceId }: Asking,
  broadcast: Broadcast,
  { finish_by: text, timezone = null }: { finish_by?: string | null | undefined; timezone?: string | null | undefined },
): Promise<Date | null> {
  if (text == null) return text === undefined ? broadcast.finishBy : null;
  const now = new Date(await readDatabaseClock(db));
  const zoneByDefault = broadcast.timezone ?? (await findWorkspaceZone(db, workspaceId));
  return (await readPlannedTime({ param: 'finish_by', text, timezone, zoneByDefault, now })).at;
}

/** 422 (`finish_by`) when so many emails cannot leave by then, at the pace of now and behind what waits. */
export function requireInTime(finishBy: Date | null, earliest: Date | null): void {
  if (finishBy === null || (earliest !== null && earliest <= finishBy)) return;
  const why =
    earliest === null
      ? 'Sending is held, and nobody knows until when.'
      : `The earliest time is ${earliest.toISOString()}, at the pace of now and behind what is queued.`;
  throw unacceptable('finish_by', `It cannot be done by ${finishBy.toISOString()}. ${why}`);
}

/**
 * The same for one that is sent later, with the audience of now. It waits for nothing that is queued today, unless
 * that takes longer than until its time. One at a local time is done when it has left in the last zone.
 */
export async function requireScheduledInTime(ctx: BroadcastsCtx, broadcast: Broadcast, startAt: Date): Promise<void> {
  const { finishBy, workspaceId } = broadcast;
  if (finishBy === null) return;
  if (broadcast.recipientTimezone) return requireInTime(finishBy, await earliestInParts(ctx, broadcast));
  const { willSend } = await countAudience(ctx.db, workspaceId, await choosePeople(ctx, broadcast, { counting: true }));
  const pace = await queue.currentPace(ctx);
  const ofNow = await queue.estimateCompletion(ctx, willSend);
  const unhindered = queue.timeToLeave({ ...pace, stretch: 1, pausedUntil: null }, startAt, willSend);
  requireInTime(finishBy, latest(ofNow, unhindered));
}

async function earliestInParts(ctx: BroadcastsCtx, broadcast: Broadcast): Promise<Date | null> {
  const { starts } = await planStarts(ctx, broadcast);
  return queue.estimateParts(
    ctx,
    starts.map(({ at, recipients: emails }) => ({ at, emails })),
  );
}

const latest = (one: Date | null, other: Date | null): Date | null =>
  one === null || other === null ? null : one > other ? one : other;
