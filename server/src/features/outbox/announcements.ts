import { announcement } from '#platform/announcements.ts';

/** A send that was paused, or goes on. */
export interface PausedSend {
  workspaceId: string;
  sendId: string;
}

/**
 * A send has been paused, in the transaction that pauses it. Whoever made it (an issue, a broadcast) stops releasing more
 * of it and says so.
 */
export const sendPaused = announcement<PausedSend & { reason: string }>('outbox.send-paused');

/** A paused send goes on, in the transaction that lets it. */
export const sendResumed = announcement<PausedSend>('outbox.send-resumed');
