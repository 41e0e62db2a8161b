import { publishWebhooks } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { AddedSuppression } from './announcements.ts';

/** Tells webhooks of addresses that were not suppressed before, in the transaction that suppresses them. */
export const publishSuppressed = (tx: Db, added: readonly AddedSuppression[]): Promise<void> =>
  publishWebhooks(
    tx,
    added.map(({ workspaceId, identity, reason, sourceEmailId }) => ({
      workspaceId,
      type: 'email.suppressed',
      data: { suppression: { email: identity, reason, source_email_id: sourceEmailId } },
    })),
  );
