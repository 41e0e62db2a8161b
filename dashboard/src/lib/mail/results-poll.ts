const SOONEST_MS = 2_000;
const LATEST_MS = 60_000;
/** Lists beside the results are longer to read. */
const SOONEST_OF_LIST_MS = 5_000;

/** Of an mailing or a broadcast. */
interface Known {
  status: string;
  scheduled_for: string | null;
  sent_at: string | null;
  updated_at: string;
  stats: { pending: number };
}

/** Emails of it leave, or are to leave. */
export const isLeaving = ({ status, stats }: Pick<Known, 'status' | 'stats'>): boolean =>
  status === 'sending' || stats.pending > 0;

/**
 * How long to wait before the results are read again: as long as it moves, hardly; then a thirtieth of the time since
 * it was sent, or until it is to be sent. Most opens and clicks come in the first hour, and a page that stays open over
 * a night asks once a minute: a hundred readings in the first hour.
 */
export function resultsPollMs(mailing: Known | undefined, nowMs: number): number {
  if (mailing === undefined || isLeaving(mailing)) return SOONEST_MS;
  const turn = Date.parse(
    (mailing.status === 'scheduled' ? mailing.scheduled_for : mailing.sent_at) ?? mailing.updated_at,
  );
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, Math.round(Math.abs(nowMs - turn) / 30)));
}

export const listPollMs = (mailing: Known, nowMs: number): number =>
  Math.max(SOONEST_OF_LIST_MS, resultsPollMs(mailing, nowMs));
