import type { AuditSource } from '#features/audit';
import { announcement } from '#platform/announcements.ts';
import type { Pause } from './pause/pause.ts';

/** A send that was paused, or goes on. */
export interface PausedSend {
  workspaceId: string;
  sendId: string;
}

/**
 * A send has been paused, in the transaction that pauses it. The owner of the send (an issue, a broadcast) stops
 * releasing more of it and reports that.
 */
export const sendPaused = announcement<PausedSend & Pause>('outbox.send-paused');

/**
 * A paused send goes on, in the transaction that lets it: `by` said so, or the cause has ended (`byItself`), which is
 * by the system.
 */
export const sendResumed = announcement<PausedSend & { byItself: boolean; by: AuditSource }>('outbox.send-resumed');

/**
 * Every recipient of a bulk send has been released to the queue or was settled otherwise, in the transaction of the
 * last page. Told once.
 */
export const bulkSendReleased = announcement<{ workspaceId: string; sendId: string; total: number }>(
  'outbox.bulk-send-released',
);

/** A page of recipients of a bulk send was written, in its transaction. */
export interface FrozenPage {
  workspaceId: string;
  sendId: string;
  /** Their emails are written; of these some are suppressed at once. */
  written: number;
  suppressed: number;
  /** Members of the audience who get nothing. */
  passedOver: number;
}
export const bulkPageFrozen = announcement<FrozenPage>('outbox.bulk-page-frozen');

/** Nothing of a cancelled bulk send waits any more, in the transaction that settles the last of it. */
export const bulkSendCancelled = announcement<{ workspaceId: string; sendId: string }>('outbox.bulk-send-cancelled');

/** Refused emails of a bulk send are pending again, in the transaction that puts them back. */
export const bulkSendReopened = announcement<{ workspaceId: string; sendId: string }>('outbox.bulk-send-reopened');

/** A bulk send cannot go on (its domain was withdrawn, its content cannot be made), in the transaction that ends it. */
export const bulkSendFailed = announcement<{ workspaceId: string; sendId: string; code: string; message: string }>(
  'outbox.bulk-send-failed',
);
