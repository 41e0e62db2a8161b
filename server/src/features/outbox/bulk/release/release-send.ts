import { type Db, inTransaction } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { lockRoom, takeRoom } from '#platform/usage/paged-limits.ts';
import { bulkSendCancelled, bulkSendReleased } from '../../announcements.ts';
import { queueSignal } from '../../worker/queue-signal.ts';
import type { SendKey } from '../bulk-send.ts';
import { openParts, type OpenParts } from '../parts.ts';
import { cancelPageOfPending, markCancelled, markCancelling } from '../cancel/cancel-queries.ts';
import { FAULTS, failSend } from './fail-send.ts';
import { pauseAtLimit, pauseForDomain } from './pauses.ts';
import { limitsOfSend } from './send-limits.ts';
import { type PendingFrom, PendingLooks } from './pending-looks.ts';
import { type LockedSend, lockSend, markReleased, releasePage } from './release-queries.ts';

/** Each page holds its send, and whoever cancels it waits for the page: a few ten milliseconds. */
const PAGE = 1_000;
/** So much of the drain is queued ahead, so that a cancel stops all the rest. */
const AHEAD_SECONDS = 10;

/** `again`: there may be more to do at once. `rest`: it has enough in the queue, or there is nothing to do. */
type Step = 'again' | 'rest';

/**
 * One page of what a send needs now: it is released up to ten seconds of drain, or what a cancel has left is settled.
 * True: there may be more to do at once. `until`: the time that has passed for certain, for sends with parts; left out:
 * the clock of the database is believed.
 */
export async function moveBulkSend(
  db: Db,
  key: SendKey,
  { ratePerSecond, start, until }: { ratePerSecond: number; start?: PendingFrom | undefined; until?: Date },
): Promise<boolean> {
  const looks = new PendingLooks(key, start);
  const step = await inTransaction(db, (tx) => moveOnePage(tx, looks, { ratePerSecond, until }));
  looks.committed();
  await reach('outbox.release.after-commit');
  queueSignal.tell();
  return step === 'again';
}

interface Pacing {
  ratePerSecond: number;
  until: Date | undefined;
}

async function moveOnePage(tx: Db, looks: PendingLooks, pacing: Pacing): Promise<Step> {
  const { key } = looks;
  const send = await lockSend(tx, key);
  if (send === undefined) return 'rest';
  if (send.state === 'cancelling') return cancelOnePage(tx, looks);
  if (send.state !== 'releasing' || send.isPaused || send.gate === 'paused') return 'rest';
  if (send.isCancelled) {
    await markCancelling(tx, key);
    return 'again';
  }
  return (await stopped(tx, key, send)) ? 'rest' : releaseOnePage(tx, looks, send, pacing);
}

/**
 * A domain that is not verified any more pauses the send: it may be verified again, and then the rest of the list gets
 * its mail. Without its domain or its content nothing can ever be sent: it fails, and what waits is settled.
 */
async function stopped(tx: Db, key: SendKey, send: LockedSend): Promise<boolean> {
  if (send.gate === 'blocked') return failSend(tx, key, FAULTS.workspaceBlocked);
  if (send.domain === 'deleted') return failSend(tx, key, FAULTS.domainDeleted(send.fromDomain));
  if (send.domain === 'unverified') return pauseForDomain(tx, key, send.fromDomain);
  return send.hasContent ? false : failSend(tx, key, FAULTS.contentMissing);
}

/**
 * Releases a page, and counts it in the limits of the workspace and the domain. Emails that are settled, and those that
 * were released before, take no place. Without a place left, the send pauses; what it has in the queue still leaves.
 */
async function releaseOnePage(tx: Db, looks: PendingLooks, send: LockedSend, pacing: Pacing): Promise<Step> {
  const { key } = looks;
  const rate = Math.min(pacing.ratePerSecond, send.providerRate ?? Number.POSITIVE_INFINITY);
  const room = Math.ceil(rate * AHEAD_SECONDS) - send.underWay;
  const from = await looks.lowest(tx);
  if (from === undefined) return finishRelease(tx, key, send);
  const open = whatIsOpen(send, pacing);
  if (open !== null && (open === undefined || from > open.last)) return 'rest';
  const { moved, full } =
    room > 0 ? await releaseWithinLimits(tx, key, send, { limit: Math.min(PAGE, room), from, open }) : NOTHING;
  await reach('outbox.release.before-commit');
  if ((await looks.lowest(tx)) === undefined) return finishRelease(tx, key, send);
  if (moved.queued + moved.settled > 0) return room > moved.queued ? 'again' : 'rest';
  if (full !== null) await pauseAtLimit(tx, key, send.fromDomain, full);
  return 'rest';
}

/** null: the send has no parts. undefined: nothing of them may leave yet. */
function whatIsOpen({ parts, now }: LockedSend, { until }: Pacing): OpenParts | undefined | null {
  return parts === null ? null : openParts(parts, until !== undefined && until < now ? until : now);
}

const NOTHING = { moved: { queued: 0, settled: 0 }, full: null };

async function releaseWithinLimits(
  tx: Db,
  key: SendKey,
  send: LockedSend,
  page: { limit: number; from: string; open: OpenParts | null },
) {
  const limits = limitsOfSend(key, send);
  const { places, full } = await lockRoom(tx, limits);
  const moved = await releasePage(tx, key, { ...page, places });
  await takeRoom(tx, limits, moved.fresh);
  return { moved, full };
}

async function finishRelease(tx: Db, key: SendKey, send: LockedSend): Promise<Step> {
  const total = await markReleased(tx, key);
  // Told once: a send that was paused, or whose refused emails are tried again, has been released before.
  if (!send.wasReleased) await bulkSendReleased.announce(tx, { ...key, total });
  return 'rest';
}

async function cancelOnePage(tx: Db, looks: PendingLooks): Promise<Step> {
  const from = await looks.lowest(tx);
  if (from !== undefined) {
    await cancelPageOfPending(tx, looks.key, { limit: PAGE, from });
    return 'again';
  }
  await markCancelled(tx, looks.key);
  await bulkSendCancelled.announce(tx, looks.key);
  return 'rest';
}
