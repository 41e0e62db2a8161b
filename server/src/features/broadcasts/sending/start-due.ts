import { type Db, inTransaction } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { type SentBy, systemActor } from '#platform/http/context.ts';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import { missedWindow } from '#platform/work/due-service.ts';
import { type PlannedStarts, planStarts } from '../audience/plan-starts.ts';
import type { Broadcast } from '../broadcast.ts';
import { TARGET_TYPE } from '../broadcasts-ctx.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { publishFailed } from './broadcast-events.ts';
import { noteBySystem } from './follow-send.ts';
import { lockDue, markDueFailed, postponeStart } from './move-queries.ts';
import { startSending } from './send-broadcast.ts';

interface Fault {
  code: string;
  message: string;
}

/** Why a broadcast cannot be sent now, though it could when it was scheduled. */
class CannotBeSent extends Error {
  readonly broadcast: Broadcast;
  readonly fault: Fault;
  readonly planned: PlannedStarts | null;

  constructor(broadcast: Broadcast, fault: Fault, planned: PlannedStarts | null) {
    super(fault.message);
    this.broadcast = broadcast;
    this.fault = fault;
    this.planned = planned;
  }
}

/** True: it was started or has failed. False: another process has it, or it is not due any more. */
export async function startDue(wiring: BroadcastsWiring, due: { workspaceId: string; id: string }): Promise<boolean> {
  try {
    return await inTransaction(wiring.db, async (tx) => {
      const broadcast = await lockDue(tx, due);
      if (broadcast === undefined) return false;
      const by: SentBy = broadcast.sentBy ?? { type: 'system', id: null, email: null, mode: 'live' };
      const { clock, settings, secrets } = wiring;
      const actor = { ...systemActor, mode: by.mode };
      const ctx = { db: tx, workspaceId: due.workspaceId, actor, requestId: '', ip: '', clock, settings, secrets };
      let planned: PlannedStarts | null = null;
      try {
        if (broadcast.recipientTimezone) planned = await planStarts(ctx, broadcast, { max: null });
        if (planned !== null && (await postponed(tx, broadcast, planned))) return false;
        const missed = missedWindow(lateSecondsOf(broadcast, planned));
        if (missed !== undefined) throw new CannotBeSent(broadcast, missed, planned);
        const zones = planned === null ? null : await planned.everywhere();
        const started = await startSending(ctx, broadcast, { by, zones });
        for (const entry of started.auditEntries) noteBySystem(tx, wiring, broadcast, entry);
        return true;
      } catch (error) {
        // First undo the work so far: the failure is recorded in a transaction of its own.
        if (error instanceof AppError && error.name === 'validation_error')
          throw new CannotBeSent(broadcast, faultOf(error), planned);
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof CannotBeSent) return postponeOrFail(wiring, error);
    // The workspace was paused at this moment: it waits, like the other broadcasts of it.
    if (error instanceof AppError && error.name === 'permission_error') return false;
    throw error;
  }
}

/** Contacts may come meanwhile, and the rules of zones change. */
const LOOK_AGAIN_MS = 3_600_000;

/**
 * False: its time has come, which is the first local time of its audience; of an audience that nobody can tell, or with
 * nobody in it, the time of the broadcast. Before, the worker looks again at that time, or in an hour.
 */
async function postponed(db: Db, broadcast: Broadcast, planned: PlannedStarts | null): Promise<boolean> {
  const first = planned?.first ?? broadcast.scheduledFor;
  const now = new Date(await readDatabaseClock(db));
  if (first === null || first <= now) return false;
  await postponeStart(db, broadcast, new Date(Math.min(first.getTime(), now.getTime() + LOOK_AGAIN_MS)));
  return true;
}

/**
 * A fault before its time may be mended until then: the log of the broadcast tells of it, unless it is the last that
 * the log has told. The log is read, because the next look, an hour later, may be that of another process.
 */
async function postponeOrFail(wiring: BroadcastsWiring, error: CannotBeSent): Promise<boolean> {
  const { broadcast, fault, planned } = error;
  if (!(await postponed(wiring.db, broadcast, planned))) return failDue(wiring, error);
  const last = (await wiring.audit.read(broadcast.workspaceId, TARGET_TYPE, broadcast.id)).at(-1);
  if (last?.action === POSTPONED && last.details?.['error'] === fault.message) return false;
  const details = { error: fault.message, code: fault.code };
  noteBySystem(wiring.db, wiring, broadcast, { action: POSTPONED, details });
  return false;
}

const POSTPONED = 'start_postponed';

/** By the time of the broadcast, or the first local time of its audience when that is later. */
const lateSecondsOf = (
  { lateSeconds, scheduledFor }: Broadcast & { lateSeconds: number },
  planned: PlannedStarts | null,
): number => lateSeconds - Math.max(0, ((planned?.first?.getTime() ?? 0) - (scheduledFor?.getTime() ?? 0)) / 1_000);

const faultOf = ({ name, message, extras }: AppError): Fault => ({ code: extras.param ?? name, message });

async function failDue(wiring: BroadcastsWiring, { broadcast, fault: error }: CannotBeSent): Promise<boolean> {
  return inTransaction(wiring.db, async (tx) => {
    const failed = await markDueFailed(tx, broadcast, error);
    if (failed === undefined) return false;
    await publishFailed(tx, failed, error);
    noteBySystem(tx, wiring, failed, { action: 'failed', details: { error: error.message, code: error.code } });
    return true;
  });
}
