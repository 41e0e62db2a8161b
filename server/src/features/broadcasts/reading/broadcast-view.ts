import type { AuditEntry } from '#features/audit';
import type { bulkSends } from '#features/outbox';
import { localTimeIn } from '#platform/time/local-time.ts';
import { audienceView } from '../audience/audience.ts';
import { BROADCAST, type Broadcast, type BroadcastSummary, TEXTS } from '../broadcast.ts';
import { type BulkStats, statsView } from '../broadcast-stats.ts';
import type { Correction } from '../corrections/correction.ts';

/** How it stands with its `finish_by`. */
export interface Timing {
  isLate: boolean;
  estimatedCompletionAt: Date | null;
}

type Progress = NonNullable<Awaited<ReturnType<typeof bulkSends.progressOf>>> &
  Timing & { starts: { at: Date; recipients: number }[] | null };

/** As lists show it. */
export const broadcastInList = (broadcast: BroadcastSummary, stats: BulkStats | undefined) => ({
  ...BROADCAST.view(broadcast, {
    from: broadcast.sender,
    local_time: broadcast.scheduledFor && localTimeIn(broadcast.timezone ?? 'UTC', broadcast.scheduledFor),
    stats: statsView(stats, broadcast.skippedUnsubscribed),
  }),
  audience: audienceView(broadcast.audience),
});

/** As it is shown by itself. */
export const broadcastView = (
  broadcast: Broadcast,
  more: {
    stats: BulkStats | undefined;
    auditLog: readonly AuditEntry[];
    progress: Progress | null;
    corrected: Correction | undefined;
  },
) => ({
  ...broadcastInList(broadcast, more.stats),
  ...TEXTS.view(broadcast, {}),
  corrects: more.corrected ? { id: more.corrected.correctsId, content_version: more.corrected.contentVersion } : null,
  audit_log: more.auditLog,
  progress: more.progress && progressView(more.progress),
});

const progressView = ({ resumesAt, isLate, estimatedCompletionAt, ...progress }: Progress) => ({
  ...progress,
  resumes_at: resumesAt,
  is_late: isLate,
  estimated_completion_at: estimatedCompletionAt,
});
