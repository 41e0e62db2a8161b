import { announcement } from '#platform/announcements.ts';
import type { SuppressionReason } from './suppression.ts';

/** An address that a workspace may not mail from now on. */
export interface AddedSuppression {
  workspaceId: string;
  /** The identity of the address. */
  identity: string;
  /** The reason that counts now: the strongest one given so far. */
  reason: SuppressionReason;
  sourceEmailId: string | null;
  /** False: it was suppressed before, and only the reason has become a stronger one. */
  isNew: boolean;
}

/**
 * Addresses were suppressed, on whatever way: at most 1,000 of them, of any workspaces, in the transaction that
 * suppresses them. Told are those that were not suppressed before and those whose reason became a stronger one; what
 * changes nothing is not told. The outbox answers by settling what waits for them, newsletters by unsubscribing them.
 */
export const suppressionsAdded = announcement<readonly AddedSuppression[]>('suppressions.added');
