/** Counts of emails by what became of them, and what a job as a whole is called. Pure rules. */

import type { SendCounts } from '#features/outbox';

/** Statuses as stored; `deferred` is `queued` that waits for its next attempt. */
export type StatusCounts = Readonly<Record<string, number>>;

export interface Progress {
  total: number;
  queued: number;
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
  failed: number;
  suppressed: number;
  cancelled: number;
  sending: number;
  unconfirmed: number;
  percent: number;
}

const sumOf = (counts: StatusCounts, ...statuses: string[]): number =>
  statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);

const percentOf = (total: number, queued: number): number =>
  total === 0 ? 100 : Math.floor(((total - queued) / total) * 1000) / 10;

export function progressOf(counts: StatusCounts): Progress {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  // An unconfirmed email may yet be sent once more, so it is not done.
  const queued = sumOf(counts, 'pending', 'queued', 'deferred', 'sending', 'unconfirmed');
  return {
    total,
    queued,
    sent: sumOf(counts, 'sent', 'delivery_delayed', 'delivered', 'bounced', 'complained'),
    // A complaint comes from a mailbox: the statistics of an issue count it as delivered too.
    delivered: sumOf(counts, 'delivered', 'complained'),
    bounced: sumOf(counts, 'bounced'),
    complained: sumOf(counts, 'complained'),
    failed: sumOf(counts, 'failed'),
    suppressed: sumOf(counts, 'suppressed'),
    cancelled: sumOf(counts, 'cancelled'),
    sending: sumOf(counts, 'sending'),
    unconfirmed: sumOf(counts, 'unconfirmed'),
    percent: percentOf(total, queued),
  };
}

export const NO_PROGRESS: Progress = progressOf({});

/** The same from the counts of a bulk send, whose emails are not read. */
export const progressOfBulk = (counts: SendCounts): Progress => ({
  total: counts.total,
  queued: counts.pending,
  sent: counts.sent,
  delivered: counts.delivered,
  bounced: counts.bounced,
  complained: counts.complained,
  failed: counts.refused,
  suppressed: counts.suppressed,
  cancelled: counts.cancelled,
  sending: counts.sending,
  unconfirmed: counts.unconfirmed,
  percent: percentOf(counts.total, counts.pending),
});

export type JobStatus =
  | 'queued'
  | 'paused'
  | 'processing'
  | 'completed'
  | 'completed_with_errors'
  | 'failed'
  | 'cancelled'
  | 'suppressed';

/**
 * What a job is called. A cancelled one stays so, though what had left still arrives; but when a cancel came too late
 * for all of it, the job is what its emails are.
 */
export function jobStatusOf(
  progress: Progress,
  facts: { cancelled: boolean; started: boolean; paused?: boolean },
): JobStatus {
  if (facts.cancelled && (progress.cancelled > 0 || progress.queued > 0)) return 'cancelled';
  if (progress.queued > 0 && facts.paused === true) return 'paused';
  if (progress.queued > 0) {
    return facts.started || progress.sent > 0 || progress.failed > 0 || progress.sending > 0 ? 'processing' : 'queued';
  }
  if (progress.total > 0 && progress.suppressed === progress.total) return 'suppressed';
  if (progress.failed === 0) return 'completed';
  return progress.sent === 0 ? 'failed' : 'completed_with_errors';
}

/** The stored statuses behind one that a caller asks for. */
export const storedStatuses = (shown: string): string[] => (shown === 'queued' ? ['queued', 'deferred'] : [shown]);
