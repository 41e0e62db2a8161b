import { announcement } from '#platform/announcements.ts';
import type { SuppressionReason } from './suppression.ts';

/** An address that a workspace may not mail from now on. */
export interface AddedSuppression {
  workspaceId: string;
  /** The identity of the address. */
  identity: string;
  reason: SuppressionReason;
  sourceEmailId: string | null;
}

/**
 * Addresses were suppressed, on whatever way: at most a page of them, of any workspaces, in the transaction that
 * suppresses them. Newsletters answer by unsubscribing them.
 */
export const suppressionsAdded = announcement<readonly AddedSuppression[]>('suppressions.added');
