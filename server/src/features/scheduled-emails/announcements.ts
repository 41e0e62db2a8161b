import { announcement } from '#platform/announcements.ts';

export interface CancelledByErasure {
  workspaceId: string;
  cancelled: readonly { id: string; at: Date }[];
}

/** Emails that were to erased people alone are cancelled, in the transaction that erases the people. */
export const cancelledByErasure = announcement<CancelledByErasure>('scheduled-emails.cancelled-by-erasure');
